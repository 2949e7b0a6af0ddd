import type { Actor } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { createLruCache } from '../../../lib/lru-cache.ts'
import { loadActor } from './actors.ts'
import { IDENTITY_CHANNEL } from './changes.ts'
import { listenToChannel } from './notification-health.ts'

/** How long something is remembered at most, should the notification of a change get lost. */
export const REMEMBERED_MS = 60_000
const MOST_ENTRIES = 10_000

/** A result, and for how many milliseconds it may be remembered: at most `REMEMBERED_MS`, 0 for not at all. */
export interface CacheEntry<Value> {
  readonly value: Value
  readonly lifetimeMs: number
}

/** The cache of users and logins of one process. */
export interface IdentityCache {
  /**
   * Yields the remembered result for `key`, or executes `work` and remembers its result. A key has to name the kind of
   * its result. Concurrent calls with equal key and client share one execution. Failures, and results during which
   * identities changed, are not remembered.
   */
  readonly remember: <Value>(key: string, client: string, work: () => Promise<CacheEntry<Value>>) => Promise<Value>
  /** The actor with this user id; undefined when there is none. */
  readonly actor: (userId: number) => Promise<Actor | undefined>
  /**
   * Forgets everything. Changes in the database cause this in every process soon after their commit. A request that
   * wrote calls it before it answers, so that its client sees the change with the next request.
   */
  readonly clear: () => void
  /** Numbers of look-ups that were answered from memory, and of others. */
  readonly uses: () => { readonly hits: number; readonly misses: number }
}

interface Entry {
  readonly value: unknown
  readonly until: number
}

/**
 * Creates an empty cache that is cleared on notifications. While these cannot be heard, nothing is remembered. `now`
 * has to be a clock that is never set back.
 */
export async function openIdentityCache(database: Database, now = () => performance.now()): Promise<IdentityCache> {
  const entries = createLruCache<string, Entry>(MOST_ENTRIES)
  const flights = new Map<string, Promise<unknown>>()
  let generation = 0
  const uses = { hits: 0, misses: 0 }

  const clear = () => {
    generation += 1
    entries.clear()
    flights.clear()
  }
  const hearing = await listenToChannel(database, IDENTITY_CHANNEL, {
    onMessage: clear,
    onLost: clear,
    onRevived: clear,
  })

  return { remember, actor: rememberActor, clear, uses: () => ({ ...uses }) }

  function remember<Value>(key: string, client: string, work: () => Promise<CacheEntry<Value>>): Promise<Value> {
    const entry = entries.get(key)
    // Keys name the kind of their results, so that the type is that of the caller.
    if (entry && entry.until > now()) {
      uses.hits++
      return Promise.resolve(entry.value as Value)
    }
    uses.misses++
    const flightKey = `${key} ${client}`
    const flying = flights.get(flightKey) as Promise<Value> | undefined
    if (flying !== undefined) return flying
    const flight = findOut(key, work).finally(() => {
      if (flights.get(flightKey) === flight) flights.delete(flightKey)
    })
    flights.set(flightKey, flight)
    return flight
  }

  async function findOut<Value>(key: string, work: () => Promise<CacheEntry<Value>>): Promise<Value> {
    await hearing.revive()
    const started = generation
    const { value, lifetimeMs } = await work()
    if (lifetimeMs > 0 && hearing.alive() && started === generation) {
      entries.set(key, { value, until: now() + Math.min(lifetimeMs, REMEMBERED_MS) })
    }
    return value
  }

  function rememberActor(userId: number): Promise<Actor | undefined> {
    return remember(`actor ${userId}`, '', async () => {
      const loaded = await loadActor(database.db, userId)
      return { value: loaded, lifetimeMs: loaded ? REMEMBERED_MS : 0 }
    })
  }
}
