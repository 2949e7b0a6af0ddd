import { z } from 'zod'
import { Failure } from '../errors.ts'
import { findResource, type Registry } from '../kernel/index.ts'
import { prefers } from '../requests/prefer.ts'
import type { Input, Route } from '../requests/route.ts'

/**
 * Finds what a request sends that its route does not know: query parameters, and keys of the body or of its wrapping object.
 * Read-only keys count as known, because a client may send back a record that it was shown.
 */
export function findIgnored(registry: Registry, route: Route, { query, body, params }: Input): string[] {
  if (route.group === CLIENTS) return []
  const known = remembered.get(route) ?? listKnown(registry, route)
  remembered.set(route, known)
  const reads = route.method === 'GET' || route.method === 'DELETE' // the body of these methods is read like the query
  // `ids[]` and `where[ids]` stand for `ids` and `where`.
  const words = Object.keys(query).filter((name) => !known.query.has(name.replace(/\[.*/, '')) && !(name in params))
  if (reads || known.body === null) return words
  const found = Object.keys(body).filter(
    (name) => name !== known.wrapper && !known.query.has(name) && !known.body?.has(name),
  )
  const value = known.wrapper === undefined ? undefined : body[known.wrapper]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [...words, ...found]
  const within = Object.keys(value).filter((key) => !known.inner.has(key))
  return [...words, ...found, ...within.map((key) => `${known.wrapper}.${key}`)]
}

/**
 * Refuses ignored parameters in a request with `Prefer: handling=strict` (RFC 7240). {@throws Failure} bad_parameter
 */
export function refuseIgnored(input: Input, ignored: readonly string[]): void {
  const [name] = ignored
  if (name === undefined || !prefers(input, 'handling=strict')) return
  const names = ignored.slice(0, MOST).join(', ')
  throw new Failure('bad_parameter', `This request does not know ${names}; nothing was done`, {
    class: 'Apipie::ParamInvalid',
    parameter: name,
  })
}

/** Routes of subscription clients, whose requests have no schema. */
export const CLIENTS = 'clients'

interface Known {
  readonly query: ReadonlySet<string>
  /** The known keys of the body; null for any. */
  readonly body: ReadonlySet<string> | null
  /** The key of the object that may wrap the keys of the body, and the keys that the object may have. */
  readonly wrapper: string | undefined
  readonly inner: ReadonlySet<string>
}

const remembered = new WeakMap<Route, Known>()
/** The most names that a message lists. */
const MOST = 20

function listKnown(registry: Registry, { query, body, resource }: Route): Known {
  const own = resource ? findResource(registry, resource) : null
  const readable = own ? Object.keys(own.readable) : []
  const aliases = Object.keys(own?.wire?.aliases ?? {})
  const top = body instanceof z.ZodObject ? body.shape : null
  const wrapped = own && top?.[own.word]
  const keys = Object.keys(wrapped instanceof z.ZodObject ? wrapped.shape : (top ?? {}))
  const inner = new Set([...keys, ...readable, ...aliases])
  return {
    query: new Set([...Object.keys(query?.shape ?? {}), ...EVERYWHERE, ...aliases, ...(own?.wire?.queried ?? [])]),
    body: top && new Set([...Object.keys(top), ...inner]),
    wrapper: own?.word,
    inner,
  }
}

/** Parameters that every request may have. */
const EVERYWHERE = ['organization_id', 'location_id']
