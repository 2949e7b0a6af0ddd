import type { Followers } from '../../context.ts'
import { type Db, row, type Sql } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import { readCurrentTrace } from '../../tracing/tracing.ts'
import { advanceRollout, lockRollouts, stopRollout } from './advance.ts'
import { ATTEMPTS, type Requester } from './queue.ts'

/** The state of a run, which tells how it ended. */
export interface RunState {
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  readonly message: string | null
}

/** Whether the run has ended. */
export function hasEnded({ status }: Pick<RunState, 'status'>): boolean {
  return status !== 'queued' && status !== 'running'
}

/** Milliseconds between looks at a run, should a notification get lost. */
const LOOK_MS = 5000

/** Waits for the end of a run, without holding a connection. Null when it has not ended in time. */
export async function waitForOutcome(
  db: Db,
  followers: Followers,
  runId: number,
  timeoutMs: number,
): Promise<RunState | null> {
  using follower = followers.follow(runId)
  const until = performance.now() + timeoutMs
  for (;;) {
    const standing = await row<RunState>(db, sql`select status, message from config_runs where id = ${runId}`)
    if (standing && hasEnded(standing)) return standing
    const left = until - performance.now()
    if (!standing || left <= 0) return null
    if ((await follower.change(Math.min(left, LOOK_MS))) === 'closed') return null
  }
}

/**
 * The options of a rollout: the search for hosts, the number of parallel runs, and the number of failures that ends it
 * (null: never).
 */
export interface RolloutRequest {
  readonly search: string
  readonly parallel: number
  readonly stopAfterFailures: number | null
}

/**
 * Creates a rollout with a run for each host that the conditions leave (alias `t`) and that has a config proxy; hosts
 * with a queued or running run are only counted. The number of statements does not depend on the number of hosts.
 * Call it in a transaction. Yields the number of skipped hosts when none has a config proxy; roll back then.
 */
export async function createRollout(
  tx: Db,
  hosts: Sql,
  request: RolloutRequest,
  requester: Requester,
): Promise<{ id: number } | { skipped: number }> {
  const { search, parallel, stopAfterFailures } = request
  const made = await row<{ id: number; wanted: number; skipped: number; runs: number }>(
    tx,
    sql`
      with wanted as materialized (
        select t.id, t.name, t.config_proxy_id is not null as runnable from hosts t where ${hosts}
      ),
      rollout as (
        insert into config_rollouts (search, parallel, stop_after_failures, user_id, requested_by)
        values (${search}, ${parallel}, ${stopAfterFailures}, ${requester.id}, ${requester.login})
        returning id
      ),
      made as (
        insert into config_runs (host_id, host_name, rollout_id, user_id, requested_by, attempts, traceparent)
        select wanted.id, wanted.name, rollout.id, ${requester.id}, ${requester.login}, ${ATTEMPTS}, ${readCurrentTrace()}
        from wanted, rollout where wanted.runnable order by wanted.id
        on conflict (host_id) where status in ('queued', 'running') do nothing
        returning id
      )
      select rollout.id, (select count(*) from wanted where runnable) as wanted,
        (select count(*) from wanted where not runnable) as skipped, (select count(*) from made) as runs
      from rollout`,
  )
  const { id = 0, wanted = 0, skipped = 0, runs = 0 } = made ?? {}
  if (wanted === 0) return { skipped }
  await sql`update config_rollouts set joined = ${wanted - runs}, skipped = ${skipped} where id = ${id}`.execute(tx)
  await advanceRollout(tx, id)
  return { id }
}

/**
 * Cancels the queued runs of a rollout and has running ones stopped. Call it in a transaction. False when the rollout
 * has ended or is missing.
 */
export async function cancelRollout(tx: Db, id: number, login: string): Promise<boolean> {
  await lockRollouts(tx, [id])
  const found = await row<{ finished: boolean }>(
    tx,
    sql`select finished_at is not null as finished from config_rollouts where id = ${id}`,
  )
  if (!found || found.finished) return false
  await stopRollout(tx, id, 'cancelled', `cancelled by ${login}`)
  await sql`
    update config_runs set cancelled_by = ${login}, updated_at = now()
    where rollout_id = ${id} and status = 'running'`.execute(tx)
  await advanceRollout(tx, id)
  return true
}
