import {
  answersTask,
  answerWithTask,
  type DeferredAnswer,
  loadDeferred,
  loadDeferredAnswer,
  loadDeferredParts,
  planTask,
  storeDeferred,
  storeDeferredAnswer,
  storeDeferredPart,
  type TaskHandler,
  type TaskOutcome,
  type TaskWork,
} from '../areas/tasks/index.ts'
import { type Context, inTransaction, type Origin, type Scope, withUser } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Registry } from '../kernel/index.ts'
import { prefers } from '../requests/prefer.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { type Surface, surfaceOf } from '../requests/surface.ts'
import { membersOf } from '../values.ts'
import { requireAccess } from './access.ts'
import { withDenialEvents } from './denials.ts'
import { toErrorAnswer } from './errors.ts'

/** One of several operations of a request, each in a transaction of its own. */
export interface Part {
  /** The part of the API whose error format applies. */
  readonly surface: Surface
  readonly run: (tx: Context) => Promise<DeferredAnswer>
}

/** A route whose request may hold several independent operations. */
export interface PartedRoute extends Route {
  /** Yields the operations; null where they share one transaction. {@throws Failure} bad_parameter for malformed ones */
  readonly parts: (input: Input) => readonly Part[] | null
}

/** The kind of the tasks that perform requests. */
export const REQUEST = 'request'

/** Adds the answer with a task (202) to routes that may take long. */
export function withTasks(routes: readonly Route[]): Route[] {
  return routes.map((route) =>
    route.long ? { ...route, answers: { ...route.answers, [answersTask.status]: answersTask.output } } : route,
  )
}

/** Tells whether a task shall perform the request: its client prefers that, and is a user, because machines own no tasks. */
export function isDeferred({ user }: Context, route: Route, input: Input): boolean {
  return route.long === true && user.places === undefined && user.id !== 0 && prefers(input, PREFERENCE)
}

const PREFERENCE = 'respond-async'

/** What is stored of a request that a task performs; credentials are not. */
interface Deferred {
  readonly route: string
  readonly input: Input
  readonly scope: Scope
  readonly origin: Origin
  /** The name of the caller for audits. */
  readonly name: string
}

/**
 * Stores a request as a task of its caller, and answers 202 with the task. {@throws Failure} for what can be refused
 * without doing any work
 */
export async function deferRequest(ctx: Context, registry: Registry, route: Route, input: Input): Promise<Answer> {
  if (isParted(route)) route.parts(input)
  const { prefer } = input.headers ?? {}
  const deferred: Deferred = {
    route: route.id,
    input: { ...input, headers: { prefer } },
    scope: ctx.scope,
    origin: { ...ctx.origin, session: null },
    name: ctx.user.name,
  }
  const { method, path } = route
  return inTransaction(ctx, async (tx) => {
    const planned = await planTask(tx, {
      kind: REQUEST,
      action: `${method} ${path}`,
      input: { method, path },
      organization: ctx.scope.organization,
    })
    await storeDeferred(tx, planned.id, deferred)
    const answer = await answerWithTask(tx, registry, planned)
    return { ...answer, headers: { ...answer.headers, 'preference-applied': PREFERENCE } }
  })
}

interface Serving {
  readonly routes: readonly Route[]
  readonly afterWrite: (route: Route) => Promise<void>
}

/**
 * Creates the handler of the tasks that perform requests, as their callers and with the permissions that these have by then.
 * What a request writes is stored in one transaction with its answer, and where its operations have transactions of their
 * own, what each writes with its result: so a process that continues a task knows what has been done.
 */
export function createRequestHandler({ routes, afterWrite }: Serving): TaskHandler {
  return async (ctx, task) => {
    const deferred = (await loadDeferred(ctx, task.id)) as Deferred | undefined // as it was stored
    if (!deferred) return endOfDone(ctx, task)
    const route = routes.find(({ id }) => id === deferred.route)
    if (!route) throw new Failure('unroutable', `this version does not know what was asked for: ${deferred.route}`)
    const toOwnContext = (inner: Context): Context => ({
      ...withUser(inner, (user) => ({ ...user, name: deferred.name })),
      scope: deferred.scope,
      origin: deferred.origin,
    })
    const work: Work = { route, input: deferred.input, own: toOwnContext, task, afterWrite }
    const parts = isParted(route) ? route.parts(deferred.input) : null
    return parts ? doParts(ctx, work, parts) : doWhole(ctx, work)
  }
}

interface Work extends Pick<Serving, 'afterWrite'> {
  readonly route: Route
  readonly input: Input
  /** Yields the context of the request, from that of its task. */
  readonly own: (ctx: Context) => Context
  readonly task: TaskWork
}

/** Performs a request in one transaction; outside of one, and maybe again, where it waits for other machines. */
async function doWhole(ctx: Context, work: Work): Promise<TaskOutcome> {
  const { route, input, own, task, afterWrite } = work
  const surface = surfaceOf(route.path)
  const asks = route.alone === true && !isParted(route)
  const handle = (at: Context) =>
    withDenialEvents(at, route, () => {
      requireAccess(at, route.access)
      return route.handle(withAccess(at, route), input)
    })
  const before = asks ? await answerFailures(surface, () => handle(own(ctx))) : null
  const done = await answerFailures(surface, () =>
    task.part(1, async (tx) => {
      const answer = before ?? (await handle(own(tx)))
      if (answer.status >= 400 && !asks) throw new Refused(answer)
      await storeDeferredAnswer(tx, task.id, answer)
      tx.afterCommit(() => afterWrite(route))
      return answer
    }),
  )
  if (done.status >= 400 && !asks) await task.part(1, (tx) => storeDeferredAnswer(tx, task.id, done))
  return endOf(task, done)
}

/** Yields the context of a request that goes on only while its caller may do what the route does. */
function withAccess(ctx: Context, { access }: Route): Context {
  const { standing } = ctx
  if (!standing) return ctx
  const renew = async () => {
    const now = await standing.renew()
    requireAccess(now, access)
    return now
  }
  return { ...ctx, standing: { ...standing, renew } }
}

/**
 * Performs the operations that have no result yet, each in a transaction of its own. A fault ends the task, as it would end
 * the request; what the operations before it have written stays.
 */
async function doParts(ctx: Context, { own, task }: Work, parts: readonly Part[]): Promise<TaskOutcome> {
  const outcomes = [...(await loadDeferredParts(ctx, task.id))]
  for (let at = outcomes.length; at < parts.length; at++) {
    const part = parts[at]
    if (!part) break
    const keep = async (tx: Context, outcome: DeferredAnswer) => {
      await storeDeferredPart(tx, task.id, at, outcome)
      return outcome
    }
    const progress = (at + 1) / parts.length
    const outcome = await answerFailures(part.surface, () =>
      task.part(progress, async (tx) => keep(tx, await part.run(own(tx)))),
    )
    if (outcome.status >= 400) await task.part(progress, (tx) => keep(tx, outcome))
    outcomes.push({ status: outcome.status })
  }
  await task.part(1, (tx) => storeDeferredAnswer(tx, task.id, { status: 200 }))
  return endOfParts(task, outcomes)
}

/** Builds the outcome of a task whose work was done by a process that ended before it could conclude the task. */
async function endOfDone(ctx: Context, task: TaskWork): Promise<TaskOutcome> {
  const parts = await loadDeferredParts(ctx, task.id)
  if (parts.length > 0) return endOfParts(task, parts)
  const { status, body } = (await loadDeferredAnswer(ctx, task.id, ctx.user.id)) ?? { status: null, body: null }
  return endOf(task, { status: status ?? 500, body })
}

function endOfParts(task: TaskWork, outcomes: readonly DeferredAnswer[]): TaskOutcome {
  const refused = outcomes.filter(({ status }) => status >= 400).length
  const { output } = endOf(task, { status: 200 })
  return {
    output: { ...output, operations: outcomes.length, refused },
    ...(refused > 0 && { result: 'warning', errors: [`${refused} of ${outcomes.length} operations were refused`] }),
  }
}

/** Rolls back a transaction whose answer is a refusal. */
class Refused extends Error {
  readonly answer: DeferredAnswer
  constructor(answer: DeferredAnswer) {
    super('refused')
    this.answer = answer
  }
}

/** Yields the answer of the work, or its refusal as an answer; other errors, also of an away database, fail the task. */
async function answerFailures(surface: Surface, work: () => Promise<DeferredAnswer>): Promise<DeferredAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) return error.answer
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    return toErrorAnswer(error, surface)
  }
}

/** Builds the outcome that the task shows. More people may see it than the answer, which only the caller may read. */
function endOf({ uuid }: TaskWork, answer: DeferredAnswer): TaskOutcome {
  const output = { status: answer.status, answer: `/api/tasks/${uuid}/answer` }
  if (answer.status < 400) return { output }
  const { message = 'the answer says why', full_messages: full } = membersOf(membersOf(answer.body).error)
  return { output, result: 'error', errors: Array.isArray(full) ? full.map(String) : [String(message)] }
}

function isParted(route: Route): route is PartedRoute {
  return 'parts' in route
}
