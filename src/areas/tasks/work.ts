import type { Logger } from 'pino'
import { type Context, inTransaction } from '../../context.ts'
import type { Db } from '../../database/sql.ts'
import { Failure, formatFullMessages } from '../../errors.ts'
import { type ClaimedTask, concludeTask, isCancelled, releaseTask, storeStep, type TaskConclusion } from './queue.ts'
import type { TaskHandler, TaskWork } from './task.ts'

/** What the execution of tasks needs. */
export interface TaskWorkplace {
  readonly db: Db
  readonly log: Logger
  /** Unique for this process. */
  readonly worker: string
  readonly kinds: Readonly<Record<string, TaskHandler>>
  /** The present context of the requester; undefined when the user is gone. */
  readonly contextFor: (task: ClaimedTask) => Promise<Context | undefined>
}

/**
 * Executes a claimed task and stores how it ended. After the signal the task returns to the queue once its step is done.
 */
export async function executeTask(place: TaskWorkplace, task: ClaimedTask, stopping: AbortSignal): Promise<void> {
  const { db, log, worker } = place
  try {
    const conclusion = await outcomeOf(place, task, stopping)
    if (!(await concludeTask(db, task.id, worker, conclusion))) throw new Lost()
  } catch (err) {
    if (err instanceof Lost) return log.warn({ task: task.uuid }, 'another process went on with a task')
    if (err instanceof Interrupted) return releaseTask(db, task.id, worker)
    throw err
  }
}

/** Another process has claimed the task because this one did not renew its lease. */
class Lost extends Error {}
/** The process is about to end. */
class Interrupted extends Error {}
/** The cancellation of the task was asked for. */
class Cancelled extends Error {}

/**
 * Calls the handler and turns errors into an outcome. {@throws Failure} unavailable while the database is away: the
 * task then stays as it is until its lease expires
 */
async function outcomeOf(place: TaskWorkplace, task: ClaimedTask, stopping: AbortSignal): Promise<TaskConclusion> {
  try {
    const handle = place.kinds[task.kind]
    if (!handle) throw new Error(`there is no kind of task named ${task.kind}`)
    const outcome = await handle(await contextOf(place, task), workOf(place, task, stopping))
    return { result: 'success', ...outcome }
  } catch (err) {
    if (err instanceof Lost || err instanceof Interrupted) throw err
    if (err instanceof Cancelled) return { result: 'cancelled' }
    if (!(err instanceof Failure)) {
      place.log.error({ err, task: task.uuid, kind: task.kind }, 'task failed')
      return { result: 'error', errors: [`internal error; the log of the service says more about ${task.uuid}`] }
    }
    if (err.code === 'unavailable') throw err
    return { result: 'error', errors: err.details.errors ? formatFullMessages(err.details.errors) : [err.message] }
  }
}

function workOf(place: TaskWorkplace, task: ClaimedTask, stopping: AbortSignal): TaskWork {
  let taken = 0
  const { id, uuid, input } = task
  return { id, uuid, input, step }

  async function step<Result>(progress: number, work: (tx: Context) => Promise<Result>): Promise<Result> {
    const number = taken++
    // The stored result of this step, as it came back from JSON.
    if (number < task.steps.length) return task.steps[number] as Result
    const result = await withTask(async (tx) => {
      const text = JSON.stringify(await work(tx)) ?? 'null'
      if (!(await storeStep(tx.db, id, place.worker, progress, text))) throw new Lost()
      return text
    })
    return JSON.parse(result) as Result
  }

  /** Executes work in a transaction of the requester, unless the task is to end. */
  async function withTask<Result>(work: (tx: Context) => Promise<Result>): Promise<Result> {
    if (stopping.aborted) throw new Interrupted()
    const cancelled = await isCancelled(place.db, id, place.worker)
    if (cancelled === undefined) throw new Lost()
    if (cancelled) throw new Cancelled()
    const ctx = await contextOf(place, task)
    return withRetries(() => inTransaction(ctx, work))
  }
}

/** Loads the context anew for each step, because the requester acts with the permissions of that moment. */
async function contextOf(place: TaskWorkplace, task: ClaimedTask): Promise<Context> {
  const ctx = await place.contextFor(task)
  if (!ctx) throw new Failure('denied', 'the user who asked for it is gone')
  if (ctx.user.disabled) throw new Failure('disabled_account', 'the account of the user who asked for it is disabled')
  return { ...ctx, standing: { progress: { begun: false }, renew: () => contextOf(place, task) } }
}

/** How often a step is tried that fails by a conflict with other transactions, such as a deadlock. */
const TRIES = 4

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (err) {
      if (!(err instanceof Failure) || err.code !== 'conflict' || tried === TRIES) throw err
    }
  }
}
