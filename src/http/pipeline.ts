import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authentication } from '../areas/access/index.ts'
import { limitToOwnTaxonomies } from '../areas/places/index.ts'
import type { Context, Scope } from '../context.ts'
import { withConflicts } from '../database/failures.ts'
import { badParameter, contextNotFound, Failure } from '../errors.ts'
import { type Registry, ROOT, type Sent, selectRecord, TAXONOMIES, type Taxonomy } from '../kernel/index.ts'
import { printExact } from '../lib/lossless-json.ts'
import { hasAlready, membersOf } from '../lib/values.ts'
import type { Answer, Input, Route, Stream } from '../requests/route.ts'
import { readReason, readSingle } from '../requests/sent.ts'
import { requireAccess, withDenialEvents } from './access/access.ts'
import { answerLogin, type Caller, findCaller, findCallerAgain, readSessionCookie } from './access/authenticate.ts'
import { type Representation, readConditions, writeConditionally } from './answers/conditions.ts'
import { formatNext, openWalk, readAfter, toCursorPurpose } from './answers/cursor-pagination.ts'
import { etagOf } from './answers/etag.ts'
import { answerAll, answerLines, asksForAll, asksForLines } from './answers/ndjson.ts'
import { createReadable } from './answers/streaming.ts'
import { readBody, readForm, requireJson } from './body.ts'
import { type Dialect, PLAIN, type ScopeNames } from './dialect.ts'
import { formatNames, setHeader, setHeaders } from './listeners/header-values.ts'
import { beginContext, NOBODY, type Shared } from './shared.ts'
import { findIgnored, refuseIgnored } from './unknown-keys.ts'

/**
 * Answers one request of a route. The contract prescribes the order of the steps (core-api §1.1). `compared` are the routes
 * that the conditions of a write are compared with. {@throws Failure} for whatever is refused
 */
export async function answerRequest(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  compared: Representation | null = null,
): Promise<void> {
  if (dialect.refusesVersion(request.originalUrl, request.headers)) throw new Failure('unroutable', 'Not Found')
  const body = route.form ? readForm(request) : readBody(request)
  const input = inputOf(request, body)
  if (route.access.kind === 'public') {
    const nobody = { ...beginContext(shared, request), ...NOBODY }
    return sendAnswer(route, request, reply, await route.handle(nobody, input))
  }
  const { ctx, names, session, warnings } = await admit(shared, dialect, route, request, input)
  await answerLogin(shared, dialect, route, ctx, request, reply)
  setHeaders(reply, dialect.headers(shared.version, names))
  requireJson(request)
  const ignored = findIgnored(shared.registry, route, input).filter((name) => !dialect.isKnownWord(lastWordOf(name)))
  if (ignored.length > 0) {
    refuseIgnored(input, ignored)
    setHeader(reply, IGNORED, formatNames(ignored))
  }
  const conditions = route.method === 'GET' ? null : readConditions(request.headers)
  const read = (at: Context, asked: Input) => route.handle(at, asked)
  const handle = () => {
    if (isWalked(route) && asksForLines(input)) return answerLines(ctx, input, read)
    if (isWalked(route) && dialect === PLAIN && asksForAll(route, input)) return answerAll(ctx, input, read)
    if (conditions === null) return read(ctx, withWalk(ctx, route, input, request, reply))
    return writeConditionally(ctx, {
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
      refused: (etag) => etag !== '' && setHeader(reply, 'etag', etag),
    })
  }
  const answer = route.method === 'GET' ? handle : () => withConflicts(handle)
  const result = await withDenialEvents(ctx, route, answer)
  if (route.method !== 'GET') await shared.afterWrite(route)
  if (warnings.length > 0) setHeader(reply, 'warning', warnings.map((sentence) => `299 - "${sentence}"`).join(', '))
  sendAnswer(route, request, reply, result)
}

/** The header that names what a request sends and its route does not know. */
const IGNORED = 'millwright-ignored'

/** The key itself of `host.key` and `where[key]`. */
function lastWordOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace(/\[.*/, '')
}

/** Tells whether a route is a list that can be read page by page. */
function isWalked({ method, query }: Route): boolean {
  return method === 'GET' && query?.shape.after !== undefined && query.shape.per_page !== undefined
}

/** Prepares a list that is read page by page, with the link to the next page. {@throws Failure} bad_parameter */
function withWalk(ctx: Context, route: Route, input: Input, request: FastifyRequest, reply: FastifyReply): Input {
  const after = isWalked(route) ? readAfter(input) : null
  if (after === null) return input
  const linkNext = (cursor: string) => setHeader(reply, 'link', formatNext(request.originalUrl, cursor))
  return { ...input, walk: openWalk(ctx.encryption, toCursorPurpose(ctx, route, input), after, linkNext) }
}

interface Admitted {
  readonly ctx: Context
  readonly names: ScopeNames
  readonly session: Authentication['session']
  /** Warnings to send beside the answer. */
  readonly warnings: readonly string[]
}

/** Admits the caller of a request if they may make it at all, and builds the context of the request. {@throws Failure} */
async function admit(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  input: Input,
): Promise<Admitted> {
  return admitCaller(shared, route, request, input, await findCaller(shared, dialect, route, request), (known) =>
    findCallerAgain(shared, dialect, route, request, known),
  )
}

/** Admits a caller who is known; `findAgain` finds them when the request goes on. {@throws Failure} */
async function admitCaller(
  shared: Shared,
  route: Route,
  request: FastifyRequest,
  input: Input,
  caller: Caller,
  findAgain: (known: Caller) => Promise<Caller>,
): Promise<Admitted> {
  const base = beginContext(shared, request)
  const { actor, method, session } = caller
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
  let latest: { readonly caller: Caller; readonly ctx: Pick<Context, 'user' | 'trees'> } = {
    caller,
    ctx: { user: actor, trees },
  }
  const renew = async () => {
    const now = await findAgain(latest.caller)
    if (now.actor === latest.caller.actor) return latest.ctx
    const { ctx } = await admitCaller(shared, route, request, input, now, findAgain)
    latest = { caller: now, ctx: { user: ctx.user, trees: ctx.trees } }
    return latest.ctx
  }
  const ctx: Context = {
    ...base,
    warn: (sentence) => void warnings.push(sentence),
    origin: { ...base.origin, login: method, session: cookie, reason: readReason(input) },
    user: actor,
    scope,
    trees,
    standing: { progress: { begun: false }, renew },
  }
  await withDenialEvents(ctx, route, () => requireAccess(ctx, route.access))
  return { ctx, names, session, warnings }
}

/**
 * Resolves the organization and location of a request (core-api §5.2): those `named` in its path, query or body, otherwise
 * those of the session. An empty name means any. {@throws Failure} context_not_found for a named one that does not exist or
 * that the caller does not belong to
 */
export async function resolveScope(
  ctx: Omit<Context, 'scope'>,
  registry: Registry,
  named: Sent,
  session: Omit<Scope, 'named'> | null,
): Promise<{ scope: Scope; names: ScopeNames }> {
  const scope = { organization: session?.organization ?? null, location: session?.location ?? null, named: false }
  const names: Record<Taxonomy['kind'], string | null> = { organization: null, location: null }
  for (const taxonomy of TAXONOMIES) {
    const { kind } = taxonomy
    const sent = readSingle(named, `${kind}_id`)
    if (sent === '') scope[kind] = null
    const segment = sent === null || sent === '' ? scope[kind] : sent
    if (segment === null) continue
    const found = await findTaxonomy(ctx, registry, taxonomy, String(segment))
    if (!found && sent) throw contextNotFound(kind, sent)
    scope[kind] = found?.id ?? null
    if (sent && readSingle(named, 'referable') !== 'true') scope.named = true
    names[kind] = found ? `${found.id}; ${found.title}` : null
  }
  return { scope, names }
}

async function findTaxonomy(ctx: Omit<Context, 'scope'>, registry: Registry, taxonomy: Taxonomy, segment: string) {
  const resource = registry.get(taxonomy.kind)
  if (!resource) return undefined
  const outside: Context = { ...ctx, scope: { organization: null, location: null, named: false } }
  const theirs = { sql: limitToOwnTaxonomies(outside, taxonomy, ROOT), tables: [taxonomy.plural] }
  const found = await selectRecord(ctx.db, resource, ['id', 'title'], segment, [theirs])
  return found as { id: number; title: string } | undefined
}

/**
 * Builds the input of a route. A JSON body on GET and DELETE is read like the query (core-api §2.7), which wins where both
 * have a key. {@throws Failure} bad_parameter
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

/** Sends a stream and closes the connection behind it: an idle connection would delay the stop of the service. */
function sendStream(request: FastifyRequest, reply: FastifyReply, stream: Stream): void {
  reply.header('connection', 'close').send(request.method === 'HEAD' ? undefined : createReadable(stream.open))
}

/**
 * Sends an answer. The body of a GET has an ETag unless it must not be cached; 304 replaces one that the client has already.
 */
function sendAnswer(route: Route, request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, body, headers, stream } = answer
  // A list has set the link to its next page by now, and its handler may yield a link of its own.
  const links = [headers?.link, reply.getHeader('link')].filter((link) => link !== undefined)
  if (headers) setHeaders(reply, headers)
  if (links.length > 1) setHeader(reply, 'link', links.join(', '))
  reply.code(status)
  if (stream) return void sendStream(request, reply, stream)
  if (body === undefined) return void reply.send()
  const text = typeof body === 'string' ? body : printExact(body)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  if (status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return void reply.send(text)
  const etag = etagOf(route, answer, text)
  if (etag === null) return void reply.send(text)
  setHeader(reply, 'etag', etag)
  reply.header('cache-control', 'max-age=0, private, must-revalidate')
  if (hasAlready(request.headers['if-none-match'], etag))
    return void reply.code(304).removeHeader('content-type').send()
  reply.send(text)
}
