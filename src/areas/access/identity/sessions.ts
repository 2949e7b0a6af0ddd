import { createHmac, randomBytes } from 'node:crypto'
import type { Scope } from '../../../context.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { withAnnouncement } from './changes.ts'
import { digestSecret, hasSameBytes } from './secrets.ts'

/** The secrets of a new session, of which only digests are stored. */
export interface NewSession {
  /** Value of the cookie, which has to be HttpOnly, SameSite=Lax and, with TLS, Secure. */
  readonly cookie: string
  /** To be sent as `X-CSRF-Token` with every request that writes. */
  readonly csrf: string
}

/** The organization and location that the session remembers. */
export type SessionScope = Pick<Scope, 'organization' | 'location'>

/** A session that has not ended. */
export interface Session {
  readonly userId: number
  /** The organization and location of requests that name none (core-api §4.5). */
  readonly scope: SessionScope
  readonly csrfDigest: Uint8Array
}

/**
 * The last use of a session is stored, and the session read again, at most twice in this time. It may live longer by as much.
 */
export const SESSION_RESOLUTION_MS = 60_000
const COOKIE_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** How a session was begun, shown to its user. */
export interface SessionClient {
  readonly address: string | null
  readonly userAgent: string | null
}

const NO_CLIENT: SessionClient = { address: null, userAgent: null }
const LONGEST_USER_AGENT = 255

/**
 * Starts a session after a login, in the user's default organization and location (core-api §5.2), or with `anywhere`
 * in none, as for requests with a password.
 */
export async function createSession(
  db: Db,
  userId: number,
  where: 'in defaults' | 'anywhere' = 'in defaults',
  { address, userAgent }: SessionClient = NO_CLIENT,
): Promise<NewSession> {
  const cookie = randomBytes(32).toString('base64url')
  const csrf = computeCsrfToken(cookie)
  const isInDefaults = where === 'in defaults'
  await rows(
    db,
    sql`
      insert into sessions (token, csrf, user_id, organization_id, location_id, address, user_agent)
      select ${digestSecret(cookie)}, ${digestSecret(csrf)}, id,
             case when ${isInDefaults} then default_organization_id end,
             case when ${isInDefaults} then default_location_id end,
             ${address}::inet, ${userAgent?.slice(0, LONGEST_USER_AGENT) ?? null}::text
      from users where id = ${userId}`,
  )
  return { cookie, csrf }
}

/** Computes the CSRF token of a session from its cookie, which only the browser of the user has. */
export function computeCsrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url')
}

/** Whether a request of this session carries its CSRF token. */
export function isCsrfTokenOf(session: Session, csrf: string | null): boolean {
  return csrf !== null && hasSameBytes(digestSecret(csrf), session.csrfDigest)
}

/**
 * Loads the session of a cookie and stores its use; 'expired' when it was idle for too long, undefined when there is
 * none.
 */
export async function useSession(
  db: Db,
  cookie: string,
  idleMinutes: number,
): Promise<Session | 'expired' | undefined> {
  if (!COOKIE_SHAPE.test(cookie)) return undefined
  const token = digestSecret(cookie)
  const found = await row<{
    user_id: number
    organization_id: number | null
    location_id: number | null
    csrf: Uint8Array
    idle: number
  }>(
    db,
    sql`
      select user_id, organization_id, location_id, csrf,
             (extract(epoch from now() - last_seen_at) * 1000)::float8 as idle
      from sessions where token = ${token}`,
  )
  if (!found) return undefined
  if (found.idle > computeIdleLimit(idleMinutes)) return 'expired'
  // A last use in the future was stored before the clock was set back: it is replaced.
  if (Math.abs(found.idle) > SESSION_RESOLUTION_MS / 2) await noteUse(db, token)
  return {
    userId: found.user_id,
    scope: { organization: found.organization_id, location: found.location_id },
    csrfDigest: found.csrf,
  }
}

/** Whether a session still exists. */
export async function isSessionThere(db: Db, cookie: string): Promise<boolean> {
  const found = await row<{ user_id: number }>(
    db,
    sql`select user_id from sessions where token = ${digestSecret(cookie)}`,
  )
  return found !== undefined
}

/** Stores the organization and location that requests of a session inherit; null means any. */
export async function setSessionScope(db: Db, cookie: string, scope: SessionScope): Promise<void> {
  const statement = sql`
    update sessions set organization_id = ${scope.organization}, location_id = ${scope.location}
    where token = ${digestSecret(cookie)}`
  await rows(db, withAnnouncement(statement))
}

/** Ends the session of a cookie, if there is one. */
export async function endSession(db: Db, cookie: string): Promise<void> {
  await rows(db, withAnnouncement(sql`delete from sessions where token = ${digestSecret(cookie)}`))
}

/** Ends all sessions of a user, as after a new password; `except` is a cookie whose session stays. */
export async function endSessionsOf(db: Db, userId: number, except: string | null = null): Promise<void> {
  const kept = except === null ? null : digestSecret(except)
  await rows(
    db,
    withAnnouncement(sql`delete from sessions where user_id = ${userId} and token is distinct from ${kept}`),
  )
}

/** The most sessions that one statement deletes, each with some rows beside it, so that its login does not wait. */
const DELETED_AT_ONCE = 150

/**
 * Deletes up to `DELETED_AT_ONCE` expired sessions and yields how many. Rows that another process is deleting are
 * skipped. Sessions with a last use in the future (by a wrong clock) count as idle from now on.
 */
export async function deleteIdleSessions(db: Db, idleMinutes: number): Promise<number> {
  const deleted = await rows(
    db,
    sql`
      with ahead as (
        update sessions set last_seen_at = now() where token in (
          select token from sessions where last_seen_at > now() + make_interval(secs => ${SESSION_RESOLUTION_MS / 1000})
          limit ${DELETED_AT_ONCE} for update skip locked)
      )
      delete from sessions where token in (
        select token from sessions
        where last_seen_at < now() - make_interval(secs => ${computeIdleLimit(idleMinutes) / 1000})
        limit ${DELETED_AT_ONCE} for update skip locked)
      returning user_id`,
  )
  return deleted.length
}

/** Milliseconds after which an unused session is expired. */
export function computeIdleLimit(idleMinutes: number): number {
  return idleMinutes * 60_000 + SESSION_RESOLUTION_MS
}

async function noteUse(db: Db, token: Buffer): Promise<void> {
  await rows(
    db,
    sql`
      update sessions set last_seen_at = now()
      where token in (select token from sessions where token = ${token} for update skip locked)`,
  )
}
