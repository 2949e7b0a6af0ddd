import type { Actor, Context } from '../../../context.ts'
import { limitToVisible, permissionFor } from '../../../kernel/authorize.ts'
import type { Condition } from '../../../kernel/condition.ts'
import type { Input, Registry, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { findResource } from '../../../kernel/registry.ts'
import { answerDocumentByName } from '../host/enc.ts'
import { answerMissingNode, answerNode, answerUnchanged, type Form, type Format } from './answer.ts'
import { findAnswer, keepAnswer, keepDigest, keptDocuments } from './documents.ts'
import { isComplete, keptFacts } from './keeping.ts'
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
export function answerMachine(
  registry: Registry,
): (ctx: Context, input: Input, asked: RequestedHost, isKnown: boolean) => Promise<Answer> {
  const hosts = hostsOf(registry)
  return (ctx, input, { name, format, called }, isKnown) => {
    const viewer = isKnown ? EVERYTHING : WITHOUT_SECRETS
    const conditions = limitToVisible(ctx, hosts, permissionFor(hosts, 'view'))
    return answerKept(ctx, { name, viewer, conditions }, { format, called }, input.headers?.['if-none-match'])
  }
}

/** A document and its reader. */
interface RequestedDocument {
  readonly name: string
  readonly viewer: Viewer
  readonly conditions: readonly Condition[]
}

/**
 * Answers with the cached document if one small statement says that it is current (decision 0035). Otherwise the host
 * is loaded, and its document computed if what it depends on has changed.
 */
async function answerKept(ctx: Context, wanted: RequestedDocument, form: Form, known: unknown): Promise<Answer> {
  const { db, user } = ctx
  const { name, viewer, conditions } = wanted
  const documents = keptDocuments(db)
  const facts = keptFacts(db)
  const signature = await readSignature(db, name, facts)
  const key = JSON.stringify([name, viewer.passwords, conditions.length === 0 ? null : placesOf(user)])
  const digest = documents.digests.get(key)
  if (signature !== null && digest?.signature === signature) {
    const answer = answerUnchanged(digest.digest, form.format, known) ?? findAnswer(documents, digest.digest, form)
    if (answer) return answer
  }
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

/** The facts of a machine that its conditions are made from. */
function placesOf({ places, organizations, locations }: Actor): unknown {
  return [places, organizations, locations]
}

/** Answers the document of a host to a user who may see it. */
export function answerUser(registry: Registry): (ctx: Context, input: Input, asked: RequestedHost) => Promise<Answer> {
  const hosts = hostsOf(registry)
  return (ctx, input, asked) => answerDocumentByName(ctx, hosts, input, asked)
}

function hostsOf(registry: Registry): Resource {
  const hosts = findResource(registry, 'host')
  return hosts
}
