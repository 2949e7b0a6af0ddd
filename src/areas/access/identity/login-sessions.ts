import type { Database } from '../../../database/database.ts'
import { createLruCache } from '../../../lib/lru-cache.ts'
import { type IdentityCache, REMEMBERED_MS } from './cache.ts'
import { createSession, deleteIdleSessions, isSessionThere } from './sessions.ts'

interface LoginSessionOptions {
  readonly database: Database
  readonly cache: IdentityCache
  /** Minutes after which an unused session ends. */
  readonly idleTimeout: () => number
}

/** Yields the cookie of a session for a user who has just sent a correct password. */
export type GiveLoginSession = (userId: number) => Promise<string>

const MOST_USERS = 10_000

/**
 * Creates sessions for clients that send a password with every request and keep any cookie. A process hands out one
 * session for all requests of a user during half of the idle timeout; another one is made earlier only if that has been
 * ended.
 */
export function createLoginSessions({ database, cache, idleTimeout }: LoginSessionOptions): GiveLoginSession {
  const given = createLruCache<number, { readonly cookie: string; readonly until: number }>(MOST_USERS)
  return (userId) =>
    cache.remember(`login session ${userId}`, '', async () => {
      const known = given.get(userId)
      const left = (known?.until ?? 0) - performance.now()
      if (known && left > 0 && (await isSessionThere(database.db, known.cookie)))
        return { value: known.cookie, lifetimeMs: Math.min(left, REMEMBERED_MS) }
      await deleteIdleSessions(database.db, idleTimeout())
      const { cookie } = await createSession(database.db, userId, 'anywhere')
      given.set(userId, { cookie, until: performance.now() + idleTimeout() * 30_000 })
      return { value: cookie, lifetimeMs: Math.min(idleTimeout() * 30_000, REMEMBERED_MS) }
    })
}
