import { type Db, row, rows, type Sql } from '../../database/sql.ts'
import { type Claimed, MOST_RECLAIMED, NO_LEASE, type Queue } from '../../queue/queue.ts'
import { sql } from '../../sql.ts'
import { TASKS_DUE, type TaskOutcome, type TaskValues } from './task.ts'

/** A task that this process has claimed. */
export interface ClaimedTask extends Claimed {
  readonly uuid: string
  readonly kind: string
  readonly input: TaskValues
  /** The results of the steps that are done, in order. */
  readonly steps: readonly unknown[]
  /** The requester; null once the account is deleted. */
  readonly user: number | null
  readonly organization: number | null
}

/** How often a task is begun at most: one whose process dies is begun again, until so many attempts have ended like this. */
const ATTEMPTS = 5

/** The queue of tasks, of which this process claims those of these kinds. */
export function queueOfTasks(kinds: readonly string[]): Queue {
  return {
    table: 'tasks',
    dueChannel: TASKS_DUE,
    isDue: sql`state = 'planned' and kind = any (${kinds}::text[])`,
    order: sql`id`,
    isRunning: sql`state = 'running'`,
    isCancelled: sql`cancel_requested`,
    begins: sql`state = 'running'`,
    columns: sql`t.id, t.uuid, t.kind, t.input, t.steps, t.user_id as "user", t.organization_id as organization`,
    reclaim: reclaimTasks,
  }
}

/** Whether the cancellation of a task was asked for; undefined when this worker has lost the task. */
export async function isCancelled(db: Db, id: number, worker: string): Promise<boolean | undefined> {
  const held = await row<{ cancelled: boolean }>(
    db,
    sql`select cancel_requested as cancelled from tasks where id = ${id} and worker = ${worker}`,
  )
  return held?.cancelled
}

/**
 * Stores a finished step, in the transaction of the step. False when this worker has lost the task: the step must then
 * be rolled back.
 */
export async function storeStep(
  db: Db,
  id: number,
  worker: string,
  progress: number,
  result: string,
): Promise<boolean> {
  const noted = await row(
    db,
    sql`
      update tasks
      set steps = steps || jsonb_build_array(${result}::jsonb), progress = greatest(progress, ${progress}::real), updated_at = now()
      where id = ${id} and worker = ${worker}
      returning id`,
  )
  return noted !== undefined
}

/** How a task ended. */
export interface TaskConclusion extends Omit<TaskOutcome, 'result'> {
  readonly result: 'success' | 'warning' | 'error' | 'cancelled'
}

/**
 * Stores how a task ended. False when this worker has lost it. A task that finished before it learned of a cancellation
 * counts as finished.
 */
export async function concludeTask(db: Db, id: number, worker: string, conclusion: TaskConclusion): Promise<boolean> {
  const { result, output = {}, errors } = conclusion
  const concluded = await row(
    db,
    sql`
      update tasks
      set state = 'stopped', result = ${result}, output = ${JSON.stringify(output)}::jsonb, errors = ${result === 'cancelled' ? sql`errors` : sql`${errors ?? []}::text[]`},
        cancel_requested = ${result === 'cancelled'},
        progress = case when ${result} in ('success', 'warning') then 1 else progress end,
        ended_at = now(), ${NO_LEASE}
      where id = ${id} and worker = ${worker}
      returning id`,
  )
  return concluded !== undefined
}

/** Returns a task to the queue for another process; this attempt does not count. False when this worker has lost it. */
export async function releaseTask(db: Db, id: number, worker: string): Promise<boolean> {
  const released = await row(
    db,
    sql`
      with given as (
        update tasks set state = 'planned', attempt = attempt - 1, ${NO_LEASE} where id = ${id} and worker = ${worker} returning id
      )
      select pg_notify(${TASKS_DUE}, '') from given`,
  )
  return released !== undefined
}

/**
 * Returns tasks of dead workers to the queue. Those that were to be cancelled, or whose processes have died too often, end
 * instead. Yields the number of tasks.
 */
async function reclaimTasks(db: Db, isDead: Sql): Promise<number> {
  const taken = await rows(
    db,
    sql`
      with fate as materialized (
        select id,
          case when cancel_requested or attempt >= ${ATTEMPTS} then 'stopped' else 'planned' end as state,
          case when cancel_requested then 'cancelled' when attempt >= ${ATTEMPTS} then 'error' else 'pending' end as result
        from tasks where ${isDead}
        order by id limit ${MOST_RECLAIMED} for update skip locked
      ),
      taken as (
        update tasks t
        set state = fate.state, result = fate.result, ${NO_LEASE},
          ended_at = case fate.state when 'stopped' then now() end,
          errors = case fate.result when 'error' then array[${DIED}] else t.errors end
        from fate
        where t.id = fate.id
        returning t.id
      )
      select pg_notify(${TASKS_DUE}, '') from taken`,
  )
  return taken.length
}

const DIED = `every process that was at it died, ${ATTEMPTS} times; it is not begun again`

/** The effect of a cancellation. */
export type TaskCancellation = 'cancelled' | 'stopping' | 'ended'

/** Cancels a waiting task at once; a running one is asked to end after its step. */
export async function cancelTask(db: Db, id: number, login: string): Promise<TaskCancellation> {
  const changed = await row<{ state: string }>(
    db,
    sql`
      update tasks
      set cancel_requested = true, updated_at = now(), errors = array[${`cancelled by ${login}`}],
        state = case state when 'planned' then 'stopped' else state end,
        result = case state when 'planned' then 'cancelled' else result end,
        ended_at = case state when 'planned' then now() end
      where id = ${id} and state <> 'stopped'
      returning state`,
  )
  if (!changed) return 'ended'
  return changed.state === 'running' ? 'stopping' : 'cancelled'
}
