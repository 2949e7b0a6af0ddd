import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Scope } from '../../../context.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { withAnnouncement } from './changes.ts'
import { digestSecret, hasSameBytes } from './secrets.ts'

export interface NewSession {
  /** Value of the cookie: to be sent HttpOnly, SameSite=Lax, and Secure wherever TLS is used. */
  readonly cookie: string
  /** To be sent back in `X-CSRF-Token` with everything that writes. */
  readonly csrf: string
}

export type SessionScope = Pick<Scope, 'organization' | 'location'>

export interface Session {
  readonly userId: number
  /** Organization and location that requests inherit when they name none (core-api §4.5). */
  readonly scope: SessionScope
  readonly csrfDigest: Uint8Array
}

/** Sessions note their last use, and are read again, at most this often; so they may live this much longer. */
export const SESSION_RESOLUTION_MS = 60_000
const COOKIE_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** By what a session was begun, for the people who look at their own. */
export interface SessionClient {
  readonly address: string | null
  readonly userAgent: string | null
}

const NO_CLIENT: SessionClient = { address: null, userAgent: null }
const LONGEST_USER_AGENT = 255

/**
 * Starts a session of somebody who has just logged in: in that user's default organization and location (core-api §5.2), or
 * where its requests mean the same as they would with a password.
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

/** The CSRF token of a session, for a page that was loaded anew: only who holds the cookie can compute it. */
export function computeCsrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url')
}

/** Whether a request of this session carries its CSRF token. */
export function isCsrfTokenOf(session: Session, csrf: string | null): boolean {
  return csrf !== null && hasSameBytes(digestSecret(csrf), session.csrfDigest)
}

/** The session of a cookie, noting its use; 'expired' when it was idle too long, undefined when there is none. */
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
  // The clock was set back where the last use lies ahead of it.
  if (Math.abs(found.idle) > SESSION_RESOLUTION_MS / 2) await noteUse(db, token)
  return {
    userId: found.user_id,
    scope: { organization: found.organization_id, location: found.location_id },
    csrfDigest: found.csrf,
  }
}

/** Whether nobody has ended it. */
export async function isSessionThere(db: Db, cookie: string): Promise<boolean> {
  const found = await row<{ user_id: number }>(
    db,
    sql`select user_id from sessions where token = ${digestSecret(cookie)}`,
  )
  return found !== undefined
}

/** Changes what requests of a session inherit; null means any. */
export async function setSessionScope(db: Db, cookie: string, scope: SessionScope): Promise<void> {
  const statement = sql`
    update sessions set organization_id = ${scope.organization}, location_id = ${scope.location}
    where token = ${digestSecret(cookie)}`
  await rows(db, withAnnouncement(statement))
}

/** Logs out. */
export async function endSession(db: Db, cookie: string): Promise<void> {
  await rows(db, withAnnouncement(sql`delete from sessions where token = ${digestSecret(cookie)}`))
}

/** Ends all sessions of a user, as a new password or a disabled account calls for; `except` is a cookie that may stay. */
export async function endSessionsOf(db: Db, userId: number, except: string | null = null): Promise<void> {
  const kept = except === null ? null : digestSecret(except)
  await rows(
    db,
    withAnnouncement(sql`delete from sessions where user_id = ${userId} and token is distinct from ${kept}`),
  )
}

/** What one statement deletes at most, so that a login that comes upon many of them does not wait. */
const DELETED_AT_ONCE = 500

/**
 * Deletes some of the sessions that were idle too long; returns how many. Skips what another process is deleting. Those that
 * a wrong clock saw in days to come are idle from now on.
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

/** Milliseconds after which a session that nobody used does not count. */
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
