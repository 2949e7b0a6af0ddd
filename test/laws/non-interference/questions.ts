import { createHash } from 'node:crypto'
import { z } from 'zod'
import { assembleResources } from '../../../src/areas/index.ts'
import type { Resource } from '../../../src/kernel/definition.ts'
import type { Route } from '../../../src/requests/route.ts'
import type { SearchField } from '../../../src/search/schema.ts'

/** Records by resource: of the tenant who asks, shared ones, and of the tenant who must not be noticed. */
export interface Known {
  readonly mine: ReadonlyMap<string, number>
  readonly shared: ReadonlyMap<string, number>
  readonly theirs: ReadonlyMap<string, number>
}

/** A GET request, and which variation of the route it is. */
export interface Question {
  readonly route: string
  readonly variation: string
  readonly url: string
  /** Sent by POST, for reads that need one. */
  readonly body?: object
}

/** Reads with a body: all users that the caller sees are counted. */
export const WHAT_IF: Question = {
  route: 'access.what_if',
  variation: 'everybody',
  url: '/api/access/what_if',
  body: { add_roles: ['Viewer'] },
}

/**
 * Lists every read of every route: for a record of the caller and for an unreachable one in each position of the path, with
 * searches, orders, completions and filters. The seed chooses among many conditions on one field, and among many orders.
 */
export function questionsOf(routes: readonly Route[], known: Known, { seed }: { seed: number }): Question[] {
  return routes
    .filter(({ method }) => method === 'GET')
    .flatMap((route) => {
      const [own, ...others] = pathsOf(route, known)
      if (own === undefined) return []
      const asked = [
        ...variationsOf(route, known, seed).map(({ variation, query }) => ({ path: own, variation, query })),
      ]
      for (const path of others) asked.push({ path, ...PLAIN })
      return asked.map(({ path, variation, query }) => {
        return { route: route.id, variation, url: query === '' ? path : `${path}?${query}` }
      })
    })
}

/** Lists one read of each route, for unreachable records where its path names any. */
export function oneQuestionOf(routes: readonly Route[], known: Known): Question[] {
  return routes
    .filter(({ method }) => method === 'GET')
    .map((route) => ({ route: route.id, variation: 'plain', url: pathsOf(route, known).at(-1) ?? route.path }))
}

/** Chooses an item at random, reproducibly by the seed. */
function chosen<Item>(items: readonly Item[], seed: number, about: string): Item[] {
  const number = createHash('sha1').update(`${seed} ${about}`).digest().readUInt32BE()
  return items.slice(number % items.length, (number % items.length) + 1)
}

const PLAIN = { variation: 'plain', query: '' }

const registry = assembleResources()
const byPlural = new Map([...registry.values()].map((resource) => [resource.plural, resource]))

/** Path segments that do not name a record. */
const SEGMENTS: Readonly<Record<string, readonly string[]>> = {
  kind: ['provision', 'finish'],
  version: ['2'],
  path: ['x'],
}

/** Lists paths with a record of the caller first, then those with an unreachable one in one position. */
function pathsOf(route: Route, known: Known): string[] {
  const params = [...route.path.matchAll(/:(\w+)/g)].map(
    ([, name = '']) => [name, candidates(name, route, known)] as const,
  )
  const path = (other: string | null) =>
    params.reduce(
      (text, [name, [own = '1', ...others]]) => text.replace(`:${name}`, name === other ? (others.at(-1) ?? own) : own),
      route.path,
    )
  return [...new Set([path(null), ...params.map(([name]) => path(name))])]
}

function candidates(name: string, route: Route, known: Known): readonly string[] {
  const fixed = SEGMENTS[name]
  if (fixed) return fixed
  const ids = [known.mine, known.shared, known.theirs].map((each) => candidatesOf(name, route, each))
  const found = ids.filter((id) => id !== undefined)
  return found.length > 0 ? found : ['1']
}

/** Lists the records that a path parameter can name. */
export function candidatesOf(
  name: string,
  { group, path }: Route,
  among: ReadonlyMap<string, number>,
): string | undefined {
  const resource = name === 'id' ? byPlural.get(group) : byWord(name.replace(/_id$/, ''), path)
  const id = resource && among.get(resource.name)
  return id === undefined ? undefined : String(id)
}

function byWord(word: string, path: string): Resource | undefined {
  const surface = !path.startsWith('/api/') ? 'content' : 'core'
  const named = [...registry.values()].filter((resource) => resource.word === word || resource.name === word)
  return named.find((resource) => resource.surface === surface) ?? named[0]
}

interface Variation {
  readonly variation: string
  readonly query: string
}

function variationsOf(route: Route, known: Known, seed: number): Variation[] {
  const resource = byPlural.get(route.group)
  if (route.group === 'access') return [PLAIN, ...(ABOUT_ACCESS[route.id]?.(known) ?? [])]
  if (route.id.endsWith('auto_complete_search') && resource) return [PLAIN, ...completions(resource, seed)]
  const shape = route.query?.shape ?? {}
  const others = Object.keys(shape).flatMap((key) =>
    PAGING.has(key) || key === AUDITED ? [] : valuesOf(key, shape[key] as z.ZodType, route, known),
  )
  if (!('search' in shape) || !resource) return [PLAIN, ...others]
  const all = { variation: 'all', query: 'per_page=all' }
  if (route.path.includes(':')) return [all]
  const inDepth =
    route.id === `${route.group}.list` ? [...searches(resource, known, seed), ...orders(resource, seed)] : []
  return [PLAIN, all, { variation: 'page', query: 'per_page=1&page=2' }, ...others, ...inDepth]
}

/** Questions about access that are answered with more than an error. */
const ABOUT_ACCESS: Readonly<Record<string, (known: Known) => Variation[]>> = {
  'access.explain': ({ mine, theirs }) =>
    [mine, theirs].map((known) => ({
      variation: 'record',
      query: `permission=edit_domains&id=${known.get('domain')}`,
    })),
  'access.compare': () => [{ variation: 'roles', query: 'roles=Viewer,Manager' }],
  'access.unused': () =>
    ['Viewer', 'Manager', 'Default role'].map((role) => ({
      variation: 'role',
      query: `role=${encodeURIComponent(role)}`,
    })),
}

/** Each reveal with a reason adds an audit, which the second round would show. */
const AUDITED = 'reason'

const PAGING = new Set(['search', 'order', 'sort_by', 'sort_order', 'page', 'per_page', 'full_result'])

function valuesOf(key: string, schema: z.ZodType, { path }: Route, known: Known): Variation[] {
  const resource = key.endsWith('_id') ? byWord(key.replace(/_id$/, ''), path) : undefined
  const ids = resource ? [known.mine, known.shared, known.theirs].flatMap((each) => each.get(resource.name) ?? []) : []
  const words = ids.length > 0 ? ids : wordsOf(schema)
  return words.slice(-1).map((word) => ({ variation: key, query: `per_page=all&${key}=${encodeURIComponent(word)}` }))
}

function wordsOf(schema: z.ZodType): readonly string[] {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const words = [...text.matchAll(/"enum":\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    list.split(',').map((word) => word.replaceAll('"', '')),
  )
  return words.length > 0 ? words : ['true', 'them']
}

const query = (variation: string, key: string, value: string): Variation => ({
  variation,
  query: `per_page=all&${key}=${encodeURIComponent(value)}`,
})

function searches({ name: resource, searchSchema }: Resource, known: Known, seed: number): Variation[] {
  const free = [query('search', 'search', 'them'), query('search', 'search', 'mine')]
  return [
    ...free,
    ...searchSchema.fields.flatMap((field) =>
      chosen(conditions(field, known), seed, `${resource} ${field.name}`).map((text) =>
        query(`search ${field.name}`, 'search', text),
      ),
    ),
  ]
}

function conditions(field: SearchField, { theirs }: Known): string[] {
  const names = field.key
    ? [`${field.name}.themfact`, `${field.name}.minefact`, `${field.name}.themparameter`]
    : [field.name]
  return names.flatMap((name) => {
    const target = field.leadsTo?.resource ?? field.name.replace(/_id$/, '')
    const id = theirs.get(target) ?? 900_001
    if (field.type === 'integer')
      return [`${name} = ${id}`, `${name} ^ (${id}, 1) or null? ${name}`, `${name} > 800000`]
    if (field.type === 'text') return [`${name} ~ them`, `${name} != "them${target}"`, `has ${name}`]
    return [`has ${name}`]
  })
}

function orders({ name: resource, searchSchema }: Resource, seed: number): Variation[] {
  const sorts = searchSchema.fields.flatMap(({ name }) => [`${name} asc`, `${name} desc`])
  return ['first', 'second', 'third', 'fourth'].flatMap((number) =>
    chosen(sorts, seed, `${resource} ${number}`).map((sort) => query(`order ${sort}`, 'order', sort)),
  )
}

function completions({ name: resource, searchSchema }: Resource, seed: number): Variation[] {
  return searchSchema.fields.flatMap(({ name, key }) => {
    const texts = key ? [`${name}.`, `${name}.them`, `${name}.themfact = `] : [`${name} = `, `${name} = them`]
    return chosen(texts, seed, `${resource} ${name}`).map((text) => query(`complete ${name}`, 'search', text))
  })
}
