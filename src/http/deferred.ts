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
import { type Context, inTransaction, type Origin, type Scope } from '../context.ts'
import { Failure } from '../errors.ts'
import { requireAccess } from '../kernel/authorize.ts'
import type { Registry } from '../kernel/definition.ts'
import { prefers } from '../kernel/prefer.ts'
import type { Answer, Input, Route } from '../kernel/route.ts'
import { type Surface, surfaceOf } from '../kernel/surface.ts'
import { membersOf } from '../values.ts'
import { withDenialEvents } from './denials.ts'
import { toErrorAnswer } from './errors.ts'

/** One of many things that a request does, each in a transaction of its own. */
export interface Part {
  /** The part of the API that its errors are worded for. */
  readonly surface: Surface
  readonly run: (tx: Context) => Promise<DeferredAnswer>
}

/** A route that may be asked for many things at once. */
export interface PartedRoute extends Route {
  /** Null where all of them are one. {@throws Failure} bad_parameter for what cannot be read */
  readonly parts: (input: Input) => readonly Part[] | null
}

/** The kind of task that does such requests. */
export const REQUEST = 'request'

/** Routes that may take long answer with a task as well. */
export function withTasks(routes: readonly Route[]): Route[] {
  return routes.map((route) =>
    route.long ? { ...route, answers: { ...route.answers, [answersTask.status]: answersTask.output } } : route,
  )
}

/** Whether a task shall do what is asked for: machines have no tasks of their own. */
export function isDeferred({ user }: Context, route: Route, input: Input): boolean {
  return route.long === true && user.places === undefined && user.id !== 0 && prefers(input, PREFERENCE)
}

const PREFERENCE = 'respond-async'

/** What is kept of a request: nothing of its login. */
interface Deferred {
  readonly route: string
  readonly input: Input
  readonly scope: Scope
  readonly origin: Origin
  /** Who audits name. */
  readonly name: string
}

/**
 * Plans a request as a task of whoever sends it, and answers with that: 202. What is refused before any work is refused at
 * once. {@throws Failure}
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
      ...{ kind: REQUEST, action: `${method} ${path}`, input: { method, path } },
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
 * Does requests that were answered with a task: as whoever sent them, with the rights of now. All that a request writes is
 * stored together with its answer, or not at all; parts that have transactions of their own each with what came of it. So
 * whichever process goes on with a task finds out what has been done.
 */
export function createRequestHandler({ routes, afterWrite }: Serving): TaskHandler {
  return async (ctx, task) => {
    const deferred = (await loadDeferred(ctx, task.id)) as Deferred | undefined // as it was stored
    if (!deferred) return endOfDone(ctx, task)
    const route = routes.find(({ id }) => id === deferred.route)
    if (!route) throw new Failure('unroutable', `this version does not know what was asked for: ${deferred.route}`)
    const own = (inner: Context): Context => ({
      ...inner,
      scope: deferred.scope,
      origin: deferred.origin,
      user: { ...inner.user, name: deferred.name },
    })
    const work: Work = { route, input: deferred.input, own, task, afterWrite }
    const parts = isParted(route) ? route.parts(deferred.input) : null
    return parts ? doParts(ctx, work, parts) : doWhole(ctx, work)
  }
}

interface Work extends Pick<Serving, 'afterWrite'> {
  readonly route: Route
  readonly input: Input
  /** The context of the request, of that of its task. */
  readonly own: (ctx: Context) => Context
  readonly task: TaskWork
}

/** What waits for other machines does so outside of a transaction; it may be begun again. */
async function doWhole(ctx: Context, work: Work): Promise<TaskOutcome> {
  const { route, input, own, task, afterWrite } = work
  const surface = surfaceOf(route.path)
  const asks = route.alone === true && !isParted(route)
  const handle = (at: Context) =>
    withDenialEvents(at, route, () => {
      requireAccess(at, route.access)
      return route.handle(at, input)
    })
  const before = asks ? await settled(surface, () => handle(own(ctx))) : null
  const done = await settled(surface, () =>
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

/** Goes on behind those that have been done. A fault ends the task, as it ends the request: those before it are stored. */
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
    const outcome = await settled(part.surface, () =>
      task.part(progress, async (tx) => keep(tx, await part.run(own(tx)))),
    )
    if (outcome.status >= 400) await task.part(progress, (tx) => keep(tx, outcome))
    outcomes.push({ status: outcome.status })
  }
  await task.part(1, (tx) => storeDeferredAnswer(tx, task.id, { status: 200 }))
  return endOfParts(task, outcomes)
}

/** It was done, and the process died before it could say so. */
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

/** Undoes a transaction that came to an answer that stores nothing. */
class Refused extends Error {
  readonly answer: DeferredAnswer
  constructor(answer: DeferredAnswer) {
    super('refused')
    this.answer = answer
  }
}

/** What work was answered or refused with; whatever else it threw is the task's. */
async function settled(surface: Surface, work: () => Promise<DeferredAnswer>): Promise<DeferredAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) return error.answer
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    return toErrorAnswer(error, surface)
  }
}

/** What the record of the task shows to whoever may see it: the answer itself is for who sent the request. */
function endOf({ uuid }: TaskWork, answer: DeferredAnswer): TaskOutcome {
  const output = { status: answer.status, answer: `/api/tasks/${uuid}/answer` }
  if (answer.status < 400) return { output }
  const { message = 'the answer says why', full_messages: full } = membersOf(membersOf(answer.body).error)
  return { output, result: 'error', errors: Array.isArray(full) ? full.map(String) : [String(message)] }
}

function isParted(route: Route): route is PartedRoute {
  return 'parts' in route
}
