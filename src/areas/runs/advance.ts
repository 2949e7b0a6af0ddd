import { type Db, row, rows } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Locks rollouts, so that decisions about their runs are made one after the other. */
export async function lockRollouts(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await rows(tx, sql`select from config_rollouts where id = any (${ids}::bigint[]) order by id for no key update`)
}

/**
 * Releases the next runs of a locked rollout, cancels the rest when too many have failed, and ends the rollout after its
 * last run. The function depends only on what is stored, so that it can be called at any time.
 */
export async function advanceRollout(tx: Db, id: number): Promise<void> {
  const state = await stateOf(tx, id)
  if (!state) return
  const tooMany = state.status === 'running' && state.stopAfter !== null && state.failed >= state.stopAfter
  if (tooMany) {
    const runs = state.failed === 1 ? 'one failed run' : `${state.failed} failed runs`
    await stopRollout(tx, id, 'stopped', `stopped after ${runs}`)
  }
  if (state.status === 'stopped' || state.status === 'cancelled') await cancelQueued(tx, id)
  if (state.status === 'running' && !tooMany && state.ahead < state.parallel) {
    await letGo(tx, id, state.parallel - state.ahead)
  }
  await endWithLast(tx, id)
}

/** Ends a locked rollout early: its queued runs are cancelled, and no more of them are released. */
export async function stopRollout(tx: Db, id: number, status: 'stopped' | 'cancelled', message: string): Promise<void> {
  await rows(
    tx,
    sql`update config_rollouts set status = ${status}, message = ${message}, updated_at = now() where id = ${id}`,
  )
  await cancelQueued(tx, id)
}

/** Stops a locked rollout that still runs, because its author may no longer run it. */
export async function stopRunning(tx: Db, id: number, message: string): Promise<void> {
  const running = await row(tx, sql`select from config_rollouts where id = ${id} and status = 'running'`)
  if (running) await stopRollout(tx, id, 'stopped', message)
}

interface RolloutState {
  readonly status: 'running' | 'finished' | 'stopped' | 'cancelled'
  readonly parallel: number
  readonly stopAfter: number | null
  readonly failed: number
  /** Running runs, and queued ones that may be claimed. */
  readonly ahead: number
}

function stateOf(tx: Db, id: number): Promise<RolloutState | undefined> {
  return row(
    tx,
    sql`
      select o.status, o.parallel, o.stop_after_failures as "stopAfter",
        case when o.stop_after_failures is null then 0
          else (select count(*) from config_runs where rollout_id = o.id and status = 'failed') end as failed,
        (select count(*) from config_runs where rollout_id = o.id and status = 'running')
          + (select count(*) from config_runs
             where rollout_id = o.id and status = 'queued' and next_attempt_at is not null) as ahead
      from config_rollouts o where o.id = ${id}`,
  )
}

async function letGo(tx: Db, id: number, many: number): Promise<void> {
  await rows(
    tx,
    sql`
      update config_runs set next_attempt_at = now()
      where id in (
        select id from config_runs
        where rollout_id = ${id} and status = 'queued' and next_attempt_at is null
        order by id limit ${many})`,
  )
}

async function cancelQueued(tx: Db, id: number): Promise<void> {
  await rows(
    tx,
    sql`
      update config_runs r
      set status = 'cancelled', finished_at = now(), updated_at = now(), message = 'the rollout was ' || o.message
      from config_rollouts o
      where o.id = ${id} and r.rollout_id = o.id and r.status = 'queued'`,
  )
}

async function endWithLast(tx: Db, id: number): Promise<void> {
  await rows(
    tx,
    sql`
      update config_rollouts
      set finished_at = now(), updated_at = now(), status = case status when 'running' then 'finished' else status end
      where id = ${id} and finished_at is null
        and not exists (select from config_runs where rollout_id = ${id} and status in ('queued', 'running'))`,
  )
}
