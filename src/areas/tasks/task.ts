import { sql } from 'kysely'
import type { Actor, Context } from '../../context.ts'
import { type Db, row } from '../../database/sql.ts'

/** What a task takes and yields: plain JSON, so that any process can go on with it. */
export type TaskValues = Readonly<Record<string, unknown>>

/** A long operation that somebody asks for. */
export interface NewTask {
  /** Which handler does it, e.g. `content_view.publish`: one of src/areas/index.ts. */
  readonly kind: string
  /** What it does, for people: `Publish`. What the input names is shown behind it, to those who may see that. */
  readonly action: string
  /** All that the handler is told. Records stand in it as `{id, name}` under their kind, and who may view them all sees it. */
  readonly input: TaskValues
  /** Id of the organization that it is about; the handler works within it. */
  readonly organization: number | null
}

/** Where a task is asked for, and by whom: the part of a context that matters. */
interface Asking {
  readonly db: Db
  readonly user: Pick<Actor, 'id' | 'login'>
}

/** A task as whoever asked for it knows it. */
export interface PlannedTask {
  readonly id: number
  readonly uuid: string
}

/** What came of a task. */
export interface TaskOutcome {
  /** `warning`: it is done, but not all of it; `error`: nothing came of it, without a fault. Default: success. */
  readonly result?: 'success' | 'warning' | 'error'
  /** What its record shows as output. */
  readonly output?: TaskValues
  /** Sentences for people. */
  readonly errors?: readonly string[]
}

/**
 * Does one kind of task. The context is for reading outside of transactions, and acts for who asked, with the permissions
 * of now; all writing happens in steps. A handler is called again from its beginning when the process that was at it died:
 * it must take the same steps again, which are not done twice. A Failure that it throws ends the task with its sentences.
 */
export type TaskHandler = (ctx: Context, task: TaskWork) => Promise<TaskOutcome | undefined>

/** A task from within its handler. */
export interface TaskWork extends PlannedTask {
  readonly input: TaskValues
  /**
   * Does a part of the task in a transaction of its own, and yields what `work` came to, which must be JSON. That and the
   * progress that is reached with it (0 to 1) are stored in the same transaction: a step that was done once yields the
   * same again without being done. Between two steps a task may be cancelled, or handed to another process: then the
   * promise is rejected, and the handler must let that pass.
   */
  readonly step: <Result>(progress: number, work: (tx: Context) => Promise<Result>) => Promise<Result>
  /**
   * Like a step of which nothing is kept but the progress: that it was done `work` itself has to store, and the handler to
   * find out before it does it again. For what would be too much, or too many, for the task.
   */
  readonly part: <Result>(progress: number, work: (tx: Context) => Promise<Result>) => Promise<Result>
}

/** Plans a task in the transaction of the caller: it begins as soon as that is committed, in some process. */
export async function planTask(ctx: Asking, { kind, action, input, organization }: NewTask): Promise<PlannedTask> {
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

/** Notes an operation that was done at once, in the transaction that did it, for callers who expect a task. */
export async function storeFinishedTask(
  ctx: Asking,
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

/** The channel on which workers hear of planned tasks. */
export const TASKS_DUE = 'tasks_due'
