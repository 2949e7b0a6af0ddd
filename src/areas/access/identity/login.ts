import type { Logger } from 'pino'
import type { Actor, Lockout } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { type Db, row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { OpenIdError } from '../../../openid/errors.ts'
import { sql } from '../../../sql.ts'
import {
  type LoginAttempt,
  type LoginCandidate,
  type LoginRefusal,
  loadCandidate,
  type Register,
  storeLoginTime,
  type Verify,
  verifyInternally,
} from '../directories/candidates.ts'
import type { AcceptToken } from '../openid/bearer.ts'
import { normalizeAddress } from './addresses.ts'
import { type CacheEntry, type IdentityCache, REMEMBERED_MS } from './cache.ts'
import type { AcceptDelegated, DelegatedUser } from './delegated-login.ts'
import { LONGEST_LOGIN } from './login-names.ts'
import { isOldTokenLike } from './old-tokens.ts'
import { type CheckPassword, createPasswordChecks } from './password-checks.ts'
import { createFingerprint, digestSecret } from './secrets.ts'
import { isCsrfTokenOf, SESSION_RESOLUTION_MS, type Session, useSession } from './sessions.ts'
import { isAdmitted, limitActor, type TokenLimits } from './token-limits.ts'
import { isTokenLike, loadEverything, useToken } from './tokens.ts'

/** The sender of a request, and how they proved it. The caller has to refuse disabled actors (core-api §1.1). */
export interface Authentication {
  readonly actor: Actor
  readonly method: 'password' | 'token' | 'session' | 'delegated' | 'provider'
  readonly session: Session | null
  /** A digest of the stored hash that the password was compared with; null for users without one. */
  readonly passwordDigest?: string | null
  /** The limits of the token. */
  readonly limits?: TokenLimits | null
}

/**
 * Authenticates a request from this client address. Only the first method offered counts: a live session, a delegated
 * login, the header `Authorization` (core-api §4.1). {@throws Failure} unauthenticated, locked_out, session_expired, or
 * unavailable when too many logins wait
 */
export type Authenticate = (credentials: Credentials, address: string | null) => Promise<Authentication>

/**
 * Finds the sender of a request that goes on, with present rights, by what they proved before: a session or a token that is
 * still there, or a password. That one is hashed again only when another one was stored meanwhile. {@throws Failure} as
 * authentication does
 */
export type FindAgain = (
  known: Authentication,
  credentials: Credentials,
  address: string | null,
) => Promise<Authentication>

/** The credentials of a request. */
export interface Credentials {
  readonly session: { readonly cookie: string; readonly csrf: string | null } | null
  readonly authorization: Authorization | null
  /** The user that a trusted web server in front has authenticated. */
  readonly delegated?: DelegatedUser | null
  /** Whether the request only reads (GET, HEAD, OPTIONS), and so needs no CSRF token. */
  readonly safe: boolean
}

/** The content of the header `Authorization`. */
export type Authorization =
  | { readonly kind: 'basic'; readonly login: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }

/** The dependencies of authentication, and the login methods beside stored passwords. */
interface AuthenticationOptions {
  readonly database: Database
  readonly cache: IdentityCache
  readonly lockout: Lockout
  readonly passwordMemoryMiB?: number
  /** Minutes after which an unused session ends. */
  readonly idleTimeout: () => number
  /** Password checks by type of source, for all but AuthSourceInternal. Users of other types have no password here. */
  readonly verifiers?: ReadonlyMap<string, Verify>
  /** Registers users for logins that are unknown here. */
  readonly register?: Register
  readonly acceptDelegated?: AcceptDelegated
  /** Finds the users of access tokens of providers. */
  readonly acceptToken?: AcceptToken
  readonly log?: Pick<Logger, 'warn'>
}

/**
 * Creates the authentication of one process (core-api §4). Remembered credentials cost no statement and no password
 * check.
 */
export function createAuthenticate(options: AuthenticationOptions): Authenticate {
  const { lockout } = options
  const parts: Parts = {
    ...options,
    db: options.database.db,
    fingerprint: createFingerprint(),
    checkPassword: createPasswordChecks(options.passwordMemoryMiB),
  }

  return async (credentials, address) => {
    const session = credentials.session ? await authenticateBySession(parts, credentials.session.cookie) : null
    if (session && session !== 'expired' && isAllowed(session, credentials)) return session
    await lockout.check(address)
    const { authorization, delegated } = credentials
    if (delegated) return requireGranted(await authenticateByDelegation(parts, delegated, address), delegated.login)
    // Without credentials there was no guess to count: clients may wait to be asked for them.
    if (!authorization) throw session === 'expired' ? new Failure('session_expired', '') : createUnauthenticated('')
    const found = await (authorization.kind === 'basic'
      ? authenticateByPassword(parts, authorization, address)
      : authenticateByBearer(parts, authorization.token, address))
    if (!found || ('guess' in found && found.guess)) await lockout.fail(address)
    return requireAddress(requireGranted(found, authorization.kind === 'basic' ? authorization.login : ''), address)
  }
}

/** Creates the look-up of senders whose requests go on; `authenticate` proves a password again that was changed. */
export function createFindAgain({ authenticate, ...options }: FindAgainOptions): FindAgain {
  const parts = { ...options, db: options.database.db }
  return async (known, credentials, address) => {
    const { method, actor: before } = known
    const { session, authorization } = credentials
    if (method === 'session') {
      const found = session && (await authenticateBySession(parts, session.cookie))
      if (found && found !== 'expired') return found
      throw found === 'expired' ? new Failure('session_expired', '') : createUnauthenticated(before.login)
    }
    if (method === 'token') {
      const token = authorization?.kind === 'basic' ? authorization.password : (authorization?.token ?? '')
      const found = await authenticateByToken(parts, token)
      if (found?.actor.id === before.id) return requireAddress(found, address)
      throw createUnauthenticated(before.login)
    }
    if (method === 'provider') return authenticate(credentials, address)
    const actor = await parts.cache.actor(before.id)
    if (actor === before) return known
    if (actor && (method === 'delegated' || (await loadPasswordDigest(parts.db, before.id)) === known.passwordDigest))
      return { ...known, actor }
    return authenticate(credentials, address)
  }
}

/** Reads the header `Authorization` (RFC 7617 in UTF-8, RFC 6750); null when it is absent or of another scheme. */
export function readAuthorization(header: string | undefined): Authorization | null {
  const space = header?.indexOf(' ') ?? -1
  if (header === undefined || space < 0) return null
  const scheme = header.slice(0, space).toLowerCase()
  const value = header.slice(space + 1).trim()
  if (scheme === 'bearer') return { kind: 'bearer', token: value }
  if (scheme === 'basic') return parseBasic(Buffer.from(value, 'base64').toString('utf8'))
  return null
}

interface FindAgainOptions extends Pick<AuthenticationOptions, 'database' | 'cache' | 'idleTimeout'> {
  readonly authenticate: Authenticate
}

async function loadPasswordDigest(db: Db, userId: number): Promise<string | null> {
  const found = await row<{ password: string | null }>(db, sql`select password from users where id = ${userId}`)
  return digestPassword(found?.password ?? null)
}

function digestPassword(stored: string | null): string | null {
  return stored === null ? null : digestSecret(stored).toString('base64')
}

/** What finds a user by a session or a token. */
type Finding = Pick<Parts, 'db' | 'cache' | 'idleTimeout'>

interface Parts extends AuthenticationOptions {
  readonly db: Db
  readonly fingerprint: (...secrets: string[]) => string
  readonly checkPassword: CheckPassword
}

type Basic = Extract<Authorization, { kind: 'basic' }>
type FoundAuthentication = CacheEntry<Authentication | null>
type LoginResult = Authentication | LoginRefusal | null
type How = Pick<Authentication, 'method' | 'session' | 'passwordDigest' | 'limits'> & { readonly lifetimeMs: number }

const NOBODY: FoundAuthentication = { value: null, lifetimeMs: 0 }

function requireGranted(verdict: LoginResult, login: string): Authentication {
  if (verdict && 'actor' in verdict) return verdict
  throw createUnauthenticated(login, verdict?.details)
}

/** Refuses a token that is limited to other addresses. It was no guess, so the failure does not count. */
function requireAddress(found: Authentication, address: string | null): Authentication {
  if (!found.limits || isAdmitted(found.limits, normalizeAddress(address))) return found
  throw createUnauthenticated(found.actor.login, WRONG_ADDRESS)
}

const WRONG_ADDRESS = 'This token may not be used from this address.'

function createUnauthenticated(login: string, details?: string): Failure {
  const message = `Unable to authenticate user ${login.slice(0, LONGEST_LOGIN)}`
  return new Failure('unauthenticated', message, details === undefined ? {} : { details })
}

/**
 * Whether the CSRF token is right where one is needed: browsers send the cookie also with requests that other sites
 * cause (core-api §4.5).
 */
function isAllowed({ session }: Authentication, credentials: Credentials): boolean {
  return credentials.safe || (session !== null && isCsrfTokenOf(session, credentials.session?.csrf ?? null))
}

function authenticateBySession(parts: Finding, cookie: string): Promise<Authentication | 'expired' | null> {
  return parts.cache.remember<Authentication | 'expired' | null>(
    `session ${digestSecret(cookie).toString('base64')}`,
    '',
    async () => {
      const session = await useSession(parts.db, cookie, parts.idleTimeout())
      if (session === 'expired') return { value: 'expired', lifetimeMs: 0 }
      if (!session) return NOBODY
      return loadAuthentication(parts, session.userId, {
        method: 'session',
        session,
        lifetimeMs: SESSION_RESOLUTION_MS / 2,
      })
    },
  )
}

function authenticateByToken(parts: Finding, value: string): Promise<Authentication | null> {
  return parts.cache.remember(`token ${digestSecret(value).toString('base64')}`, '', () =>
    findByToken(parts, value, null),
  )
}

/**
 * Finds the sender of a bearer token: ours, or an access token of a provider. Why that one counts for nothing is answered, and
 * is a failed guess.
 */
async function authenticateByBearer(parts: Parts, value: string, address: string | null): Promise<LoginResult> {
  const { acceptToken } = parts
  if (!acceptToken || isTokenLike(value) || isOldTokenLike(value)) return authenticateByToken(parts, value)
  return parts.cache.remember<LoginResult>(`provider ${parts.fingerprint(value)}`, '', async () => {
    try {
      const found = await acceptToken(value, normalizeAddress(address))
      if (found === null) return NOBODY
      const lifetimeMs = Math.max(0, Math.min(found.lifetimeMs, REMEMBERED_MS))
      return await loadAuthentication(parts, found.userId, { method: 'provider', session: null, lifetimeMs })
    } catch (error) {
      if (!(error instanceof OpenIdError)) throw error
      parts.log?.warn({ reason: error.code, detail: error.message, address }, 'token of a provider refused')
      return { value: { details: error.sentence, guess: true }, lifetimeMs: 0 }
    }
  })
}

/** Remembers a delegated login for a minute, for as long as the web server says the same of the user. */
async function authenticateByDelegation(
  parts: Parts,
  delegated: DelegatedUser,
  address: string | null,
): Promise<LoginResult> {
  const { login, mail, firstname, lastname, groups } = delegated
  if (!parts.acceptDelegated || !isPossibleLogin(login)) return null
  const accept = parts.acceptDelegated
  const said = JSON.stringify([login, mail, firstname, lastname, groups])
  return parts.cache.remember<LoginResult>(`delegated ${parts.fingerprint(said)}`, '', async () => {
    const userId = await accept(delegated, normalizeAddress(address))
    if (typeof userId === 'object') return { value: userId, lifetimeMs: 0 }
    return loadAuthentication(parts, userId, { method: 'delegated', session: null, lifetimeMs: REMEMBERED_MS })
  })
}

async function authenticateByPassword(parts: Parts, basic: Basic, address: string | null): Promise<LoginResult> {
  const { login, password } = basic
  if (!isPossiblePassword(password) || !isPossibleLogin(login)) return null
  const client = normalizeAddress(address)
  const attempt = { login, password, client, stillAllowed: () => parts.lockout.check(address) }
  return parts.cache.remember(`basic ${parts.fingerprint(login, password)}`, client, () =>
    findByPassword(parts, attempt),
  )
}

/**
 * Finds the user of login and password, or of a token in place of the password (core-api §4.2), which needs no source.
 */
async function findByPassword(parts: Parts, attempt: LoginAttempt): Promise<CacheEntry<LoginResult>> {
  const candidate = await loadCandidate(parts.db, attempt.login)
  const byToken = candidate ? await findByToken(parts, attempt.password, candidate.id) : NOBODY
  if (byToken.value) return byToken
  const userId = await findProvenUser(parts, candidate, attempt)
  if (userId === null) return NOBODY
  if (typeof userId === 'object') return { value: userId, lifetimeMs: 0 }
  const passwordDigest = digestPassword(candidate?.password ?? null)
  const known: How = { method: 'password', session: null, passwordDigest, lifetimeMs: REMEMBERED_MS }
  return loadAuthentication(parts, userId, known, candidate?.noteDue)
}

/**
 * Finds the user to whom login and password belong. Unknown users, and those without a password, take as long, so that
 * the time does not tell which logins exist. A directory is asked while neither a connection nor a slot for password
 * checks is held.
 */
async function findProvenUser(
  parts: Parts,
  candidate: LoginCandidate | undefined,
  attempt: LoginAttempt,
): Promise<number | LoginRefusal | null> {
  const check = (stored: string | null) => parts.checkPassword(stored, attempt.password, attempt)
  if (candidate?.authSourceType === 'AuthSourceInternal') {
    return (await verifyInternally(parts, candidate, attempt.password, check)) ? candidate.id : null
  }
  const elsewhere = await askElsewhere(parts, candidate, attempt)
  if (elsewhere === null && !checksItself(parts, candidate)) await check(null)
  return elsewhere
}

async function askElsewhere(
  parts: Parts,
  candidate: LoginCandidate | undefined,
  attempt: LoginAttempt,
): Promise<number | LoginRefusal | null> {
  // Tokens, revoked ones too, are not shown to any source of users.
  if (isTokenLike(attempt.password)) return null
  if (!candidate) return (await parts.register?.(attempt)) ?? null
  const verdict = await parts.verifiers?.get(candidate.authSourceType)?.(candidate, attempt)
  return typeof verdict === 'object' ? verdict : verdict ? candidate.id : null
}

/** Whether the source of the user checks passwords itself: then no check here has to take up time after a failure. */
function checksItself({ verifiers }: Parts, candidate: LoginCandidate | undefined): boolean {
  return candidate !== undefined && verifiers?.has(candidate.authSourceType) === true
}

async function findByToken(parts: Finding, value: string, owner: number | null): Promise<FoundAuthentication> {
  const token = await useToken(parts.db, value, owner)
  if (!token) return NOBODY
  const lifetimeMs = token.expiresIn ?? REMEMBERED_MS
  const { limits, userId } = token
  return loadAuthentication(parts, userId, { method: 'token', session: null, lifetimeMs, limits })
}

async function loadAuthentication(
  parts: Finding,
  userId: number,
  { lifetimeMs, ...how }: How,
  noteDue = how.method !== 'session',
): Promise<FoundAuthentication> {
  const [actor] = await Promise.all([parts.cache.actor(userId), noteDue ? storeLoginTime(parts.db, userId) : null])
  if (!actor) return NOBODY
  const acting = how.limits ? limitActor(actor, how.limits, await loadEverything(parts.db)) : actor
  return { value: Object.freeze({ actor: acting, ...how }), lifetimeMs }
}

function isPossibleLogin(login: string): boolean {
  return login.length > 0 && login.length <= LONGEST_LOGIN && !login.includes('\0')
}

function parseBasic(pair: string): Authorization {
  const colon = pair.indexOf(':')
  if (colon < 0) return { kind: 'basic', login: pair, password: '' }
  return { kind: 'basic', login: pair.slice(0, colon), password: pair.slice(colon + 1) }
}

const LONGEST_PASSWORD = 1024

/** Whether a text can be a password at all. If not, nothing has to be hashed or looked up. */
function isPossiblePassword(password: string): boolean {
  return password.length > 0 && password.length <= LONGEST_PASSWORD && !password.includes('\0')
}
