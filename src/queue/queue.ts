import { type Db, rows, type Sql } from '../database/sql.ts'
import { sql } from '../sql.ts'

/** Work that a process has claimed. */
export interface Claimed {
  readonly id: number
}

/**
 * A table whose rows are work, which any process claims with a lease. It has the columns `worker`, `lease_expires_at`, `attempt`,
 * `started_at` and `updated_at`. All times are of the clock of the database.
 */
export interface Queue {
  readonly table: string
  /** The channel that tells workers that work is due. */
  readonly dueChannel: string
  /** The channel that tells them of each cancellation, by its id; default: they hear of it when they renew, or ask. */
  readonly cancelChannel?: string
  /** The rows that may be claimed, and their order. */
  readonly isDue: Sql
  readonly order: Sql
  /** The rows that workers have claimed, and those of which the cancellation was asked for. */
  readonly isRunning: Sql
  readonly isCancelled: Sql
  /** What a claim sets beside the lease, and the columns of a claimed row `t` that it yields. */
  readonly begins: Sql
  readonly columns: Sql
  /** Returns the rows of this condition, at most `MOST_RECLAIMED`, to the queue, or ends them; yields their number. */
  readonly reclaim: (db: Db, isDead: Sql) => Promise<number>
  /** Computes the milliseconds until the next row becomes due; null when none waits for a time. Absent where none does. */
  readonly computeTimeUntilDue?: (db: Db) => Promise<number | null>
}

/** The most rows that are reclaimed at a time. */
export const MOST_RECLAIMED = 500

/** Due times and leases after this time were stored by a wrong clock, and count as past. */
export const FURTHEST = sql`now() + interval '2 hours'`

/** What the end of a claim sets, however it ends. */
export const NO_LEASE = sql`worker = null, lease_expires_at = null, updated_at = now()`

/**
 * Claims up to `limit` rows that are due. Processes never claim the same row, and none claims what it still holds: another
 * process may have reclaimed that before this one has noticed. What is due is materialized, because a plan that looks for it
 * once for each row would skip what it has just claimed, and claim everything.
 */
export function claim<Work extends Claimed>(
  db: Db,
  queue: Queue,
  worker: string,
  limit: number,
  leaseMs: number,
  held: readonly number[] = [],
): Promise<Work[]> {
  const table = sql.table(queue.table)
  return rows(
    db,
    sql`
      with due as materialized (
        select id from ${table}
        where ${queue.isDue} and id <> all (${held}::bigint[])
        order by ${queue.order}
        limit ${limit}
        for update skip locked
      )
      update ${table} t
      set ${queue.begins}, worker = ${worker}, lease_expires_at = ${selectTimeIn(leaseMs)}, attempt = t.attempt + 1,
        started_at = coalesce(t.started_at, now()), updated_at = now()
      from due
      where t.id = due.id
      returning ${queue.columns}`,
  )
}

/** Renews the leases of these rows; yields those that this worker still holds, and whether each is to be cancelled. */
export function renew(
  db: Db,
  { table, isCancelled }: Queue,
  worker: string,
  ids: readonly number[],
  leaseMs: number,
): Promise<{ id: number; cancelled: boolean }[]> {
  return rows(
    db,
    sql`
      update ${sql.table(table)} set lease_expires_at = ${selectTimeIn(leaseMs)}
      where id = any (${ids}::bigint[]) and worker = ${worker}
      returning id, ${isCancelled} as cancelled`,
  )
}

/**
 * Reclaims what dead workers held: rows with an expired lease, or with `everybody` all that are claimed. Those that this
 * process holds stay with it, whatever the clock of the database makes of their leases. Yields the number of rows.
 */
export function reclaim(db: Db, queue: Queue, held: readonly number[], { everybody = false } = {}): Promise<number> {
  const isOver = everybody ? sql`true` : sql`(lease_expires_at < now() or lease_expires_at > ${FURTHEST})`
  return queue.reclaim(db, sql`${queue.isRunning} and ${isOver} and id <> all (${held}::bigint[])`)
}

/** Selects the time so many milliseconds from now. */
export function selectTimeIn(milliseconds: number): Sql {
  return sql`now() + ${milliseconds} * interval '1 millisecond'`
}
