import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Context, CountCache, Trees } from '../context.ts'
import type { Database } from '../database/connect.ts'
import type { Directories } from '../directory/directories.ts'
import type { Encryption } from '../encryption.ts'
import { badParameter, Failure } from '../errors.ts'
import { normalizeAddress } from '../identity/addresses.ts'
import { readAuthorization } from '../identity/credentials.ts'
import type { Authenticate, Authentication } from '../identity/login.ts'
import { requireAccess } from '../kernel/authorize.ts'
import type { Registry } from '../kernel/resource.ts'
import type { Answer, Input, Route } from '../kernel/route.ts'
import type { ProxyAccess } from '../proxies/access.ts'
import type { Followers } from '../runs/followers.ts'
import type { Settings } from '../settings.ts'
import { type Admits, SERVICE } from './admission.ts'
import { readBody, requireJson } from './body.ts'
import { sessionCookie } from './cookies.ts'
import type { ReadDelegation } from './delegation.ts'
import type { Dialect } from './dialect.ts'
import { contextOf, type ScopeNames } from './scope.ts'
import { readable } from './streaming.ts'

/** What every request of one process shares. */
export interface Shared {
  readonly database: Database
  readonly registry: Registry
  readonly authenticate: Authenticate
  readonly admits: Admits
  readonly delegation: ReadDelegation
  readonly trees: () => Promise<Trees>
  readonly counts: CountCache
  readonly settings: () => Settings
  readonly encryption: Encryption
  readonly directories: Directories
  readonly followers: Followers
  readonly proxies: ProxyAccess
  readonly version: string
  readonly log: Logger
  /** Called before the answer to a write leaves: what the process remembers may no longer be true. */
  readonly afterWrite: (route: Route) => Promise<void>
}

/** Answers one request of a route. The order of the steps is the contract's (core-api §1.1). */
export async function answer(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (dialect.refusesVersion(request.originalUrl, request.headers)) throw new Failure('unroutable', 'Not Found')
  const body = readBody(request)
  const input = inputOf(request, body)
  const base = contextWithoutCaller(shared, request)
  if (route.access.kind === 'public') return send(request, reply, await route.handle({ ...base, ...NOBODY }, input))

  const { actor, method, session } = await callerOf(shared, route, request)
  const trees = await shared.trees()
  const { scope, names } = await contextOf(
    { ...base, user: actor, trees },
    shared.registry,
    { ...body, ...input.query, ...input.params },
    session ? session.scope : null,
  )
  if (actor.disabled)
    throw new Failure('disabled_account', 'User account is disabled, please contact your administrator')
  const cookie = method === 'session' ? sessionCookie(request.headers.cookie) : null
  const ctx: Context = {
    ...base,
    origin: { ...base.origin, login: method, session: cookie },
    user: actor,
    scope,
    trees,
  }
  requireAccess(ctx, route.access)
  reply.headers(dialect.headers(shared.version, printableNames(names)))
  requireJson(request)
  const result = await route.handle(ctx, input)
  if (route.method !== 'GET') await shared.afterWrite(route)
  send(request, reply, result)
}

/** What is known of a request before its caller is. */
function contextWithoutCaller(shared: Shared, request: FastifyRequest): Omit<Context, 'user' | 'scope' | 'trees'> {
  return {
    db: shared.database.db,
    origin: {
      requestId: request.id,
      address: normalizeAddress(request.ip),
      secure: request.protocol === 'https',
      login: null,
      session: null,
    },
    settings: shared.settings(),
    encryption: shared.encryption,
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

/** Machines without a login of their own tell of hosts; the service acts for them (smart-parameters §9.2). */
async function callerOf(shared: Shared, route: Route, request: FastifyRequest): Promise<Caller> {
  const { authorization, cookie } = request.headers
  const isMachine = FOR_MACHINES.has(route.id) && authorization === undefined && sessionCookie(cookie) === null
  if (isMachine && (await shared.admits(request))) return { actor: SERVICE, method: null, session: null }
  return authenticated(shared, request)
}

/** Routes by which smart proxies and trusted hosts may write what they are told by others. */
const FOR_MACHINES: ReadonlySet<string> = new Set(['hosts.facts'])

async function authenticated(shared: Shared, request: FastifyRequest): Promise<Authentication> {
  const cookie = sessionCookie(request.headers.cookie)
  const csrf = request.headers['x-csrf-token']
  const safe = request.method === 'GET' || request.method === 'HEAD'
  return shared.authenticate(
    {
      session: cookie === null ? null : { cookie, csrf: typeof csrf === 'string' ? csrf : null },
      authorization: readAuthorization(request.headers.authorization),
      delegated: shared.delegation(request),
      safe,
    },
    request.ip,
  )
}

/** A JSON body on GET and DELETE is read like the query (core-api §2.7); the query itself wins. */
function inputOf(request: FastifyRequest, body: Readonly<Record<string, unknown>>): Input {
  const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE'
  const own = request.query as Readonly<Record<string, unknown>>
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

/** Header values are ASCII; the rest is percent-encoded. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (char) => encodeURIComponent(char.isWellFormed() ? char : '\ufffd'))
}

/** The connection ends with the stream: one that stayed open, idle by then, would hold up the stop of the service. */
function sendStream(request: FastifyRequest, reply: FastifyReply, stream: NonNullable<Answer['stream']>): void {
  reply.header('connection', 'close').send(request.method === 'HEAD' ? undefined : readable(stream))
}

/** Sends the answer; GETs carry an ETag of their bytes, and what the caller has already is not sent again. */
function send(request: FastifyRequest, reply: FastifyReply, { status, body, headers, stream }: Answer): void {
  if (headers) reply.headers(headers)
  reply.code(status)
  if (stream) return void sendStream(request, reply, stream)
  if (body === undefined) return void reply.send()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  if (status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return void reply.send(text)
  // Who knows what its answer depends on has made an ETag of that, or has said that the answer is not to be kept.
  const own = headers?.etag
  if (own === undefined && headers?.['cache-control'] === 'no-store') return void reply.send(text)
  const etag = own ?? `"${hash('sha1', text, 'base64url')}"`
  reply.header('etag', etag).header('cache-control', 'max-age=0, private, must-revalidate')
  if (matches(request.headers['if-none-match'], etag)) return void reply.code(304).removeHeader('content-type').send()
  reply.send(text)
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
