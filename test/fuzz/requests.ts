import type { InjectOptions } from 'fastify'
import { z } from 'zod'
import type { Registry } from '../../src/kernel/definition.ts'
import type { Route } from '../../src/requests/route.ts'
import type { Random } from './random.ts'
import { id, junk, type Known, name, pluralOf, searchText, segment, valueFor } from './values.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const PAGES = ['1', '2', '0', '-1', 'abc', '', 'all', '4294967296', '9007199254740991', '1.5', '3']

export interface RandomRequest {
  readonly options: InjectOptions
  /** The resource of the records in a successful answer. */
  readonly group: string
}

/** Builds a request for some route: usually a valid one, often with a mistake. */
export function randomRequest(
  random: Random,
  routes: readonly Route[],
  registry: Registry,
  known: Known,
): RandomRequest {
  const route = randomRoute(random, routes)
  const method = random.chance(0.04) ? random.one(METHODS) : usualMethod(random, route)
  const writes = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  const carries = writes || random.chance(0.05)
  const options = {
    method,
    url: pathOf(random, route, known) + queryOf(random, route, known),
    headers: headersOf(random, carries),
    ...(carries && { payload: payloadOf(random, route, registry, known) }),
  }
  return { options, group: route.group }
}

/** Chooses a route, with fewer nested paths, which are many and equivalent, and fewer deletions and lists. */
function randomRoute(random: Random, routes: readonly Route[]): Route {
  const route = random.one(routes)
  const again = { GET: 0.4, POST: 0, PUT: 0, DELETE: 0.7 }[route.method]
  return (route.path.includes('_id/') && random.chance(0.85)) || random.chance(again)
    ? randomRoute(random, routes)
    : route
}

function usualMethod(random: Random, { method }: Route) {
  return method === 'PUT' && random.chance(0.3) ? 'PATCH' : method
}

function pathOf(random: Random, { path, group }: Route, known: Known): string {
  const filled = path.replace(/:(\w+)/g, (_, param: string) =>
    segment(random, known, param === 'id' ? group : groupOf(path, param.replace(/_id$/, ''))),
  )
  const versioned = random.chance(0.05) ? filled.replace(/^(\/content)?\/api/, '$&/v2') : filled
  return random.chance(0.05) ? `${versioned}${random.one(['/', '.json', '//', '/x'])}` : versioned
}

/** Yields the group of a path; below `/content/api` environments are lifecycle environments. */
function groupOf(path: string, word: string): string {
  return word === 'environment' && isContent(path) ? 'lifecycle_environments' : pluralOf(word)
}

function isContent(path: string): boolean {
  return path.startsWith('/content/')
}

function queryOf(random: Random, { path, query }: Route, known: Known): string {
  const pairs: [string, string][] = []
  const add = (probability: number, key: string, make: () => string) => {
    if (random.chance(probability)) pairs.push([key, make()])
  }
  const isList = query !== undefined && 'per_page' in query.shape
  add(isList || path.includes('auto_complete') ? 0.4 : 0.02, 'search', () => searchText(random))
  add(
    isList ? 0.2 : 0.02,
    'order',
    () => `${random.one(['name', 'id', 'title', 'login', 'nothing', ''])} ${random.one(['', 'asc', 'DESC', 'up'])}`,
  )
  add(isList ? 0.2 : 0.02, 'page', () => random.one(PAGES))
  add(isList ? 0.2 : 0.02, 'per_page', () => random.one(PAGES))
  add(0.02, 'location_id', () => scopeOf(random))
  add(isContent(path) ? 0.5 : 0.02, 'organization_id', () => (random.chance(0.7) ? '1' : scopeOf(random)))
  add(0.03, 'include_permissions', () => 'true')
  for (const key of Object.keys(query?.shape ?? {}))
    if (key.endsWith('_id')) add(0.01, key, () => String(id(random, known, groupOf(path, key.slice(0, -3)))))
  add(0.02, 'page', () => '1')
  add(0.02, random.one(WORDS), () => random.one(WORDS))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function scopeOf(random: Random): string {
  return random.one(['', '1', '2', '3', '999', name(random), 'Default Location'])
}

function headersOf(random: Random, carries: boolean): Record<string, string> {
  const type = random.chance(0.02)
    ? random.one(['text/plain', 'application/x-www-form-urlencoded', ''])
    : 'application/json'
  return {
    ...((carries || random.chance(0.5)) && { 'content-type': type }),
    ...(random.chance(0.02) && {
      accept: random.one(['application/json;version=2', 'application/json;version=9', '*/*']),
    }),
    ...(random.chance(0.02) && { 'if-none-match': random.one(['*', '"x"', 'garbage']) }),
    ...(random.chance(0.02) && { 'x-request-id': random.one(['mine', 'two words', 'x'.repeat(500)]) }),
  }
}

function payloadOf(random: Random, route: Route, registry: Registry, known: Known): string | Buffer {
  if (random.chance(0.01)) return random.one(['{', '', 'null', '[]', '"x"', `${'['.repeat(5000)}`, '{"a":1}}'])
  if (random.chance(0.005)) return Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
  const resource = [...registry.values()].find(({ plural }) => plural === route.group)
  const own = isContent(route.path) ? keysOf(route) : []
  const keys = resource
    ? [...Object.keys(resource.writable), ...own, ...(BESIDE[route.group] ?? [])]
    : ['search', 'page']
  const chosen = keys.filter((key) => random.chance(key === 'password' ? 0.05 : WANTED.has(key) ? 0.95 : 0.15))
  const attributes: Record<string, unknown> = Object.fromEntries(
    chosen.map((key) => [key, valueFor(random, known, key)]),
  )
  if (random.chance(0.1))
    attributes[random.one(['id', 'created_at', 'ancestor_ids', 'title', 'nonsense', 'origin', ...WORDS])] = junk(random)
  const body =
    !resource || random.chance(0.3) ? attributes : { [resource.word]: random.chance(0.03) ? junk(random) : attributes }
  const more = random.chance(0.05) ? { ...body, location_id: junk(random) } : body
  return JSON.stringify(random.chance(0.03) ? { ...more, [random.one(WORDS)]: random.one(WORDS) } : more)
}

/** Words that are no text which everything can carry, as keys and as values. */
const WORDS = ['\ud800', 'a\udc00b', '😀ü', 'a\r\nb: c', '\0', 'x'.repeat(5000)]

/** Lists the keys of an action's body. */
function keysOf({ body }: Route): string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape) : []
}

/** Keys of actions, besides those of records. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  hosts: ['facts', 'configclass_id'],
  hostgroups: ['configclass_id'],
  smart_proxies: ['dryrun', 'force', 'except'],
}

/** Required keys, without which most creations would fail at the first check. */
const WANTED = new Set([
  'name',
  'login',
  'mail',
  'major',
  'auth_source_id',
  'role_id',
  'permission_ids',
  'uuid',
  'username',
  'architecture_id',
  'operatingsystem_id',
  'value',
  'managed',
  'template_kind_id',
  'provisioning_template_id',
  'network',
  'mask',
  'network_type',
  'path',
  'url',
  'runner',
  'layout',
  'match',
  'facts',
  'organization_id',
  'content_type',
  'product_id',
  'prior_id',
])
