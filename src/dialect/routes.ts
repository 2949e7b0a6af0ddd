import { badParameter } from '../errors.ts'
import type { Answer, Input, Route } from '../kernel/route.ts'
import { completion } from './completed.ts'
import { confirmation } from './confirmation.ts'
import { contentPage, emptyPageFor } from './content.ts'
import { machineRoutes, OF_RUNS } from './machines.ts'
import { nameIn, sentenceInTheirs, valuesIn } from './names.ts'
import { isContentPath, pathsInTheirs } from './paths.ts'
import { type Plan, planOf } from './plan.ts'
import { powerRoutes } from './power.ts'
import { orderIn, searchIn } from './searches.ts'
import { type Handle, type Step, shapeOf } from './shapes.ts'
import { ASKED_IN_BODIES, BELOW_BOTH, CORE_PAGES, LEFT_OUT, METHODS, PREFERENCE, ROOTS, WRAPPERS } from './table.ts'
import { finishedTask, tasksIn } from './tasks.ts'
import { readInPlace, translated } from './translate.ts'

/** Every route as clients of the dialect know it: on their paths, under their methods, taking and giving their words. */
export function vendorRoutes(routes: readonly Route[]): Route[] {
  const known = routes.filter(({ id }) => !LEFT_OUT.includes(id) && !OF_RUNS.includes(id))
  const mounted = new Map<string, Route>()
  const task = known.find(({ id }) => id === 'tasks.show')
  const mount = (method: Route['method'], route: Route, status?: number) => {
    const inner = handlerOf(route, method, task)
    const summary = sentenceInTheirs(route.summary)
    const handle: Handle = status ? async (ctx, input) => ({ ...(await inner(ctx, input)), status }) : inner
    for (const path of [...pathsInTheirs(route.path), ...deeperPaths(route)]) {
      const at = `${method} ${path}`
      if (!mounted.has(at)) mounted.set(at, { ...route, method, path, handle, summary })
    }
  }
  // What a method stands for here comes before what it means to us.
  for (const { end, theirs, ours, status } of METHODS) {
    const meant = known.filter(({ method, path }) => method === ours && path.endsWith(end))
    for (const route of meant) mount(theirs, route, status)
  }
  for (const { list, path, include } of ASKED_IN_BODIES) {
    for (const route of known.filter(({ id }) => id === list)) {
      const handle: Handle = (ctx, input) => route.handle(ctx, including(include, input))
      mount('GET', { ...route, path, handle })
      mount('POST', { ...route, path, handle })
    }
  }
  for (const route of [...machineRoutes(routes), ...powerRoutes(routes), ...known]) mount(route.method, route)
  return [...mounted.values()]
}

function including(include: readonly string[], input: Input): Input {
  return { ...input, query: { ...input.query, include: [input.query.include ?? [], include].flat() } }
}

/** Lists of an organization are also there below a location: both narrow them. */
function deeperPaths({ id, path }: Route): string[] {
  const { ours, theirs, operations } = BELOW_BOTH
  if (!path.startsWith(`${ours}/`) || !operations.some((operation) => id.endsWith(`.${operation}`))) return []
  return pathsInTheirs(path).map((known) => theirs + known.slice(ours.length))
}

/** The handler behind the words; the route's own where it has none of them. */
function handlerOf(route: Route, method: Route['method'], task: Route | undefined): Handle {
  const shapes = [shapeOf(route), tasksIn(route), finishedTask(route, task), confirmation(route)]
  const steps = [...shapes, inBetween(route, method), completion(route), pageOf(route)].filter((step) => step !== null)
  return steps.reduce<Handle>((inner, step) => step(inner), route.handle)
}

/** Reads requests in their words, and answers in them. */
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
  const steps = [preferring(route), queryReader(route), paramsReader(route), bodyReader(route)]
  return steps.filter((step) => step !== null)
}

/** GET and DELETE read their bodies like their queries (core-api §2.7): so does what stands for one. */
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

function queryReader({ query, group }: Route): Read | null {
  const shape = Object.keys(query?.shape ?? {})
  const renamed = shape
    .map((ours) => [nameIn('theirs', ours), ours] as const)
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
    changes.included = { ...included, search: searchIn('ours', included.search, group) }
  if (typeof search === 'string') {
    const ours = searchIn('ours', search, group)
    if (ours !== search) changes.search = ours
  }
  if (typeof order === 'string') {
    const ours = orderIn('ours', order)
    if (ours !== order) changes.order = ours
  }
  return changes
}

/** Records that are named in paths by a word: settings. */
function paramsReader({ group, path }: Route): Read | null {
  const word = path.includes('/:id') ? valuesIn('ours', 'id', group) : null
  if (word === null) return null
  return (input) => ({ ...input, params: { ...input.params, id: word(input.params.id ?? '') } })
}

/** Keys stand under the name of the resource or alone; some wrap others once more. */
function bodyReader(route: Route): Read | null {
  if (!route.body) return null
  const whole = planOf(route.body, 'ours', route.group)
  const root = rootOf(route.body)
  const inside = root && planOf(root.schema, 'ours', route.group)
  const others = root ? (ROOTS[root.name] ?? []) : []
  if (!whole && !inside && others.length === 0) return null
  return (input) => {
    const body = input.body as Record<string, unknown> // read for this request alone
    for (const other of others) if (root && body[other] !== undefined) body[root.name] ??= body[other]
    unwrap(body)
    if (root) unwrap(body[root.name])
    if (whole) readInPlace(body, whole)
    // Words of the resource, whatever the name that its keys stand under.
    if (inside)
      for (const members of [body, root && body[root.name]]) if (isMembers(members)) readInPlace(members, inside)
    return input
  }
}

function unwrap(value: unknown): void {
  if (!isMembers(value)) return
  for (const wrapper of WRAPPERS) {
    const inner = value[wrapper]
    if (typeof inner === 'object' && inner !== null) Object.assign(value, { ...inner, ...value })
  }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function rootOf(body: NonNullable<Route['body']>): { name: string; schema: NonNullable<Route['body']> } | null {
  const { def } = body as unknown as { def: { type: string; shape?: Record<string, NonNullable<Route['body']>> } } // of zod
  const [only, ...others] = Object.entries(def.shape ?? {})
  if (only === undefined || others.length > 0) return null
  const inner = only[1] as unknown as { def: { type: string } } // of zod
  return inner.def.type === 'object' ? { name: only[0], schema: only[1] } : null
}

/** One plan for all statuses that a route answers with: their bodies are records of one kind, or have nothing in common. */
function mergedAnswers({ answers, group }: Route): ReadonlyMap<number, Plan> | null {
  const plans = Object.entries(answers).flatMap(([status, schema]): [number, Plan][] => {
    const plan = schema && planOf(schema, 'theirs', group)
    return plan ? [[Number(status), plan]] : []
  })
  return plans.length > 0 ? new Map(plans) : null
}

function inTheirs(answer: Answer, plans: ReadonlyMap<number, Plan>): Answer {
  const plan = plans.get(answer.status)
  return plan && answer.body !== undefined ? { ...answer, body: translated(answer.body, plan) } : answer
}

/** A list says what was searched for and sorted by as it was sent. */
function withOwnSearch(answer: Answer, { query }: Input): Answer {
  if (!isMembers(answer.body) || !('sort' in answer.body)) return answer // lists have a method of that name
  const { sort, ...body } = answer.body as Record<string, unknown> & { sort: { by: string | null } } // of a page
  const by = sort?.by ? nameIn('theirs', sort.by) : sort?.by
  return { ...answer, body: { ...body, search: query.search ?? null, sort: { ...sort, by } } }
}

function pageOf({ method, path, group }: Route): Step | null {
  if (method !== 'GET' || !isContentPath(path) || CORE_PAGES.includes(group)) return null
  return (inner) => async (ctx, input) => contentPage(await inner(ctx, input).catch(emptyPageFor(input)), input)
}
