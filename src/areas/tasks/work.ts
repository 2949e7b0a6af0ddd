import type { Logger } from 'pino'
import { type Context, inTransaction } from '../../context.ts'
import type { Db } from '../../database/sql.ts'
import { Failure, formatFullMessages } from '../../errors.ts'
import { type Interruption, type Lease, storeWhileHeld } from '../../queue/lease.ts'
import { type ClaimedTask, concludeTask, isCancelled, releaseTask, storeStep, type TaskConclusion } from './queue.ts'
import type { TaskHandler, TaskWork } from './task.ts'

/** The dependencies of the execution of tasks. */
export interface TaskWorkplace {
  readonly db: Db
  readonly log: Logger
  readonly kinds: Readonly<Record<string, TaskHandler>>
  /** The present context of the requester; undefined when the user is gone. */
  readonly contextFor: (task: ClaimedTask) => Promise<Context | undefined>
}

/** Executes a claimed task and stores how it ended, or returns it to the queue. */
export async function executeTask(place: TaskWorkplace, task: ClaimedTask, lease: Lease): Promise<void> {
  const conclusion = await outcomeOf(place, task, lease)
  const stored = await storeWhileHeld(lease, place.log, async () => {
    if (conclusion === 'lost') return false
    if (conclusion === 'stopping') return releaseTask(place.db, task.id, lease.worker)
    return concludeTask(place.db, task.id, lease.worker, conclusion)
  })
  if (!stored) place.log.warn({ task: task.uuid }, 'another process went on with a task')
}

/** The task must not go on here. */
class Interrupted extends Error {
  readonly why: Interruption
  constructor(why: Interruption) {
    super(why)
    this.why = why
  }
}

/**
 * Calls the handler and turns errors into an outcome. {@throws Failure} unavailable while the database is away: the
 * task then stays as it is until its lease expires, and the attempt counts, because the task may be what the database dies of
 */
async function outcomeOf(
  place: TaskWorkplace,
  task: ClaimedTask,
  lease: Lease,
): Promise<TaskConclusion | 'stopping' | 'lost'> {
  try {
    const handle = place.kinds[task.kind]
    if (!handle) throw new Error(`there is no kind of task named ${task.kind}`)
    const outcome = await handle(await contextOf(place, task), workOf(place, task, lease))
    return { result: 'success', ...outcome }
  } catch (err) {
    if (err instanceof Interrupted) return err.why === 'cancelled' ? { result: 'cancelled' } : err.why
    if (!(err instanceof Failure)) {
      place.log.error({ err, task: task.uuid, kind: task.kind }, 'task failed')
      return { result: 'error', errors: [`internal error; the log of the service says more about ${task.uuid}`] }
    }
    if (err.code === 'unavailable') throw err
    return { result: 'error', errors: err.details.errors ? formatFullMessages(err.details.errors) : [err.message] }
  }
}

function workOf(place: TaskWorkplace, task: ClaimedTask, { worker, signal }: Lease): TaskWork {
  let taken = 0
  const { id, uuid, input } = task
  return { id, uuid, input, step }

  async function step<Result>(progress: number, work: (tx: Context) => Promise<Result>): Promise<Result> {
    const number = taken++
    // The stored result of this step, as it came back from JSON.
    if (number < task.steps.length) return task.steps[number] as Result
    const result = await withTask(async (tx) => {
      const text = JSON.stringify(await work(tx)) ?? 'null'
      if (!(await storeStep(tx.db, id, worker, progress, text))) throw new Interrupted('lost')
      return text
    })
    return JSON.parse(result) as Result
  }

  /** Executes work in a transaction of the requester, unless the task is to end. */
  async function withTask<Result>(work: (tx: Context) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new Interrupted(signal.reason)
    const cancelled = await isCancelled(place.db, id, worker)
    if (cancelled === undefined) throw new Interrupted('lost')
    if (cancelled) throw new Interrupted('cancelled')
    const ctx = await contextOf(place, task)
    return withRetries(() => inTransaction(ctx, work))
  }
}

/** Loads the context anew for each step, because the requester acts with the permissions of that moment. */
async function contextOf(place: TaskWorkplace, task: ClaimedTask): Promise<Context> {
  const ctx = await place.contextFor(task)
  if (!ctx) throw new Failure('denied', 'the user who requested it no longer exists')
  if (ctx.user.disabled) throw new Failure('disabled_account', 'the account of the user who requested it is disabled')
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
