import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import {
  type Authenticate,
  type Authentication,
  type Credentials,
  computeCsrfToken,
  formatOwner,
  type GiveLoginSession,
  normalizeAddress,
  readAuthorization,
} from '../areas/access/index.ts'
import type { Actor, Context, CountCache, Followers, Lockout, ProxyAccess, Trees } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { Directories } from '../directory/directories.ts'
import type { Encryption } from '../encryption.ts'
import { badParameter, Failure } from '../errors.ts'
import { requireAccess } from '../kernel/authorize.ts'
import type { Input, Registry } from '../kernel/definition.ts'
import type { Answer } from '../kernel/facts.ts'
import { hasAlready } from '../kernel/prefer.ts'
import type { Route } from '../kernel/route.ts'
import type { Settings } from '../settings.ts'
import { membersOf } from '../values.ts'
import type { AdmitMachine } from './admission.ts'
import { readBody, requireJson } from './body.ts'
import { type Representation, readConditions, writeConditionally } from './conditions.ts'
import { formatStartCookie, readSessionCookie } from './cookies.ts'
import { deferRequest, isDeferred } from './deferred.ts'
import type { ReadDelegation } from './delegation.ts'
import { withDenialEvents } from './denials.ts'
import { type Dialect, PLAIN } from './dialect.ts'
import { etagOf } from './etag.ts'
import { isForeign } from './foreign.ts'
import { findIgnored, formatIgnored, refuseIgnored } from './ignored.ts'
import { answerLines, asksForLines } from './lines.ts'
import { cameLocally } from './local.ts'
import { answerRead } from './reading.ts'
import { resolveScope, type ScopeNames } from './scope.ts'
import { createReadable } from './streaming.ts'
import type { NoticeLockout } from './undeclared-proxy.ts'
import { formatNext, isWalked, openWalk, readAfter } from './walk.ts'

/** What all requests of a process share. */
export interface Shared {
  readonly database: Database
  readonly registry: Registry
  readonly authenticate: Authenticate
  readonly loginSession: GiveLoginSession
  /** Yields the actor for requests through the socket of the data directory; null where no user may do everything. */
  readonly ownerOfData: () => Promise<Actor | null | undefined>
  readonly admits: AdmitMachine
  readonly delegation: ReadDelegation
  readonly lockout: Lockout
  readonly passwordMemoryMiB: number
  readonly noticeLockout: NoticeLockout
  readonly trees: () => Promise<Trees>
  readonly counts: CountCache
  /** Counts for replicas, which differ from those of the primary because commits become visible in another order. */
  readonly replicaCounts: CountCache
  readonly settings: () => Settings
  readonly encryption: Encryption
  readonly directories: Directories
  readonly followers: Followers
  readonly proxies: ProxyAccess
  readonly version: string
  readonly log: Logger
  /** Called before the answer to a write is sent, so that caches of the process can be cleared. */
  readonly afterWrite: (route: Route) => Promise<void>
}

/** Answers one request of a route. The contract prescribes the order of the steps (core-api §1.1). */
export async function answerRequest(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  compared: Representation | null = null,
): Promise<void> {
  if (dialect.refusesVersion(request.originalUrl, request.headers)) throw new Failure('unroutable', 'Not Found')
  const body = readBody(request)
  const input = inputOf(request, body)
  if (route.access.kind === 'public') {
    const nobody = { ...contextWithoutCaller(shared, request), ...NOBODY }
    return send(route, request, reply, await route.handle(nobody, input))
  }
  const { ctx, names, session, warnings } = await admit(shared, dialect, route, request, input)
  await answerLogin(shared, dialect, ctx, request, reply)
  reply.headers(dialect.headers(shared.version, printableNames(names)))
  requireJson(request)
  const ignored = dialect.ignoredHeader === null ? [] : findIgnored(shared.registry, route, input)
  if (dialect.ignoredHeader !== null && ignored.length > 0) {
    refuseIgnored(input, ignored)
    reply.header(dialect.ignoredHeader, formatIgnored(ignored))
  }
  const conditions = route.method === 'GET' ? null : readConditions(request.headers)
  if (conditions === null && dialect === PLAIN && isDeferred(ctx, route, input))
    return send(route, request, reply, await deferRequest(ctx, shared.registry, route, input))
  const handle = () =>
    isWalked(route) && asksForLines(input)
      ? answerLines(ctx, route, input)
      : conditions === null
        ? answerRead(shared, route, ctx, walking(shared, route, input, request, reply))
        : writeConditionally(ctx, {
            route,
            compared,
            input,
            conditions,
            registry: shared.registry,
            query: membersOf(request.query),
            reading: async (on) => {
              const named = { ...membersOf(request.query), ...input.params }
              return { ...on, scope: (await resolveScope(on, shared.registry, named, session?.scope ?? null)).scope }
            },
            refused: (etag) => void (etag !== '' && reply.header('etag', etag)),
          })
  const result = await withDenialEvents(ctx, route, handle)
  if (route.method !== 'GET') await shared.afterWrite(route)
  if (warnings.length > 0) reply.header('warning', warnings.map((sentence) => `299 - "${sentence}"`).join(', '))
  send(route, request, reply, result)
}

/** Prepares a list that is read page by page, with the link to the next page. {@throws Failure} bad_parameter */
function walking(shared: Shared, route: Route, input: Input, request: FastifyRequest, reply: FastifyReply): Input {
  const after = isWalked(route) ? readAfter(input) : null
  if (after === null) return input
  const next = (cursor: string) => void reply.header('link', formatNext(request.originalUrl, cursor))
  return { ...input, walk: openWalk(shared.encryption, after, next) }
}

interface Admitted {
  readonly ctx: Context
  readonly names: ScopeNames
  readonly session: Authentication['session']
  /** Warnings to send beside the answer. */
  readonly warnings: readonly string[]
}

/** Admits the caller of a request, if they may make it at all. {@throws Failure} */
async function admit(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  input: Input,
): Promise<Admitted> {
  const base = contextWithoutCaller(shared, request)
  const { actor, method, session } = await callerOf(shared, dialect, route, request)
  const trees = await shared.trees()
  const { scope, names } = await resolveScope(
    { ...base, user: actor, trees },
    shared.registry,
    { ...input.body, ...input.query, ...input.params },
    session ? session.scope : null,
  )
  if (actor.disabled)
    throw new Failure('disabled_account', 'User account is disabled, please contact your administrator')
  const cookie = method === 'session' ? readSessionCookie(request.headers.cookie) : null
  const warnings: string[] = []
  const ctx: Context = {
    ...base,
    warn: (sentence) => void warnings.push(sentence),
    origin: { ...base.origin, login: method, session: cookie },
    user: actor,
    scope,
    trees,
    renewed: async () => (await admit(shared, dialect, route, request, input)).ctx,
  }
  await withDenialEvents(ctx, route, () => requireAccess(ctx, route.access))
  return { ctx, names, session, warnings }
}

/** Builds the part of the context that is known before the caller is. */
function contextWithoutCaller(shared: Shared, request: FastifyRequest): Omit<Context, 'user' | 'scope' | 'trees'> {
  return {
    db: shared.database.db,
    origin: {
      requestId: request.id,
      address: normalizeAddress(request.ip),
      host: request.host,
      secure: request.protocol === 'https',
      login: null,
      session: null,
    },
    settings: shared.settings(),
    encryption: shared.encryption,
    lockout: shared.lockout,
    passwordMemoryMiB: shared.passwordMemoryMiB,
    directories: shared.directories,
    followers: shared.followers,
    proxies: shared.proxies,
    counts: shared.counts,
    now: () => new Date(),
    log: shared.log,
    afterCommit: (effect) => void effect(),
  }
}

/** The caller of routes that need no login: sees nothing. */
const NOBODY = {
  user: {
    id: 0,
    login: '',
    name: '',
    admin: false,
    disabled: false,
    timezone: null,
    organizations: [],
    locations: [],
    grants: new Map(),
  },
  scope: { organization: null, location: null, named: false },
  trees: { organizations: new Map(), locations: new Map() },
} as const

type Caller = Omit<Authentication, 'method'> & { readonly method: Authentication['method'] | null }

/** Yields the caller; machines without a login report about hosts that they act for (smart-parameters §9.2). */
async function callerOf(shared: Shared, dialect: Dialect, route: Route, request: FastifyRequest): Promise<Caller> {
  const { authorization, cookie } = request.headers
  if (authorization === undefined && cookie === undefined && cameLocally(request.raw)) return localCaller(shared)
  const isMachine =
    route.forMachines === true &&
    authorization === undefined &&
    readSessionCookie(cookie, dialect.loginCookie ?? undefined) === null
  const machine = isMachine ? await shared.admits(request) : null
  return machine ? { actor: machine, method: null, session: null } : authenticated(shared, dialect, request)
}

/**
 * Yields the caller of a request through the local socket: whoever can open it owns the data; audits name their account on
 * this machine. {@throws Failure} unauthenticated
 */
async function localCaller(shared: Shared): Promise<Caller> {
  const actor = await shared.ownerOfData()
  if (!actor)
    throw new Failure('unauthenticated', 'There is no administrator to act for: millwright users create-admin')
  return { actor: { ...actor, name: formatOwner() }, method: null, session: null }
}

async function authenticated(shared: Shared, dialect: Dialect, request: FastifyRequest): Promise<Authentication> {
  const safe = request.method === 'GET' || request.method === 'HEAD'
  const credentials = {
    session: sessionOf(dialect, request),
    authorization: readAuthorization(request.headers.authorization),
    delegated: shared.delegation(request),
    safe,
  }
  return shared.authenticate(credentials, request.ip).catch((error: unknown) => {
    shared.noticeLockout(request, error)
    throw error
  })
}

/**
 * Reads the session of a request. With a login cookie clients have no CSRF token: instead, no browser may report that
 * another site caused the request, and a password takes precedence over the cookie.
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
 * Sets the login cookie for a caller who has sent a password, where the dialect has one and the client does not have it yet.
 */
async function answerLogin(
  shared: Shared,
  { loginCookie }: Dialect,
  { origin, user }: Context,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (loginCookie === null || origin.login !== 'password') return
  const cookie = await shared.loginSession(user.id)
  if (readSessionCookie(headers.cookie, loginCookie) === cookie) return
  reply.header('set-cookie', formatStartCookie(cookie, origin.secure, loginCookie))
}

/**
 * Builds the input of a route: a JSON body on GET and DELETE is read like the query (core-api §2.7), in which the query
 * itself wins.
 */
function inputOf(request: FastifyRequest, body: Readonly<Record<string, unknown>>): Input {
  const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE'
  const own = membersOf(request.query)
  const query = reads ? { ...body, ...own } : own
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && value.includes('\0'))
      throw badParameter(name, value, 'must not contain the NUL character')
  }
  return { params: request.params as Readonly<Record<string, string>>, query, body, headers: request.headers }
}

function printableNames({ organization, location }: ScopeNames): ScopeNames {
  return { organization: organization && printable(organization), location: location && printable(location) }
}

/** Percent-encodes everything but printable ASCII for a header. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (char) => encodeURIComponent(char.isWellFormed() ? char : '\ufffd'))
}

/** Sends a stream and closes the connection with it: an idle one would delay the stop of the service. */
function sendStream(request: FastifyRequest, reply: FastifyReply, stream: NonNullable<Answer['stream']>): void {
  reply.header('connection', 'close').send(request.method === 'HEAD' ? undefined : createReadable(stream))
}

/** Sends the answer. GETs have an ETag of their bytes, and 304 replaces an answer that the caller has already. */
function send(route: Route, request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, body, headers, stream } = answer
  // There may already be another link.
  const links = [headers?.link, reply.getHeader('link')].filter((link) => link !== undefined)
  if (headers) reply.headers(headers)
  if (links.length > 1) reply.header('link', links.join(', '))
  reply.code(status)
  if (stream) return void sendStream(request, reply, stream)
  if (body === undefined) return void reply.send()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  if (status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return void reply.send(text)
  const etag = etagOf(route, answer, text)
  if (etag === null) return void reply.send(text)
  reply.header('etag', etag).header('cache-control', 'max-age=0, private, must-revalidate')
  if (hasAlready(request.headers['if-none-match'], etag))
    return void reply.code(304).removeHeader('content-type').send()
  reply.send(text)
}
