import type { Lockout } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { deleteInSteps } from '../../../database/delete-in-steps.ts'
import { row, rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { createLruCache } from '../../../lib/lru-cache.ts'
import type { Settings } from '../../../settings/settings.ts'
import { sql } from '../../../sql.ts'
import { networkOf } from './addresses.ts'
import { listenToChannel } from './notification-health.ts'

/** When addresses are locked out. */
export interface LockoutOptions {
  /** Reads the current settings: so many failures refuse an address, 0 never. */
  readonly settings: () => Pick<Settings, 'failed_login_attempts_limit'>
}

const CHANNEL = 'login_failures'
const EXPIRY_MS = 5 * 60_000
const EXPIRY = sql`make_interval(secs => ${EXPIRY_MS / 1000})`

/**
 * A count that expires later than this was stored by a wrong clock, and is ignored. The minute is for statements that began
 * before a count was stored that they meet, and for times that were rounded up.
 */
const COUNTS = sql`known.expires_at > now() and known.expires_at <= now() + ${EXPIRY} + interval '1 minute'`
const PRUNE_INTERVAL_MS = 60_000

interface Failures {
  readonly count: number
  readonly until: number
}

/** Opens the lockout of one process. All processes on a database count together. */
export async function openLockout(database: Database, options: LockoutOptions): Promise<Lockout> {
  const readClock = () => performance.now() // a clock that is never set back
  const known = createLruCache<string, Failures>(100_000)
  // The counts, once loaded. While notifications are lost `forget` drops the promise, so that they are loaded again.
  let loaded: Promise<void> | null = null
  let complete = false
  let lastPruned = Number.NEGATIVE_INFINITY

  // Notifications may arrive out of order: a lower count is outdated, except for 1, which starts anew after an expiry.
  const learn = (address: string, count: number, lifetimeMs: number) => {
    const before = known.get(address)
    if (before && before.until > readClock() && before.count > count && count > 1) return
    known.set(address, { count, until: readClock() + lifetimeMs })
  }
  const hearing = await listenToChannel(database, CHANNEL, {
    onMessage: (payload) => {
      const [address = '', count] = payload.split(' ')
      learn(address, Number(count), EXPIRY_MS)
    },
    onLost: forget,
    onRevived: forget,
  })
  await load()

  return { check, fail }

  function forget(): void {
    complete = false
    loaded = null
    known.clear()
  }

  function load(): Promise<void> {
    if (loaded !== null) return loaded
    const loading = loadAllFailures(database).then(
      (failures) => {
        for (const { address, count, lifetimeMs } of failures) learn(networkOf(address), count, lifetimeMs)
        if (loaded === loading) complete = true
      },
      (error) => {
        if (loaded === loading) loaded = null
        throw error
      },
    )
    loaded = loading
    return loading
  }

  async function failuresOf(address: string): Promise<Failures> {
    if (!complete) await (hearing.alive() ? load() : hearing.revive())
    if (!complete) return { count: await loadFailures(database, address), until: readClock() + EXPIRY_MS }
    const failures = known.get(address)
    return failures && failures.until > readClock() ? failures : NO_FAILURES
  }

  async function check(address: string | null): Promise<void> {
    const { failed_login_attempts_limit: limit } = options.settings()
    if (limit <= 0 || (complete && known.size === 0)) return
    const { count, until } = await failuresOf(networkOf(address))
    if (count < limit) return
    throw new Failure('locked_out', 'Too many tries, please try again in a few minutes.', {
      retryAfter: Math.max(1, Math.ceil((until - readClock()) / 1000)),
    })
  }

  async function fail(address: string | null): Promise<void> {
    if (options.settings().failed_login_attempts_limit <= 0) return
    const network = networkOf(address)
    learn(network, await storeFailure(database, network), EXPIRY_MS)
    if (readClock() - lastPruned < PRUNE_INTERVAL_MS) return
    lastPruned = readClock()
    await deleteInSteps(database.db, 'login_failures', sql`not (${COUNTS})`, { key: 'address' })
  }
}

const NO_FAILURES: Failures = { count: 0, until: 0 }

/** Counts a failure and notifies all processes, in one statement. */
async function storeFailure(database: Database, address: string): Promise<number> {
  const counted = await row<{ failures: number }>(
    database.db,
    sql`
      with counted as (
        insert into login_failures as known (address, failures, expires_at)
        values (${address}::inet, 1, now() + ${EXPIRY})
        on conflict (address) do update
          set failures = case when ${COUNTS} then known.failures + 1 else 1 end,
              expires_at = excluded.expires_at
        returning failures
      )
      select failures, pg_notify(${CHANNEL}, ${address}::text || ' ' || failures) from counted`,
  )
  return counted?.failures ?? 0
}

async function loadFailures(database: Database, address: string): Promise<number> {
  const found = await row<{ failures: number }>(
    database.db,
    sql`select failures from login_failures known where address = ${address}::inet and ${COUNTS}`,
  )
  return found?.failures ?? 0
}

function loadAllFailures(database: Database): Promise<{ address: string; count: number; lifetimeMs: number }[]> {
  return rows(
    database.db,
    sql`
      select host(address) as address, failures as count,
             (extract(epoch from expires_at - now()) * 1000)::float8 as "lifetimeMs"
      from login_failures known where ${COUNTS}`,
  )
}
