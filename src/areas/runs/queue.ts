import { sql } from 'kysely'
import { type Db, row, rows } from '../../database/sql.ts'
import { currentTrace } from '../../tracing.ts'
import { advanceRollout, lockRollouts } from './advance.ts'
import type { OutputChange } from './output.ts'
import { storeOutput } from './stored-output.ts'

/**
 * The queue of configuration runs: one statement, or one short transaction, for each thing that happens to a run. The
 * clock is the database's. Whoever needs both locks the rollout before the runs.
 */

/** A run that this process holds a lease of. */
export interface ClaimedRun {
  readonly id: number
  readonly rolloutId: number | null
  /** Counts from 1. */
  readonly attempt: number
  /** How many there may be. */
  readonly attempts: number
  /** Where it belongs in the trace of whoever asked for it. */
  readonly traceparent: string | null
}

/** Who asks for a run. */
export interface Requester {
  readonly id: number
  readonly login: string
}

/**
 * Asks for a run of a host, or joins the one that is queued or running already: then its id comes back. One that waits
 * for others of its rollout waits no longer. Undefined when the host is gone.
 */
export function enqueueRun(
  db: Db,
  hostId: number,
  requester: Requester,
  attempts = ATTEMPTS,
): Promise<{ id: number; joined: boolean } | undefined> {
  return row(
    db,
    sql`
      insert into config_runs (host_id, host_name, user_id, requested_by, attempts, next_attempt_at, traceparent)
      select h.id, h.name, ${requester.id}, ${requester.login}, ${attempts}, now(), ${currentTrace()}
      from hosts h where h.id = ${hostId}
      on conflict (host_id) where status in ('queued', 'running')
      do update set next_attempt_at = coalesce(config_runs.next_attempt_at, excluded.next_attempt_at)
      returning id, xmax <> 0 as joined`,
  )
}

/** How often a run is tried where trying again is safe. */
export const ATTEMPTS = 3

/** Takes up to so many runs whose time has come, the longest waiting first. Processes never take the same. */
export async function claimRuns(db: Db, worker: string, limit: number, leaseMs: number): Promise<ClaimedRun[]> {
  return rows(
    db,
    sql`
      update config_runs r
      set status = 'running', worker = ${worker}, lease_expires_at = ${inFuture(leaseMs)}, attempt = r.attempt + 1,
        launched_at = null, started_at = coalesce(r.started_at, now()), updated_at = now()
      from (
        select id from config_runs
        where status = 'queued' and ${IS_DUE}
        order by next_attempt_at, id
        limit ${limit}
        for update skip locked
      ) due
      where r.id = due.id
      returning r.id, r.rollout_id as "rolloutId", r.attempt, r.attempts, r.traceparent`,
  )
}

/** What is further away than any new attempt, and any lease, was stored by a clock that was wrong. */
const FURTHEST = sql`now() + interval '2 hours'`
const IS_DUE = sql`(next_attempt_at <= now() or next_attempt_at > ${FURTHEST})`
const LEASE_IS_OVER = sql`(lease_expires_at < now() or lease_expires_at > ${FURTHEST})`

/** What a run needs to know of its host and of the smart proxy that is responsible for it, as they are now. */
export interface LaunchRow {
  readonly host: string | null
  readonly runner: 'proxy' | 'ssh' | 'command' | null
  readonly url: string
  readonly runner_command: readonly string[]
  readonly ssh_user: string | null
  readonly ssh_port: number | null
  readonly ssh_key: string | null
  readonly ssh_known_hosts: string | null
  readonly run_timeout: number | null
}

/**
 * Notes that the run begins now, and reads how: from here on it may have happened. Undefined when the run is no longer
 * this worker's.
 */
export function launchRun(db: Db, id: number, worker: string): Promise<LaunchRow | undefined> {
  return row(
    db,
    sql`
      update config_runs r
      set launched_at = now(), runner = p.runner, host_name = coalesce(h.name, r.host_name)
      from config_runs own
      left join hosts h on h.id = own.host_id
      left join smart_proxies p on p.id = h.config_proxy_id
      where own.id = r.id and r.id = ${id} and r.worker = ${worker}
      returning h.name as host, p.runner, p.url, p.runner_command, p.ssh_user, p.ssh_port, p.ssh_key, p.ssh_known_hosts,
        p.run_timeout`,
  )
}

/** Holds the leases longer; yields the runs that are still this worker's, and whether somebody wants them stopped. */
export function renewRunLeases(
  db: Db,
  worker: string,
  ids: readonly number[],
  leaseMs: number,
): Promise<{ id: number; cancelled: boolean }[]> {
  return rows(
    db,
    sql`
      update config_runs set lease_expires_at = ${inFuture(leaseMs)}
      where id = any (${ids}::bigint[]) and worker = ${worker}
      returning id, cancelled_by is not null as cancelled`,
  )
}

/** What becomes of a run that its worker has done with. */
export type RunConclusion =
  | {
      readonly status: 'succeeded' | 'failed' | 'cancelled'
      readonly reason: string | null
      readonly exitStatus: number | null
      readonly message: string | null
    }
  /** To be tried again after so many milliseconds; `counted`: the attempt that ended counts. */
  | { readonly status: 'queued'; readonly delayMs: number; readonly counted: boolean; readonly message: string | null }

/** How much there was to print, and how much of it is not kept, in bytes. */
export interface Printed {
  readonly size: number
  readonly leftOut: number
}

/** Stores the last of the output and how the run ended. False when the run is no longer this worker's: nothing is stored then. */
export function concludeRun(
  db: Db,
  run: ClaimedRun,
  worker: string,
  settlement: RunConclusion,
  output: OutputChange | null,
  printed: Printed,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (run.rolloutId !== null) await lockRollouts(tx, [run.rolloutId])
    const settled = await row(
      tx,
      sql`
        update config_runs
        set ${settlementOf(settlement)}, worker = null, lease_expires_at = null,
          output_size = output_size + ${printed.size}, output_left_out = output_left_out + ${printed.leftOut}, updated_at = now()
        where id = ${run.id} and worker = ${worker}
        returning id`,
    )
    if (!settled) return false
    await storeOutput(tx, run.id, output)
    if (run.rolloutId !== null) await advanceRollout(tx, run.rolloutId)
    return true
  })
}

function settlementOf(settlement: RunConclusion) {
  if (settlement.status === 'queued') {
    const { delayMs, counted, message } = settlement
    return sql`status = case when cancelled_by is null then 'queued' else 'cancelled' end,
      finished_at = case when cancelled_by is not null then now() end,
      message = coalesce('cancelled by ' || cancelled_by, ${message}),
      next_attempt_at = ${inFuture(delayMs)}, launched_at = null, attempt = attempt - ${counted ? 0 : 1}`
  }
  const { status, reason, exitStatus, message } = settlement
  return sql`status = ${status}, finished_at = now(), reason = ${reason}, exit_status = ${exitStatus}, message = ${message}`
}

/** Runs that one look for dead workers takes back. */
export const MOST_RECLAIMED = 500

/**
 * Takes back the runs of workers that died: whose lease is over, or with `everybody` every one that runs. Those that
 * certainly had not begun are queued again; the others have failed, because nobody knows what happened, and because they
 * may still be running there. Returns how many.
 */
export function reclaimRuns(db: Db, { everybody = false } = {}): Promise<number> {
  const dead = everybody ? sql`status = 'running'` : sql`status = 'running' and ${LEASE_IS_OVER}`
  return db.transaction().execute(async (tx) => {
    const found = await rows<{ id: number; rollout: number | null }>(
      tx,
      sql`select id, rollout_id as rollout from config_runs where ${dead} order by id limit ${MOST_RECLAIMED}`,
    )
    if (found.length === 0) return 0
    const rollouts = [...new Set(found.flatMap(({ rollout }) => (rollout === null ? [] : [rollout])))]
    await lockRollouts(tx, rollouts)
    const taken = await rows(
      tx,
      sql`
        update config_runs r
        set status = fate.status, worker = null, lease_expires_at = null, updated_at = now(),
          next_attempt_at = now(), finished_at = case when fate.status = 'queued' then null else now() end,
          message = case fate.status
            when 'failed' then ${DIED}
            when 'cancelled' then 'cancelled by ' || r.cancelled_by
          end,
          reason = case fate.status when 'failed' then 'worker_died' end
        from (
          select id,
            case
              when launched_at is not null or attempt >= attempts then 'failed'
              when cancelled_by is not null then 'cancelled'
              else 'queued'
            end as status
          from config_runs where id = any (${found.map(({ id }) => id)}::bigint[]) and ${dead}
          order by id for update
        ) fate
        where r.id = fate.id
        returning r.id`,
    )
    for (const rollout of rollouts) await advanceRollout(tx, rollout)
    return taken.length
  })
}

const DIED = 'the process that ran it died; whether the run came to its end there is not known'

/** What became of the wish to cancel a run. */
export type RunCancellation = 'cancelled' | 'stopping' | 'ended'

/** Cancels a run that is queued at once, and has one that runs stopped by its worker. Undefined when there is no such run. */
export function cancelRun(db: Db, id: number, login: string): Promise<RunCancellation | undefined> {
  return db.transaction().execute(async (tx) => {
    const found = await row<{ rollout: number | null }>(
      tx,
      sql`select rollout_id as rollout from config_runs where id = ${id}`,
    )
    if (!found) return undefined
    if (found.rollout !== null) await lockRollouts(tx, [found.rollout])
    const changed = await row<{ status: string }>(
      tx,
      sql`
        update config_runs
        set cancelled_by = ${login}, updated_at = now(),
          status = case status when 'queued' then 'cancelled' else status end,
          finished_at = case status when 'queued' then now() end,
          message = case status when 'queued' then ${`cancelled by ${login}`} else message end
        where id = ${id} and status in ('queued', 'running')
        returning status`,
    )
    if (found.rollout !== null) await advanceRollout(tx, found.rollout)
    return changed === undefined ? 'ended' : changed.status === 'running' ? 'stopping' : 'cancelled'
  })
}

/** Milliseconds until the next queued run is due, null when none waits for a time. */
export async function computeTimeUntilDue(db: Db): Promise<number | null> {
  const next = await row<{ ms: number | null }>(
    db,
    sql`
      select (extract(epoch from min(next_attempt_at) - now()) * 1000)::integer as ms
      from config_runs where status = 'queued' and next_attempt_at <= ${FURTHEST}`,
  )
  return next?.ms ?? null
}

function inFuture(milliseconds: number) {
  return sql`now() + ${milliseconds} * interval '1 millisecond'`
}
