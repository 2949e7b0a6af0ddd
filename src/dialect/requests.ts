import type { z } from 'zod'
import { badParameter } from '../errors.ts'
import { isMembers, membersOf } from '../lib/values.ts'
import type { Input, Route } from '../requests/route.ts'
import { createValueTranslator, translateName } from './names.ts'
import { isContentPath } from './paths.ts'
import { buildTranslationPlan } from './plan.ts'
import { NO_RECORD } from './refusals.ts'
import { definitionOf } from './routes/definition-of.ts'
import { translateOrder, translateSearch } from './searches.ts'
import {
  CLEARED_BY_NULL,
  IDS_OF_CONTENT,
  LISTS_AS_TEXT,
  NOT_NARROWED,
  PARAMETER_LISTS,
  PREFERENCE,
  ROOTS,
  SENT_BESIDE,
  WRAPPERS,
} from './table.ts'
import { translateBody } from './translate.ts'

/** Reads a request of the dialect as one of ours. */
type Read = (input: Input) => Input

/** Builds what reads the requests of a route, in order. */
export function buildReaders(route: Route): Read[] {
  const reads = [
    buildPreferenceReader(route),
    buildPlacesReader(route),
    buildQueryReader(route),
    buildParamsReader(route),
    buildBodyReader(route),
  ]
  const steps = [...reads, buildKindReader(route), buildListsReader(route)]
  return steps.filter((step) => step !== null)
}

/** Moves the body of GET and DELETE requests into the query (core-api §2.7), also for methods that stand for one of them. */
export function buildMovingReader(route: Route, method: Route['method']): Read | null {
  if (route.method === method || (route.method !== 'DELETE' && route.method !== 'GET')) return null
  return (input) => {
    for (const [name, value] of Object.entries(input.body)) {
      if (typeof value === 'string' && value.includes('\0'))
        throw badParameter(name, value, 'must not contain the NUL character')
    }
    return { ...input, query: { ...input.body, ...input.query } }
  }
}

function buildPreferenceReader({ method, path }: Route): Read | null {
  if (method === 'GET' || !isContentPath(path)) return null
  return (input) => (input.headers?.prefer ? input : { ...input, headers: { ...input.headers, prefer: PREFERENCE } })
}

/**
 * Reads organization and location in lists of taxonomies: the other kind is the scope of the request and does not narrow the
 * list.
 */
function buildPlacesReader({ group }: Route): Read | null {
  const other = NOT_NARROWED[group]
  if (other === undefined) return null
  return (input) => {
    const { [other]: _place, ...query } = input.query
    return { ...input, query }
  }
}

function buildQueryReader({ query, group }: Route): Read | null {
  const shape = Object.keys(query?.shape ?? {})
  const renamed = shape
    .map((ours) => [translateName('theirs', ours), ours] as const)
    .filter(([theirs, ours]) => theirs !== ours)
  const searches = shape.includes('search')
  if (renamed.length === 0 && !searches) return null
  return (input) => {
    const changes: Record<string, unknown> = {}
    for (const [theirs, ours] of renamed) {
      if (input.query[theirs] !== undefined) changes[ours] = input.query[theirs]
    }
    if (searches) Object.assign(changes, translateSearches(input.query, group))
    return Object.keys(changes).length === 0 ? input : { ...input, query: { ...input.query, ...changes } }
  }
}

function translateSearches({ search, order, included }: Input['query'], group: string): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  if (isMembers(included) && typeof included.search === 'string')
    changes.included = { ...included, search: translateSearch('ours', included.search, group) }
  if (typeof search === 'string') {
    const ours = translateSearch('ours', search, group)
    if (ours !== search) changes.search = ours
  }
  if (typeof order === 'string') {
    const ours = translateOrder('ours', order)
    if (ours !== order) changes.order = ours
  }
  return changes
}

/** Translates path parameters that name a record by a word, such as settings. */
function buildParamsReader({ group, path }: Route): Read | null {
  const word = path.includes('/:id') ? createValueTranslator('ours', 'id', group) : null
  if (word === null) return null
  return (input) => ({ ...input, params: { ...input.params, id: word(input.params.id ?? '') } })
}

/** Reads the body: keys stand under the name of the resource or alone; some clients wrap a part of them once more. */
function buildBodyReader(route: Route): Read | null {
  if (!route.body) return null
  const whole = buildTranslationPlan(route.body, 'ours', route.group)
  const root = rootOf(route.body)
  const inside = root && buildTranslationPlan(root.schema, 'ours', route.group)
  const others = root ? (ROOTS[root.name] ?? []) : []
  const beside = SENT_BESIDE[route.group] ?? []
  if (!whole && !inside && others.length === 0 && beside.length === 0) return null
  return (input) => {
    const body = membersOf(input.body) // parsed for this request only
    for (const other of others) if (root && body[other] !== undefined) body[root.name] ??= body[other]
    const members = root && body[root.name]
    if (isMembers(members)) for (const key of beside) if (body[key] !== undefined) members[key] ??= body[key]
    unwrap(body)
    if (root) unwrap(body[root.name])
    if (whole) translateBody(body, whole)
    // Keys are translated as those of the resource, whatever the name that wraps them.
    if (inside)
      for (const members of [body, root && body[root.name]]) if (isMembers(members)) translateBody(members, inside)
    return input
  }
}

/**
 * Reads lists: what is no list in the place of one is ignored, null clears organizations and locations, and a text that is
 * not a number becomes the id of no record. An id of null in a new record leaves the name beside it.
 */
function buildListsReader({ body, path, id }: Route): Read | null {
  const root = body && rootOf(body)
  if (!root && !(body && isContentPath(path))) return null
  const lists = listArrayKeys(root ? root.schema : body)
  return (input) => {
    const sent = membersOf(input.body) // parsed for this request only
    for (const members of [sent, root && sent[root.name]]) {
      if (!isMembers(members)) continue
      for (const [key, value] of Object.entries(members)) {
        if (lists.has(key) && isNoList(key, value)) delete members[key]
        if (Array.isArray(value) && key.endsWith('_ids') && !isContentPath(path) && !IDS_OF_CONTENT.includes(key))
          members[key] = withoutNames(value)
        if (value === null && CLEARED_BY_NULL.includes(key)) members[key] = []
        if (value === null && id.endsWith('.create') && members[key.replace(/_id$/, '_name')]) delete members[key]
      }
    }
    return input
  }
}

/** Lists the keys of a body, in the words of the service, whose values are lists and never text. */
function listArrayKeys(schema: NonNullable<Route['body']>): ReadonlySet<string> {
  const keys = Object.entries(definitionOf(schema).shape ?? {})
  return new Set(keys.flatMap(([key, of]) => (isArray(of) && !LISTS_AS_TEXT.includes(key) ? [key] : [])))
}

/** Tells whether a value is neither a list nor null; forms send parts of a record as an object with numbers as keys. */
function isNoList(key: string, value: unknown): boolean {
  if (value === null || Array.isArray(value)) return false
  return typeof value !== 'object' || !key.endsWith('_attributes')
}

function isArray(schema: z.ZodType): boolean {
  const { type, innerType } = definitionOf(schema)
  return type === 'array' || (innerType !== undefined && isArray(innerType))
}

/**
 * Converts a list that holds only texts to an id that does not exist, so that it is refused as unknown; other lists are
 * validated by their field.
 */
function withoutNames(ids: readonly unknown[]): readonly unknown[] {
  const isText = (id: unknown) => typeof id === 'string' && /^\s*[^\s\d+-]/.test(id)
  return ids.length > 0 && ids.every(isText) ? [NO_RECORD] : ids
}

function unwrap(value: unknown): void {
  if (!isMembers(value)) return
  for (const wrapper of WRAPPERS) {
    const inner = value[wrapper]
    if (typeof inner === 'object' && inner !== null) Object.assign(value, { ...inner, ...value })
  }
}

function rootOf(body: NonNullable<Route['body']>): { name: string; schema: NonNullable<Route['body']> } | null {
  const [only, ...others] = Object.entries(definitionOf(body).shape ?? {})
  if (only === undefined || others.length > 0) return null
  return definitionOf(only[1]).type === 'object' ? { name: only[0], schema: only[1] } : null
}

/** Builds the reader that keeps the kind (number, boolean) of parameter values in bodies; null for routes that take none. */
function buildKindReader({ group, body }: Route): ((input: Input) => Input) | null {
  const whole = body && ['parameters', 'common_parameters'].includes(group)
  const root = body && rootShapeOf(body)
  const lists = Object.keys(root ?? {}).filter((key) => PARAMETER_LISTS.test(key))
  if (!whole && lists.length === 0) return null
  return (input) => {
    for (const members of [input.body, ...Object.values(input.body)].filter(isMembers)) {
      if (whole) sayKind(members)
      for (const list of lists) for (const item of itemsOf(members[list])) sayKind(item)
    }
    return input
  }
}

type Members = Record<string, unknown>

function rootShapeOf(body: NonNullable<Route['body']>): Readonly<Record<string, unknown>> | undefined {
  const [inner, ...others] = Object.values(definitionOf(body).shape ?? {})
  return others.length === 0 && inner ? definitionOf(inner).shape : undefined
}

/** Changes the members in place: the body was parsed for this request only. */
function sayKind(members: Members): void {
  if (['number', 'boolean'].includes(typeof members.value)) members.as_sent = true
}

/** Yields the items of a list, which forms send as an object with numbers as keys. */
function itemsOf(list: unknown): Record<string, unknown>[] {
  return typeof list === 'object' && list !== null ? Object.values(list).filter(isMembers) : []
}
