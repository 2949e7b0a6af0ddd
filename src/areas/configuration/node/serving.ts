import type { Actor, Context } from '../../../context.ts'
import type { Db } from '../../../database/sql.ts'
import { findResource, limitToVisible, permissionOf, type Registry, type Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { answerDocumentByName } from '../host/enc.ts'
import { answerMissingNode, answerNode, answerUnchanged, type Form, type Format } from './answer.ts'
import { createKeptDocuments, findAnswer, keepAnswer, keepDigest } from './documents.ts'
import type { RequestedFacts } from './inputs.ts'
import { createKeptFacts, isComplete } from './keeping.ts'
import { loadNodeByName } from './node.ts'
import { EVERYTHING, type Viewer, WITHOUT_SECRETS } from './prepare.ts'
import { readSignature } from './signature.ts'

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
  const hosts = hostsOf(registry)
  return (begun) => {
    const reading = begun === null ? null : readCurrent(db, begun)
    reading?.catch(() => undefined) // the error is thrown where the signature is awaited
    return async (ctx, input, { name, format, called }, isKnown) => {
      const viewer = isKnown ? EVERYTHING : WITHOUT_SECRETS
      const current = await (name === begun && reading !== null ? reading : readCurrent(ctx.db, name))
      return answerKept(ctx, { name, viewer, hosts }, current, { format, called }, input.headers?.['if-none-match'])
    }
  }
}

/** The signature of a host now, and the facts that it covers. */
interface Current {
  readonly signature: string | null
  readonly facts: RequestedFacts
}

async function readCurrent(db: Db, name: string): Promise<Current> {
  const facts = createKeptFacts(db)
  return { signature: await readSignature(db, name, facts), facts }
}

/** A document and its reader. */
interface RequestedDocument {
  readonly name: string
  readonly viewer: Viewer
  readonly hosts: Resource
}

/**
 * Answers with the cached document if one small statement says that it is current (decision 0035). Otherwise the host
 * is loaded, and its document computed if what it depends on has changed.
 */
async function answerKept(
  ctx: Context,
  { name, viewer, hosts }: RequestedDocument,
  { signature, facts }: Current,
  form: Form,
  known: unknown,
): Promise<Answer> {
  const { db, user } = ctx
  const documents = createKeptDocuments(db)
  const key = `${name} ${viewer.passwords} ${formatPlaces(user)}`
  const digest = documents.digests.get(key)
  if (signature !== null && digest?.signature === signature) {
    const answer = answerUnchanged(digest.digest, form.format, known) ?? findAnswer(documents, digest.digest, form)
    if (answer) return answer
  }
  const conditions = limitToVisible(ctx, hosts, permissionOf(hosts, 'view'))
  const prepared = await loadNodeByName(ctx, name, viewer, conditions)
  if (!prepared) return answerMissingNode(name, form.format)
  if (signature !== null && isComplete(prepared, facts))
    keepDigest(documents, key, { signature, digest: prepared.digest })
  const unchanged = answerUnchanged(prepared.digest, form.format, known) ?? findAnswer(documents, prepared.digest, form)
  if (unchanged) return unchanged
  const answer = answerNode(ctx, prepared, form, known)
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

/** Answers the document of a host to a user who may see it. */
export function answerUser(registry: Registry): (ctx: Context, input: Input, asked: RequestedHost) => Promise<Answer> {
  const hosts = hostsOf(registry)
  return (ctx, input, asked) => answerDocumentByName(ctx, hosts, input, asked)
}

function hostsOf(registry: Registry): Resource {
  const hosts = findResource(registry, 'host')
  return hosts
}
