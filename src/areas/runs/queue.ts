import { joinTransaction } from '../../database/savepoints.ts'
import { type Db, row, rows, type Sql } from '../../database/sql.ts'
import { type Claimed, FURTHEST, MOST_RECLAIMED, NO_LEASE, type Queue, selectTimeIn } from '../../queue/queue.ts'
import { sql } from '../../sql.ts'
import { readCurrentTrace } from '../../tracing/tracing.ts'
import { advanceRollout, lockRollouts, stopRunning } from './advance.ts'
import type { OutputChange } from './output.ts'
import { storeOutput } from './stored-output.ts'

/** A run that this process has claimed. */
export interface ClaimedRun extends Claimed {
  readonly rolloutId: number | null
  /** Number of this attempt, from 1. */
  readonly attempt: number
  /** The most attempts. */
  readonly attempts: number
  /** The `traceparent` of the request for the run. */
  readonly traceparent: string | null
  /** The user who asked for it; null once the account is gone. */
  readonly user: number | null
}

/** The user who requests a run. */
export interface Requester {
  readonly id: number
  readonly login: string
}

/**
 * Queues a run of a host and yields its id, or the id of the run that is queued or running already. A run that waits
 * in a rollout is released. Undefined when the host is gone.
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
      select h.id, h.name, ${requester.id}, ${requester.login}, ${attempts}, now(), ${readCurrentTrace()}
      from hosts h where h.id = ${hostId}
      on conflict (host_id) where status in ('queued', 'running')
      do update set next_attempt_at = coalesce(config_runs.next_attempt_at, excluded.next_attempt_at)
      returning id, xmax <> 0 as joined`,
  )
}

/** The most attempts of a run, where trying again is safe. */
export const ATTEMPTS = 3

/** The queue of runs. Transactions lock rollouts before runs. */
export const runQueue: Queue = {
  table: 'config_runs',
  dueChannel: 'config_runs_due',
  cancelChannel: 'config_runs_cancelled',
  isDue: sql`status = 'queued' and (next_attempt_at <= now() or next_attempt_at > ${FURTHEST})`,
  order: sql`next_attempt_at, id`,
  isRunning: sql`status = 'running'`,
  isCancelled: sql`cancelled_by is not null`,
  begins: sql`status = 'running', launched_at = null`,
  columns: sql`t.id, t.rollout_id as "rolloutId", t.attempt, t.attempts, t.traceparent, t.user_id as "user"`,
  reclaim: reclaimRuns,
  computeTimeUntilDue,
}

/** The present data of the host and the smart proxy of a run. */
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
 * Stores that the run begins and loads what it needs. From here on it may have had an effect. Undefined when this
 * worker has lost the run.
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

/** How a worker ends its work on a run. */
export type RunConclusion =
  | {
      readonly status: 'succeeded' | 'failed' | 'cancelled'
      readonly reason: string | null
      readonly exitStatus: number | null
      readonly message: string | null
    }
  /** Another attempt follows after this delay; `counted`: the attempt that has ended counts. */
  | { readonly status: 'queued'; readonly delayMs: number; readonly counted: boolean; readonly message: string | null }

/** Bytes of all output, and of the part that was left out. */
export interface OutputSize {
  readonly size: number
  readonly leftOut: number
}

/** Stores the last output and how the run ended. False when this worker has lost the run; nothing is stored then. */
export function concludeRun(
  db: Db,
  run: ClaimedRun,
  worker: string,
  conclusion: RunConclusion,
  output: OutputChange | null,
  printed: OutputSize,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (run.rolloutId !== null) await lockRollouts(tx, [run.rolloutId])
    const concluded = await row(
      tx,
      sql`
        update config_runs
        set ${selectConclusion(conclusion)}, ${NO_LEASE},
          output_size = output_size + ${printed.size}, output_left_out = output_left_out + ${printed.leftOut}
        where id = ${run.id} and worker = ${worker}
        returning id`,
    )
    if (!concluded) return false
    await storeOutput(tx, run.id, output)
    if (run.rolloutId !== null) await advanceRollout(tx, run.rolloutId)
    return true
  })
}

/** Cancels a claimed run that must not begin, and with it what is left of its rollout. */
export async function refuseRun(db: Db, { id, rolloutId }: ClaimedRun, worker: string, reason: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (rolloutId !== null) await lockRollouts(tx, [rolloutId])
    const refused = await row(
      tx,
      sql`
        update config_runs
        set status = 'cancelled', finished_at = now(), message = ${reason}, ${NO_LEASE}
        where id = ${id} and worker = ${worker}
        returning id`,
    )
    if (!refused || rolloutId === null) return
    await stopRunning(tx, rolloutId, `stopped: ${reason}`)
    await advanceRollout(tx, rolloutId)
  })
}

function selectConclusion(conclusion: RunConclusion) {
  if (conclusion.status === 'queued') {
    const { delayMs, counted, message } = conclusion
    return sql`status = case when cancelled_by is null then 'queued' else 'cancelled' end,
      finished_at = case when cancelled_by is not null then now() end,
      message = coalesce('cancelled by ' || cancelled_by, ${message}),
      next_attempt_at = ${selectTimeIn(delayMs)}, launched_at = null, attempt = attempt - ${counted ? 0 : 1}`
  }
  const { status, reason, exitStatus, message } = conclusion
  return sql`status = ${status}, finished_at = now(), reason = ${reason}, exit_status = ${exitStatus}, message = ${message}`
}

/**
 * Reclaims runs of dead workers. Runs that certainly have not begun are queued again; others are stored as failed, because
 * nobody knows what happened, although they may still be running on the host. Yields the number of runs.
 */
function reclaimRuns(db: Db, isDead: Sql): Promise<number> {
  return db.transaction(async (tx) => {
    const found = await rows<{ id: number; rollout: number | null }>(
      tx,
      sql`select id, rollout_id as rollout from config_runs where ${isDead} order by id limit ${MOST_RECLAIMED}`,
    )
    if (found.length === 0) return 0
    const rollouts = [...new Set(found.flatMap(({ rollout }) => (rollout === null ? [] : [rollout])))]
    await lockRollouts(tx, rollouts)
    const taken = await rows(
      tx,
      sql`
        update config_runs r
        set status = fate.status, ${NO_LEASE}, next_attempt_at = now(),
          finished_at = case when fate.status = 'queued' then null else now() end,
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
          from config_runs where id = any (${found.map(({ id }) => id)}::bigint[]) and ${isDead}
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

/** The effect of a cancellation. */
export type RunCancellation = 'cancelled' | 'stopping' | 'ended'

/** Cancels a queued run at once; a running one is stopped by its worker. Undefined when there is no such run. */
export function cancelRun(db: Db, id: number, login: string): Promise<RunCancellation | undefined> {
  return joinTransaction(db, async (tx) => {
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

/** Computes the milliseconds until the next queued run is due; null when no run waits for a time. */
async function computeTimeUntilDue(db: Db): Promise<number | null> {
  const next = await row<{ ms: number | null }>(
    db,
    sql`
      select (extract(epoch from min(next_attempt_at) - now()) * 1000)::integer as ms
      from config_runs where status = 'queued' and next_attempt_at <= ${FURTHEST}`,
  )
  return next?.ms ?? null
}
