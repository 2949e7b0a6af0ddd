import { LRUCache } from 'lru-cache'
import type { Actor } from '../../../context.ts'
import type { Database } from '../../../database/connect.ts'
import { loadActor } from './actors.ts'
import { IDENTITY_CHANNEL } from './changes.ts'
import { listenToChannel } from './hearing.ts'

/** How long something may be taken for true without another look. Changes are heard of at once; this is the safety net. */
export const REMEMBERED_MS = 60_000
const MOST_ENTRIES = 10_000

/** Something found out, and how long it may be remembered: `REMEMBERED_MS` at most, 0 for not at all. */
export interface CacheEntry<Value> {
  readonly value: Value
  readonly lifetimeMs: number
}

/** What one process remembers of identities. */
export interface IdentityCache {
  /**
   * What `work` finds out, remembered under `key`, which says what it holds. Costs no statement when it is known. Callers
   * of the same key and client at the same time share one run; what was found out while identities changed is returned
   * but not remembered. Neither are failures.
   */
  readonly remember: <Value>(key: string, client: string, work: () => Promise<CacheEntry<Value>>) => Promise<Value>
  /** The actor with this user id, undefined when there is none. */
  readonly actor: (userId: number) => Promise<Actor | undefined>
  /**
   * Forgets everything. Changes in the database cause it in every process, milliseconds after their commit; whoever
   * answers a write calls it before the answer, so that its caller already sees what changed.
   */
  readonly clear: () => void
  /** How often something was known, and how often it had to be found out. */
  readonly uses: () => { readonly hits: number; readonly misses: number }
}

interface Entry {
  readonly value: unknown
  readonly until: number
}

/**
 * An empty cache that listens for changes; while it cannot listen it remembers nothing. Its clock never jumps: one that was
 * set back would make it remember for longer.
 */
export async function openIdentityCache(database: Database, now = () => performance.now()): Promise<IdentityCache> {
  const entries = new LRUCache<string, Entry>({ max: MOST_ENTRIES })
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

  return { remember, actor, clear, uses: () => ({ ...uses }) }

  function remember<Value>(key: string, client: string, work: () => Promise<CacheEntry<Value>>): Promise<Value> {
    const entry = entries.get(key)
    // A key says what it holds, so whoever asks for it gets the type that was stored.
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

  function actor(userId: number): Promise<Actor | undefined> {
    return remember(`actor ${userId}`, '', async () => {
      const loaded = await loadActor(database.db, userId)
      return { value: loaded, lifetimeMs: loaded ? REMEMBERED_MS : 0 }
    })
  }
}
