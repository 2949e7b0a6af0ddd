import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Authentication,
  type Credentials,
  computeCsrfToken,
  findFactorNeed,
  formatOwner,
  isSessionOfProvider,
  readAuthorization,
  requireFreshProof,
} from '../../areas/access/index.ts'
import type { Actor, Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { membersOf } from '../../lib/values.ts'
import type { Route } from '../../requests/route.ts'
import { readBody } from '../body.ts'
import { type Dialect, PLAIN } from '../dialect.ts'
import { isForeign } from '../foreign.ts'
import { setHeader } from '../listeners/header-values.ts'
import { isLocal } from '../listeners/local.ts'
import type { Shared } from '../shared.ts'

/**
 * The sender of a request and the method of authentication; `method` is null for machines and for the owner of the
 * data.
 */
export type Caller = Omit<Authentication, 'method'> & { readonly method: Authentication['method'] | null }

/**
 * Finds the caller of a request: the owner of the data on the local socket, a machine without a login on routes that admit
 * machines (smart-parameters §9.2), otherwise the user whose credentials the request has. {@throws Failure}
 */
export async function findCaller(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
): Promise<Caller> {
  const { authorization, cookie } = request.headers
  if (authorization === undefined && cookie === undefined && isLocal(request.raw)) return findOwner(shared)
  const isMachine =
    route.forMachines === true &&
    authorization === undefined &&
    readSessionCookie(cookie, dialect.loginCookie ?? undefined) === null
  const machine = isMachine ? await shared.admits(request) : null
  if (machine) return { actor: machine, method: null, session: null }
  const found = await authenticate(shared, dialect, request)
  const presented = found.method === 'session' ? readSessionCookie(cookie, dialect.loginCookie ?? undefined) : null
  await requireSecondFactor(shared, found, { route, body: () => readBody(request), cookie: presented })
  return found
}

/**
 * Finds the caller of a request again, which does more than one transaction or portion. The owner of the data stays who they
 * are. {@throws Failure}
 */
export async function findCallerAgain(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  known: Caller,
): Promise<Caller> {
  const { method } = known
  if (method !== null)
    return shared.findAgain(
      { ...known, method },
      readCredentials(shared, dialect, request),
      shared.clientAddress(request),
    )
  return isLocal(request.raw) ? known : findCaller(shared, dialect, route, request)
}

/**
 * Yields the user of a browser's session, for public answers whose content depends on the user; null without a session,
 * or if the database is too slow.
 */
export async function findUserOfSession(shared: Shared, request: FastifyRequest): Promise<Actor | null> {
  if (readSessionCookie(request.headers.cookie) === null) return null
  const found = authenticate(shared, PLAIN, request).then(
    ({ actor }) => actor,
    () => null,
  )
  return Promise.race([found, new Promise<null>((resolve) => setTimeout(resolve, MOST_MS, null).unref())])
}

/**
 * Sets the login cookie for a caller who has sent a password, or a token of a provider to log in with, where the dialect has one
 * and the client does not have it yet.
 */
export async function answerLogin(
  shared: Shared,
  { loginCookie }: Dialect,
  { beginsSession }: Route,
  { origin, user }: Context,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isLogin = origin.login === 'password' || (beginsSession && origin.login === 'provider')
  if (loginCookie === null || !isLogin) return
  const cookie = await shared.loginSession(user.id)
  if (readSessionCookie(headers.cookie, loginCookie) === cookie) return
  setHeader(reply, 'set-cookie', formatStartCookie(cookie, origin.secure, loginCookie))
}

const NAME = 'millwright_session'

/** Reads the session cookie of a request, under the name `wanted`; null when it has none. */
export function readSessionCookie(header: string | undefined, wanted = NAME): string | null {
  if (!header?.includes(wanted)) return null
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value) return value
  }
  return null
}

/** Formats `Set-Cookie` for a session; `secure` is true if clients use HTTPS. */
export function formatStartCookie(value: string, secure: boolean, name = NAME): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Formats `Set-Cookie` that deletes the session cookie. */
export function formatEndCookie(): string {
  return `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`
}

/** The message of a login that still needs a code; the console knows it by this. */
export const CODE_MISSING = 'The second factor is missing'

/**
 * Yields the caller of a request through the local socket: whoever can open the socket owns the data. The caller acts as an
 * administrator, and audits name the account that the service runs under. {@throws Failure} unauthenticated
 */
async function findOwner(shared: Shared): Promise<Caller> {
  const actor = await shared.ownerOfData()
  if (!actor)
    throw new Failure('unauthenticated', 'There is no administrator to act for: millwright users create-admin')
  return { actor: { ...actor, name: formatOwner() }, method: null, session: null }
}

async function authenticate(shared: Shared, dialect: Dialect, request: FastifyRequest): Promise<Authentication> {
  const credentials = readCredentials(shared, dialect, request)
  return shared.authenticate(credentials, shared.clientAddress(request)).catch((error: unknown) => {
    shared.noticeLockout(request, error)
    throw error
  })
}

function readCredentials(shared: Shared, dialect: Dialect, request: FastifyRequest): Credentials {
  return {
    session: sessionOf(dialect, request),
    authorization: readAuthorization(request.headers.authorization),
    delegated: shared.delegation(request),
    safe: request.method === 'GET' || request.method === 'HEAD',
  }
}

/**
 * Reads the session of a request; null where it has none. In a dialect with a login cookie clients have no CSRF token:
 * instead, a request that another site has caused is refused, and an `Authorization` header takes precedence over the
 * cookie. {@throws Failure} denied
 */
function sessionOf({ loginCookie }: Dialect, request: FastifyRequest): Credentials['session'] {
  const { authorization, cookie: header, 'x-csrf-token': csrf } = request.headers
  const cookie = readSessionCookie(header, loginCookie ?? undefined)
  if (cookie === null) return null
  if (loginCookie === null) return { cookie, csrf: typeof csrf === 'string' ? csrf : null }
  if (authorization !== undefined) return null
  if (!isForeign(request)) return { cookie, csrf: computeCsrfToken(cookie) }
  const details = 'Requests that another site has made up do not belong to a session'
  throw new Failure('denied', 'Access denied', { details, missingPermissions: null })
}

/**
 * Refuses a caller who came with a password only, without the second factor that they have or must have, and writes to
 * users, their tokens and factors, roles and sources in a session whose proof is too old. Tokens, machines, users of web servers in front and of
 * providers need to set up none. {@throws Failure} unauthenticated, denied
 */
async function requireSecondFactor(
  shared: Shared,
  { actor, method }: { readonly actor: Actor; readonly method: string | null },
  asked: Asked,
): Promise<void> {
  if (method !== 'password' && method !== 'session') return
  const { route, cookie } = asked
  const settings = shared.settings()
  const need = await findFactorNeed(shared.database.db, actor, settings, new Date())
  if (need === 'enrol' && !LEADING.has(route.group)) {
    const isOfProvider = cookie !== null && (await isSessionOfProvider(shared.database.db, cookie))
    if (!isOfProvider) throw createRefusal(ENROL)
  }
  if (need !== 'prove') return
  if (method === 'password' && !BEGINNING.has(route.id))
    throw new Failure('unauthenticated', `Unable to authenticate user ${actor.login}`, { details: BY_TOKEN })
  if (cookie === null || route.method === 'GET' || !listPaths(asked).some((path) => GUARDED.test(path))) return
  await requireFreshProof({ db: shared.database.db, user: actor, settings, origin: { session: cookie } })
}

/** The request, as far as this decision needs it. */
interface Asked {
  readonly route: Route
  readonly body: () => unknown
  /** The cookie of the session. */
  readonly cookie: string | null
}

/** Routes that lead to a session: one asks a passkey, the other begins the session and reads the proof itself. */
const BEGINNING = new Set(['session.passkey', 'session.create'])

/** What somebody without the second factor that they must have can still use: it leads to one. */
const LEADING = new Set(['second_factors', 'session', 'sessions', 'service'])

/**
 * Writes that need a fresh proof of the second factor, whatever their paths begin with: a stranger at an open browser must not get
 * lasting access. To revert an audit may be such a write.
 */
const GUARDED = new RegExp(
  [
    /\/(?:personal_access_tokens|ssh_keys|second_factors|user_identities|login_requests)(?:\/|$)/,
    /\/(?:roles|filters|usergroups|external_usergroups|auth_source\w*)(?:\/|$)/,
    /\/users(?:\/+[^/]+)?\/*$/,
    /\/audits\/+[^/]+\/+revert\/*$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

const BY_TOKEN = 'This account has a second factor: use a personal access token in place of the password.'
const ENROL = 'This account must have a second factor, and the time to set one up is over: set one up now.'

function createRefusal(details: string): Failure {
  return new Failure('denied', 'Access denied', { details, missingPermissions: null })
}

/** Lists the path of the request, or the paths that a batch names. */
function listPaths({ route, body }: Asked): string[] {
  if (route.group !== 'batch') return [route.path]
  const { operations } = membersOf(body())
  return Array.isArray(operations) ? operations.map((one) => toPlainPath(String(membersOf(one).path))) : []
}

/** Yields the path that a batch is routed by, decoded. */
function toPlainPath(path: string): string {
  const url = URL.parse(path, 'http://localhost')
  try {
    return decodeURIComponent(url?.pathname ?? path)
  } catch {
    return path
  }
}

/** The most milliseconds that the answer with a page that holds no data waits to know who asks for it. */
const MOST_MS = 250
