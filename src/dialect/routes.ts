import { badParameter } from '../errors.ts'
import type { Input } from '../kernel/definition.ts'
import type { Answer } from '../kernel/facts.ts'
import type { Route } from '../kernel/route.ts'
import { isMembers, membersOf } from '../values.ts'
import { bulkRoutes } from './bulk.ts'
import { buildCompletionStep } from './completed.ts'
import { buildConfirmationStep } from './confirmation.ts'
import { createEmptyPage, toContentPage } from './content.ts'
import { definitionOf } from './definition-of.ts'
import { buildKindReader } from './kinds.ts'
import { machineRoutes, OF_RUNS } from './machines.ts'
import { buildMirroringStep } from './mirroring.ts'
import { createValueTranslator, translateName, translateSentence } from './names.ts'
import { buildNotKeptStep } from './not-kept.ts'
import { orchestrationRoutes } from './orchestration.ts'
import { buildAccessModeStep, buildKnownOrganizationStep } from './organizations.ts'
import { overviewRoutes } from './overview.ts'
import { buildPageStep } from './pages.ts'
import { partRoutes } from './parts.ts'
import { isContentPath, toVendorPaths } from './paths.ts'
import { buildTranslationPlan, type TranslationPlan } from './plan.ts'
import { powerRoutes } from './power.ts'
import { buildRefusalStep, NO_RECORD } from './refusals.ts'
import { translateOrder, translateSearch } from './searches.ts'
import { buildShapeStep, type Handle, type Step } from './shapes.ts'
import {
  BELOW_BOTH,
  CLEARED_BY_NULL,
  CORE_PAGES,
  IDS_OF_CONTENT,
  LEFT_OUT,
  LISTED_BY_BODY,
  METHODS,
  NOT_NARROWED,
  PREFERENCE,
  ROOTS,
  SENT_BESIDE,
  WRAPPERS,
} from './table.ts'
import { buildFinishedTaskStep, buildTaskStep } from './tasks.ts'
import { translateAnswer, translateBody } from './translate.ts'
import { buildWishesStep } from './wishes.ts'

/** Builds every route of the dialect: our routes under the paths, methods and words of clients. */
export function vendorRoutes(routes: readonly Route[]): Route[] {
  const known = routes.filter(({ id }) => !LEFT_OUT.includes(id) && !OF_RUNS.includes(id))
  const mounted = new Map<string, Route>()
  const task = known.find(({ id }) => id === 'tasks.show')
  const mount = (method: Route['method'], route: Route, status?: number) => {
    const inner = handlerOf(route, method, task)
    const summary = translateSentence(route.summary)
    const handle: Handle = status ? async (ctx, input) => ({ ...(await inner(ctx, input)), status }) : inner
    for (const path of [...toVendorPaths(route.path), ...deeperPaths(route)]) {
      const at = `${method} ${path}`
      if (!mounted.has(at)) mounted.set(at, { ...route, method, path, handle, summary })
    }
  }
  // The methods of clients take precedence over ours on the same path.
  for (const { end, theirs, ours, status } of METHODS) {
    const meant = known.filter(({ method, path }) => method === ours && path.endsWith(end))
    for (const route of meant) mount(theirs, route, status)
  }
  for (const { list, path, include } of LISTED_BY_BODY) {
    for (const route of known.filter(({ id }) => id === list)) {
      const handle: Handle = (ctx, input) => route.handle(ctx, including(include, input))
      mount('GET', { ...route, path, handle })
      mount('POST', { ...route, path, handle })
    }
  }
  const theirs = [machineRoutes, powerRoutes, orchestrationRoutes, overviewRoutes, partRoutes, bulkRoutes]
  for (const route of [...theirs.flatMap((list) => list(routes)), ...known]) mount(route.method, route)
  return [...mounted.values()]
}

function including(include: readonly string[], input: Input): Input {
  return { ...input, query: { ...input.query, include: [input.query.include ?? [], include].flat() } }
}

/** Lists below an organization are also mounted below a location, because both narrow them. */
function deeperPaths({ id, path }: Route): string[] {
  const { ours, theirs, operations } = BELOW_BOTH
  if (!path.startsWith(`${ours}/`) || !operations.some((operation) => id.endsWith(`.${operation}`))) return []
  return toVendorPaths(path).map((known) => theirs + known.slice(ours.length))
}

/** Yields the handler with its translations; the route's own where nothing is translated. */
function handlerOf(route: Route, method: Route['method'], task: Route | undefined): Handle {
  const shapes = [
    buildRefusalStep(route),
    buildShapeStep(route),
    buildTaskStep(route),
    buildFinishedTaskStep(route, task),
    buildConfirmationStep(route),
    buildKnownOrganizationStep(route),
    buildAccessModeStep(route),
    buildNotKeptStep(route),
    buildMirroringStep(route),
    buildWishesStep(route),
  ]
  const steps = [
    ...shapes,
    inBetween(route, method),
    buildCompletionStep(route),
    buildPageStep(route),
    pageOf(route),
  ].filter((step) => step !== null)
  return steps.reduce<Handle>((inner, step) => step(inner), route.handle)
}

/** Builds the translation of requests and answers; null where a route needs none. */
function inBetween(route: Route, method: Route['method']): Step | null {
  const reads = readerOf(route)
  const move = moved(route, method)
  const plan = mergedAnswers(route)
  const lists = route.query !== undefined && 'search' in route.query.shape
  if (reads.length === 0 && move === null && plan === null && !lists) return null
  return (inner) => async (ctx, given) => {
    const sent = move ? move(given) : given
    const input = reads.reduce((read, step) => step(read), sent)
    const answer = await inner(ctx, input)
    const body = plan ? inTheirs(answer, plan) : answer
    return lists && input.query !== sent.query ? withOwnSearch(body, sent) : body
  }
}

type Read = (input: Input) => Input

function readerOf(route: Route): Read[] {
  const reads = [preferring(route), placesReader(route), queryReader(route), paramsReader(route), bodyReader(route)]
  const steps = [...reads, buildKindReader(route), listsReader(route)]
  return steps.filter((step) => step !== null)
}

/** Moves the body of GET and DELETE requests into the query (core-api §2.7), also for methods that stand for one of them. */
function moved(route: Route, method: Route['method']): Read | null {
  if (route.method === method || (route.method !== 'DELETE' && route.method !== 'GET')) return null
  return (input) => {
    for (const [name, value] of Object.entries(input.body)) {
      if (typeof value === 'string' && value.includes('\0'))
        throw badParameter(name, value, 'must not contain the NUL character')
    }
    return { ...input, query: { ...input.body, ...input.query } }
  }
}

function preferring({ method, path }: Route): Read | null {
  if (method === 'GET' || !isContentPath(path)) return null
  return (input) => (input.headers?.prefer ? input : { ...input, headers: { ...input.headers, prefer: PREFERENCE } })
}

/**
 * Reads organization and location in lists of taxonomies: the other kind is the scope of the request and does not narrow the
 * list.
 */
function placesReader({ group }: Route): Read | null {
  const other = NOT_NARROWED[group]
  if (other === undefined) return null
  return (input) => {
    const { [other]: _place, ...query } = input.query
    return { ...input, query }
  }
}

function queryReader({ query, group }: Route): Read | null {
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
    if (searches) Object.assign(changes, searchedIn(input.query, group))
    return Object.keys(changes).length === 0 ? input : { ...input, query: { ...input.query, ...changes } }
  }
}

function searchedIn({ search, order, included }: Input['query'], group: string): Record<string, unknown> {
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
function paramsReader({ group, path }: Route): Read | null {
  const word = path.includes('/:id') ? createValueTranslator('ours', 'id', group) : null
  if (word === null) return null
  return (input) => ({ ...input, params: { ...input.params, id: word(input.params.id ?? '') } })
}

/** Reads the body: keys stand under the name of the resource or alone; some clients wrap a part of them once more. */
function bodyReader(route: Route): Read | null {
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
 * Reads lists of ids: a blank list is ignored, null clears organizations and locations, and a text that is not a number
 * becomes the id of no record.
 */
function listsReader({ body, path }: Route): Read | null {
  const root = body && rootOf(body)
  if (!root) return null
  return (input) => {
    const sent = membersOf(input.body) // parsed for this request only
    for (const members of [sent, sent[root.name]]) {
      if (!isMembers(members)) continue
      for (const [key, value] of Object.entries(members)) {
        if (value === '' && key.endsWith('_ids')) delete members[key]
        if (Array.isArray(value) && key.endsWith('_ids') && !isContentPath(path) && !IDS_OF_CONTENT.includes(key))
          members[key] = numberedOrNone(value)
        if (value === null && CLEARED_BY_NULL.includes(key)) members[key] = []
      }
    }
    return input
  }
}

/**
 * Converts a list that holds only texts to an id that does not exist, so that it is refused as unknown; other lists are
 * validated by their field.
 */
function numberedOrNone(ids: readonly unknown[]): readonly unknown[] {
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

/** Merges the plans of all statuses of a route: their bodies are records of one resource, or have no key in common. */
function mergedAnswers({ answers, group }: Route): ReadonlyMap<number, TranslationPlan> | null {
  const plans = Object.entries(answers).flatMap(([status, schema]): [number, TranslationPlan][] => {
    const plan = schema && buildTranslationPlan(schema, 'theirs', group)
    return plan ? [[Number(status), plan]] : []
  })
  return plans.length > 0 ? new Map(plans) : null
}

function inTheirs(answer: Answer, plans: ReadonlyMap<number, TranslationPlan>): Answer {
  const plan = plans.get(answer.status)
  return plan && answer.body !== undefined ? { ...answer, body: translateAnswer(answer.body, plan) } : answer
}

/** Returns `search` and `sort` of a list as they were sent. */
function withOwnSearch(answer: Answer, { query }: Input): Answer {
  if (!isMembers(answer.body) || !('sort' in answer.body)) return answer // arrays have a method of that name
  const { sort, ...body } = answer.body
  const { by = null, ...sorted } = membersOf(sort)
  const theirs = typeof by === 'string' && by ? translateName('theirs', by) : by
  return { ...answer, body: { ...body, search: query.search ?? null, sort: { by: theirs, ...sorted } } }
}

function pageOf({ method, path, group }: Route): Step | null {
  if (method !== 'GET' || !isContentPath(path) || CORE_PAGES.includes(group)) return null
  return (inner) => async (ctx, input) => toContentPage(await inner(ctx, input).catch(createEmptyPage(input)), input)
}
