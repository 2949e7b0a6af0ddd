import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { ServerConfig } from './connections.ts'
import { Outage, toDatabaseError } from './failures.ts'
import { UNTOLD } from './outages.ts'
import { openPool, openServerHandle } from './postgresql.ts'
import { followPrimary } from './primary.ts'
import { watchReachability } from './reachability.ts'
import { shareNext } from './share-next.ts'
import { type Db, row } from './sql.ts'
import type { Run } from './statements.ts'

/** The result of checking a replica. */
export type Look = 'reached' | 'behind' | 'no replica' | 'another cluster' | 'refused' | 'away'

/** A position in the write-ahead log of a cluster. */
export interface Position {
  readonly lsn: bigint
  /** Counts how often another server has become the primary: the logs of two timelines differ. */
  readonly timeline: number
  readonly cluster: string
}

/** A standby server that follows the primary. */
export interface Replica extends AsyncDisposable {
  /** Its address without credentials. */
  readonly name: string
  readonly db: Db
  /** Checks whether it has everything up to this position of the primary. */
  look(primary: Position): Promise<Look>
}

/** Opens a pool of connections to a replica, which may be unreachable. */
export async function openReplica(config: ServerConfig, observe: (run: Run) => Run, parent: Logger): Promise<Replica> {
  const name = formatReplicaName(config.url)
  const log = parent.child({ replica: name })
  const server = followPrimary(config) // the address names a single server
  const pool = openPool(config, server, log)
  const ignoreLoss = () => undefined // no notifications come from a replica
  const reachability = watchReachability(() => server.find(), ignoreLoss, UNTOLD) // reads go to the primary meanwhile
  const db = await openServerHandle(pool, config, server, observe, { reachability, outages: UNTOLD })
  const replayed = shareNext(() => awaitInTime(readReplayed(db)))
  const note = noteLag(log)
  return {
    name,
    db,
    async look(primary) {
      try {
        reachability.refuseWhileAway()
        return note(compare(primary, await replayed()))
      } catch (error) {
        if (toDatabaseError(error)) return note('refused', error)
        reachability.noticeSilence(error)
        return note('away', causeOf(error))
      }
    },
    async [Symbol.asyncDispose]() {
      reachability[Symbol.dispose]()
      await db.destroy()
    },
  }
}

/**
 * Reads the position of the primary: everything that it has acknowledged lies before it. With asynchronous commits it is the
 * end of what was written, otherwise the end of what was flushed.
 */
export async function readPosition(primary: Db): Promise<Position> {
  const found = await row<Row>(
    primary,
    sql`
    select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
                else pg_current_wal_flush_lsn() end::text as lsn,
      substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as timeline,
      (select system_identifier from pg_control_system())::text as cluster`,
  )
  return { ...toPosition(found), timeline: Number.parseInt(found?.timeline ?? '', 16) }
}

interface Row {
  readonly lsn: string | null
  readonly timeline: string
  readonly cluster: string
}

/**
 * Reads the position up to which a standby has replayed the log; null where the server is not a standby. The timeline is
 * that of its last checkpoint, which may be too old, but never too new.
 */
export async function readReplayed(db: Db): Promise<Position | null> {
  const found = await row<Row>(
    db,
    sql`
    select pg_last_wal_replay_lsn()::text as lsn, (select timeline_id from pg_control_checkpoint())::text as timeline,
      (select system_identifier from pg_control_system())::text as cluster
    where pg_is_in_recovery()`,
  )
  return found ? toPosition(found) : null
}

function toPosition(found: Row | undefined): Position {
  const [high = '0', low = '0'] = (found?.lsn ?? '0/0').split('/')
  return {
    lsn: (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`),
    timeline: Number(found?.timeline),
    cluster: found?.cluster ?? '',
  }
}

function compare(primary: Position, replayed: Position | null): Look {
  if (replayed === null) return 'no replica'
  if (replayed.cluster !== primary.cluster) return 'another cluster'
  return replayed.timeline === primary.timeline && replayed.lsn >= primary.lsn ? 'reached' : 'behind'
}

/** Logs one event when a replica has been unusable for a while, and one when it is usable again. */
function noteLag(log: Logger): (look: Look, err?: unknown) => Look {
  let since: number | null = null
  let isTold = false
  return (look, err) => {
    const now = performance.now()
    if (look === 'reached') {
      if (isTold) log.info({ milliseconds: Math.round(now - (since ?? now)) }, 'the replica is read from again')
      since = null
      isTold = false
      return look
    }
    since ??= now
    if (isTold || (MAY_PASS.has(look) && now - since < LAG_MS)) return look
    isTold = true
    log.warn({ look, ...(err !== undefined && { err }) }, 'the replica is not read from')
    return look
  }
}

/** Yields what an outage came from: the log tells outages of the primary once, and would leave out an event with one. */
function causeOf(error: unknown): unknown {
  return error instanceof Outage ? causeOf(error.cause) : error
}

/** Limits the time of work on a replica: one that answers later is not used. */
async function awaitInTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, PATIENCE_MS, new Error('the replica has not answered in time'))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Yields an address without credentials. */
export function formatReplicaName(url: string): string {
  const { host, searchParams } = new URL(url.replace('@/', '@socket/'))
  return searchParams.get('host') ?? host
}

/** What passes by itself, mostly within moments. */
const MAY_PASS: ReadonlySet<Look> = new Set(['behind', 'away'])
const PATIENCE_MS = 1000
const LAG_MS = 10_000
