import { LRUCache } from 'lru-cache'
import type { Database } from '../../../database/connect.ts'
import { type IdentityCache, REMEMBERED_MS } from './cache.ts'
import { createSession, deleteIdleSessions, isSessionThere } from './sessions.ts'

interface LoginSessionOptions {
  readonly database: Database
  readonly cache: IdentityCache
  /** Minutes after which an unused session ends. */
  readonly idleTimeout: () => number
}

/** The cookie of a session of this user, who has just proved a password. */
export type GiveLoginSession = (userId: number) => Promise<string>

const MOST_USERS = 10_000

/**
 * Sessions for clients that log in with every request and keep what cookie they are given. A process gives the same one to
 * all requests of a user until half of the time is over after which it would end unused: however many requests there are,
 * it makes two sessions in that time, and more only where theirs have been ended.
 */
export function createLoginSessions({ database, cache, idleTimeout }: LoginSessionOptions): GiveLoginSession {
  const given = new LRUCache<number, { readonly cookie: string; readonly until: number }>({ max: MOST_USERS })
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
