import type { Actor, Context } from '../../../context.ts'
import type { Db } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import {
  findRecord,
  findResource,
  limitToVisible,
  permissionOf,
  type Registry,
  type Resource,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { asksForHidden } from '../../access/index.ts'
import { answerMissingNode, answerNode, answerUnchanged, type Form, type Format } from './answer.ts'
import { computeDigest } from './digest.ts'
import { createKeptDocuments, findAnswer, keepAnswer, keepDigest } from './documents.ts'
import type { RequestedFacts } from './inputs.ts'
import { createKeptFacts, isComplete } from './keeping.ts'
import { loadNodeByName } from './node.ts'
import { EVERYTHING, type Viewer, WITHOUT_SECRETS } from './prepare.ts'
import { withReadSecrets } from './references.ts'
import { readSignature, type SignedHost } from './signature.ts'
import { loadViewer } from './viewer.ts'

/** The host of a request, and the form of its document. */
interface RequestedHost {
  readonly name: string
  readonly format: Format
  /** Names the built-in parameters. */
  readonly called: (parameter: string) => string
}

/** Answers a machine that acts for the host with its document; an unknown machine gets it without secrets. */
type AnswerMachine = (ctx: Context, input: Input, asked: RequestedHost, isKnown: boolean) => Promise<Answer>

/**
 * Begins to answer a machine about the host with this name: whether its document is current is read while the machine is
 * admitted, in the same statement.
 */
export function beginAnswer(registry: Registry, db: Db): (name: string | null) => AnswerMachine {
  const hosts = findResource(registry, 'host')
  return (begun) => {
    const reading = begun === null ? null : readCurrent(db, begun)
    reading?.catch(() => undefined) // the error is thrown where the signature is awaited
    return async (ctx, input, { name, format, called }, isKnown) => {
      const viewer = isKnown ? EVERYTHING : WITHOUT_SECRETS
      const reader = `${viewer.passwords} ${formatPlaces(ctx.user)}`
      const current = await (name === begun && reading !== null ? reading : readCurrent(ctx.db, name))
      return answerKept(
        ctx,
        { name, viewer, reader, hosts },
        current,
        { format, called },
        input.headers?.['if-none-match'],
      )
    }
  }
}

/** The signature of a host now, and the facts that it covers. */
interface Current {
  readonly host: SignedHost | null
  readonly facts: RequestedFacts
}

async function readCurrent(db: Db, name: string): Promise<Current> {
  const facts = createKeptFacts(db)
  return { host: await readSignature(db, name, facts), facts }
}

/** A document and its reader. */
interface RequestedDocument {
  readonly name: string
  readonly viewer: Viewer
  /** Differs for readers who see different documents. */
  readonly reader: string
  readonly hosts: Resource
}

/**
 * Answers with the cached document if one small statement says that it is current (decision 0035). Otherwise the host
 * is loaded, and its document computed if what it depends on has changed.
 */
async function answerKept(
  ctx: Context,
  { name, viewer, reader, hosts }: RequestedDocument,
  { host, facts }: Current,
  form: Form,
  known: unknown,
): Promise<Answer> {
  const documents = createKeptDocuments(ctx.db)
  const key = `${name} ${reader}`
  const digest = documents.digests.get(key)
  if (host !== null && digest?.signature === host.signature) {
    const answer = answerUnchanged(digest.digest, form.format, known) ?? findAnswer(documents, digest.digest, form)
    if (answer) return answer
  }
  const conditions = limitToVisible(ctx, hosts, permissionOf(hosts, 'view'))
  const prepared = await loadNodeByName(ctx, name, viewer, conditions)
  // A host that got this name meanwhile is not the one that the viewer was loaded for.
  if (!prepared || (host !== null && prepared.inputs.id !== host.id)) return answerMissingNode(name, form.format)
  if (host !== null && isComplete(prepared, facts))
    keepDigest(documents, key, { signature: host.signature, digest: prepared.digest })
  const unchanged = answerUnchanged(prepared.digest, form.format, known) ?? findAnswer(documents, prepared.digest, form)
  if (unchanged) return unchanged
  const answer = answerNode(ctx, await withReadSecrets(ctx, prepared), form, known)
  keepAnswer(documents, prepared.digest, form, answer)
  return answer
}

/** Formats the places that the conditions on the hosts of a machine are made from, as part of a key of the cache. */
function formatPlaces(machine: Actor): string {
  const known = formatted.get(machine)
  if (known !== undefined) return known
  const { admin, places, organizations, locations } = machine
  const text = admin ? '' : JSON.stringify([places, organizations, locations])
  formatted.set(machine, text)
  return text
}

// A machine is the same actor in many requests.
const formatted = new WeakMap<Actor, string>()

/** Answers the document of a host to a user who may see it, or 404 in its form (smart-parameters §5.1). */
export function answerUser(registry: Registry): (ctx: Context, input: Input, asked: RequestedHost) => Promise<Answer> {
  const hosts = findResource(registry, 'host')
  return async (ctx, input, { name, ...form }) => {
    const current = await readCurrent(ctx.db, name)
    const viewer = current.host === null ? null : await loadViewerOfHost(ctx, hosts, input, current.host.id)
    if (viewer === null) return answerMissingNode(name, form.format)
    const document = { name, viewer, reader: formatViewer(viewer), hosts }
    return answerKept(ctx, document, current, form, input.headers?.['if-none-match'])
  }
}

/** Loads what the caller may see of the document of a host; null when the caller may not see the host. */
async function loadViewerOfHost(ctx: Context, hosts: Resource, input: Input, id: number): Promise<Viewer | null> {
  const found = findRecord(
    ctx,
    hosts,
    { ...input, params: { id: String(id) } },
    { permission: permissionOf(hosts, 'view') },
  )
  try {
    await found
    return await loadViewer(ctx, hosts, id, asksForHidden(input.query))
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

/** Formats what a user sees as part of a key of the cache. */
function formatViewer(viewer: Viewer): string {
  const { parameters, passwords, hidden, hiddenOfClasses, facts } = viewer
  const sets = [parameters, hidden, hiddenOfClasses, facts].map((seen) => (seen === null ? 'all' : [...seen].join()))
  return `user ${passwords} ${computeDigest(sets)}`
}
