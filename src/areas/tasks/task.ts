import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, Context } from '../../context.ts'
import { type Db, row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Input and output of a task: plain JSON, so that any process can continue it. */
export type TaskValues = Readonly<Record<string, unknown>>

/** A long operation to be planned. */
export interface NewTask {
  /** Selects the handler in src/areas/index.ts, e.g. `content_view.publish`. */
  readonly kind: string
  /**
   * The operation in words for people: `Publish`. Records of the input are named after it, to callers who may view
   * them.
   */
  readonly action: string
  /**
   * Everything that the handler needs. Records are `{id, name}` under their kind; callers who may view all of them see
   * the input.
   */
  readonly input: TaskValues
  /** Id of the organization that the task is about and to which the handler is limited; null: none. */
  readonly organization: number | null
}

/** The parts of a context that planning needs. */
interface PlanningContext {
  readonly db: Db
  readonly user: Pick<Actor, 'id' | 'login'>
}

/** The id by which a requester refers to a planned task. */
export interface PlannedTask {
  readonly id: number
  readonly uuid: string
}

/** The result of a task that came to its end. */
export interface TaskOutcome {
  /** `warning`: partly done; `error`: not done, though not because of a fault. Default: success. */
  readonly result?: 'success' | 'warning' | 'error'
  /** Shown as `output` of the task. */
  readonly output?: TaskValues
  /** Sentences for people. */
  readonly errors?: readonly string[]
}

/**
 * Does one kind of task. The context is for reading outside of transactions, and acts for the requester with their
 * present permissions; all writing happens in steps. When a process dies, the handler is called again from its
 * beginning and has to take the same steps: those that are done are not executed again. A thrown Failure ends the task
 * with its messages.
 */
export type TaskHandler = (ctx: Context, task: TaskWork) => Promise<TaskOutcome | undefined>

/** A task as its handler uses it. */
export interface TaskWork extends PlannedTask {
  readonly input: TaskValues
  /**
   * Executes one step in a transaction of its own and yields the result of `work`, which must be JSON. Result and
   * progress (0 to 1) are stored in that transaction, so that a repeated step yields the stored result. Between steps
   * the task may be cancelled or passed to another process: the promise then rejects, and the handler must not catch
   * that.
   */
  readonly step: <Result>(progress: number, work: (tx: Context) => Promise<Result>) => Promise<Result>
}

/** Plans a task in the transaction of the caller. Some process begins it after the commit. */
export async function planTask(
  ctx: PlanningContext,
  { kind, action, input, organization }: NewTask,
): Promise<PlannedTask> {
  const planned = await row<PlannedTask>(
    ctx.db,
    sql`
      with planned as (
        insert into tasks (kind, action, input, organization_id, user_id, username)
        values (${kind}, ${action}, ${JSON.stringify(input)}::jsonb, ${organization}::bigint, ${ctx.user.id}, ${ctx.user.login})
        returning id, uuid
      )
      select planned.id, planned.uuid from planned, pg_notify(${TASKS_DUE}, '')`,
  )
  if (!planned) throw new Error('a planned task has no row')
  return planned
}

/** Stores an operation that is already done as a finished task, in its transaction, for clients that expect a task. */
export async function storeFinishedTask(
  ctx: PlanningContext,
  { kind, action, input, organization }: NewTask,
  output: TaskValues = {},
): Promise<PlannedTask> {
  const finished = await row<PlannedTask>(
    ctx.db,
    sql`
      insert into tasks (kind, action, input, output, organization_id, user_id, username, state, result, progress, started_at, ended_at)
      values (${kind}, ${action}, ${JSON.stringify(input)}::jsonb, ${JSON.stringify(output)}::jsonb, ${organization}::bigint,
        ${ctx.user.id}, ${ctx.user.login}, 'stopped', 'success', 1, now(), now())
      returning id, uuid`,
  )
  if (!finished) throw new Error('a finished task has no row')
  return finished
}

/**
 * Waits until a task has ended, at most about a second. Do not call it in the transaction that plans the task: no process begins it
 * before the commit.
 */
export async function waitForEnd(db: Db, uuid: string): Promise<void> {
  for (let pause = 10; pause < 500; pause *= 1.5) {
    await sleep(pause)
    if (await row(db, sql`select id from tasks where uuid = ${uuid} and state = 'stopped'`)) return
  }
}

/** The channel that tells workers of planned tasks. */
export const TASKS_DUE = 'tasks_due'
