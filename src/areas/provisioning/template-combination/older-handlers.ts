import {
  create,
  type Handler,
  list,
  type Operation,
  type Resource,
  show,
  update,
  type Wire,
} from '../../../kernel/index.ts'
import { changeAttributes } from '../../../records/attributes.ts'
import type { Input } from '../../../requests/route.ts'

/** The operations below parents: they are deprecated, and so is showing a combination at the flat path. */
export const NESTED: readonly Operation[] = ['list', 'show', 'create', 'update']

/** The date since when they are deprecated. */
export const SINCE = new Date('2026-11-20T00:00:00Z')

/** Handlers that say so in headers; `create` also takes keys of the new record from the query. */
export const olderHandlers: NonNullable<Wire['handlers']> = {
  list: announceEnd(list),
  show: announceEnd(show),
  create: announceEnd((ctx, resource, input) => create(ctx, resource, withQueriedKeys(resource, input))),
  update: announceEnd(update),
}

/** Adds the headers of a deprecated operation: the structured date of RFC 9745, and a link to the page about it. */
function announceEnd(handle: Handler): Handler {
  return async (ctx, resource, input) => {
    const answer = await handle(ctx, resource, input)
    const deprecation = `@${Math.floor(SINCE.getTime() / 1000)}`
    const link = `</docs#${resource.plural}>; rel="deprecation"; type="text/html"`
    return { ...answer, headers: { ...answer.headers, deprecation, link } }
  }
}

/** Yields the input with the keys of a new record that only the query has copied to the body. */
function withQueriedKeys(resource: Resource, { query, body, ...input }: Input): Input {
  const completed = changeAttributes(resource, body, (attributes) => {
    const open = (resource.wire?.queried ?? []).filter(
      (key) => query[key] && attributes[key] === undefined && attributes[nameOf(key)] === undefined,
    )
    return { ...Object.fromEntries(open.map((key) => [key, query[key]])), ...attributes }
  })
  return { ...input, query, body: completed }
}

function nameOf(idKey: string): string {
  return idKey.replace(/_id$/, '_name')
}
