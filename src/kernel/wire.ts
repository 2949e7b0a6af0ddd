import type { Context } from '../context.ts'
import { prefers } from '../requests/prefer.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { isMembers } from '../values.ts'
import type { Resource } from './definition.ts'
import { readAttributes } from './input.ts'
import type { Operation, Sent } from './record.ts'

type Handler = (ctx: Context, resource: Resource, input: Input) => Promise<Answer>

/** Wraps the handler of an operation by what the contract wants: older names, keys in queries, 204, and deprecation headers. */
export function adaptHandler(resource: Resource, operation: Operation, handle: Handler): Route['handle'] {
  const { aliases, queried } = resource.wire ?? {}
  const { deprecated } = deprecationOf(resource, operation)
  const silent = isSilent(resource, operation)
  return async (ctx, sent) => {
    const renamed = aliases ? withNewWords(resource, aliases, sent) : sent
    const input = queried && operation === 'create' ? withQueriedKeys(resource, queried, renamed) : renamed
    if (silent) return answerQuietly(input, (asked) => handle(ctx, resource, asked))
    const answer = await handle(ctx, resource, input)
    return deprecated ? { ...answer, headers: { ...answer.headers, ...announce(resource, deprecated) } } : answer
  }
}

/** Whether an operation answers without a body unless the request prefers to get one. */
export function isSilent({ wire }: Resource, operation: Operation): boolean {
  return wire?.silent?.includes(operation) ?? false
}

/** Answers 204, or with the record when the request prefers a representation. */
export async function answerQuietly(input: Input, work: (input: Input) => Promise<Answer>): Promise<Answer> {
  if (!prefers(input, 'return=representation')) {
    await work({ ...input, reading: null })
    return { status: 204 }
  }
  const answer = await work(input)
  return { ...answer, headers: { ...answer.headers, 'preference-applied': 'return=representation' } }
}

/** Yields the date since when an operation is deprecated as a key of its route; no key for others. */
export function deprecationOf({ wire }: Resource, operation: Operation): { readonly deprecated?: Date } {
  return wire?.deprecated?.operations.includes(operation) ? { deprecated: wire.deprecated.since } : {}
}

/** Builds the headers of a deprecated operation: the structured date of RFC 9745, and a link to the page about it. */
function announce({ plural }: Resource, since: Date): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    link: `</docs#${plural}>; rel="deprecation"; type="text/html"`,
  }
}

function withNewWords({ word }: Resource, aliases: Readonly<Record<string, string>>, input: Input): Input {
  const body = renameKeys(input.body, aliases)
  const root = body[word]
  return {
    ...input,
    query: renameKeys(input.query, aliases),
    body: isMembers(root) ? { ...body, [word]: renameKeys(root, aliases) } : body,
  }
}

function renameKeys(keys: Sent, aliases: Readonly<Record<string, string>>): Sent {
  const used = Object.entries(aliases).filter(([alias, name]) => keys[alias] !== undefined && keys[name] === undefined)
  return { ...keys, ...Object.fromEntries(used.map(([alias, name]) => [name, keys[alias]])) }
}

/** Yields the input with the keys of a new record that only the query has copied to the body. */
function withQueriedKeys(resource: Resource, keys: readonly string[], { query, body, ...input }: Input): Input {
  const attributes = readAttributes(resource, body)
  const open = keys.filter(
    (key) => query[key] && attributes[key] === undefined && attributes[nameOf(key)] === undefined,
  )
  const queried = Object.fromEntries(open.map((key) => [key, query[key]]))
  return { ...input, query, body: { ...body, [resource.word]: { ...queried, ...attributes } } }
}

function nameOf(idKey: string): string {
  return idKey.replace(/_id$/, '_name')
}
