import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type onSendHookHandler } from 'fastify'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../errors.ts'
import type { Route } from '../../requests/route.ts'
import { createRepresentationFinder } from '../answers/conditions.ts'
import { isFault, toErrorAnswer } from '../answers/errors.ts'
import { type Dialect, PLAIN } from '../dialect.ts'
import { joinSlashes } from '../paths.ts'
import { answerRequest } from '../pipeline.ts'
import type { Shared } from '../shared.ts'
import { createWaitForWork } from '../working.ts'
import type { Accounting } from './accounting.ts'
import { setHeader, setHeaders } from './header-values.ts'
import type { ListenerTls } from './tls.ts'

type ServerOptions = Pick<Config, 'bodyLimit' | 'requestTimeoutMs' | 'trustedProxies'> & {
  /** Null for plain HTTP. */
  readonly tls: ListenerTls | null
}

/**
 * Replaces Fastify's compilers of validators and serializers, which would load a hundred modules: no route has a schema that
 * Fastify knows, because the kernel validates what is sent.
 */
function refuseSchema(): never {
  throw new Error('No route states a schema to Fastify')
}

/** Creates a server for the routes, in a dialect; it does not listen yet. */
export function createServer(
  options: ServerOptions,
  shared: Shared,
  routes: readonly Route[],
  accounting: Accounting,
  dialect: Dialect = PLAIN,
): FastifyInstance {
  const server: FastifyInstance = Fastify({
    ...(options.tls && { https: options.tls }),
    bodyLimit: options.bodyLimit,
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 72_000,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    logger: false,
    genReqId: readRequestId,
    requestIdHeader: false,
    rewriteUrl: (request) => dialect.path(joinSlashes(request.url ?? '/')),
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const { status, body } = dialect.error(toErrorAnswer(error, dialect.errorForm(request.url)), error)
      shared.log.info({ requestId: request.id, status }, 'request refused')
      reply.code(status).send(body)
    },
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  for (const method of ['GET', 'DELETE']) server.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const everywhere = { ...SECURITY_HEADERS, ...dialect.everywhere }
  server.addHook('onRequest', (request, reply, done) => {
    setHeaders(reply, { ...everywhere, 'x-request-id': request.id })
    if (request.protocol === 'https') reply.header('strict-transport-security', HTTPS_ONLY)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    accounting.answered(request, reply)
    done()
  })
  closeAfterLastAnswer(server, options.tls !== null)
  server.setNotFoundHandler(async () => {
    throw new Failure('unroutable', 'Not Found')
  })
  server.setErrorHandler((error, request, reply) => {
    const { status, body } = dialect.error(toErrorAnswer(error, dialect.errorForm(request.url)), error)
    // Refusals with 500 are logged without their message, which may quote a hidden value.
    if (status >= 500 && !isFault(error)) shared.log.info({ requestId: request.id, status }, 'request refused')
    if (isFault(error))
      shared.log.error(
        { err: error, requestId: request.id, method: request.method, url: pathOf(request) },
        'request failed',
      )
    reply.code(status)
    if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
    const seconds = error instanceof Failure ? error.details.retryAfter : undefined
    if (seconds !== undefined) setHeader(reply, 'retry-after', String(seconds))
    if (body === undefined) reply.type('text/plain').send('')
    else reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
  const comparedWith = createRepresentationFinder(routes)
  const waitForWork = createWaitForWork(options.requestTimeoutMs)
  for (const route of routes) {
    const compared = comparedWith(route)
    mount(server, route, (request, reply) =>
      waitForWork(request, () =>
        accounting.run(request, () => answerRequest(shared, dialect, route, request, reply, compared)),
      ),
    )
  }
  return server
}

/** The methods of a request by the method of its route. One route for two of them takes half the memory of two. */
const METHODS = { GET: ['GET', 'HEAD'], POST: ['POST'], PUT: ['PUT', 'PATCH'], DELETE: ['DELETE'] } as const

/** Keeps the length of the body of an answer to HEAD, and not the body. */
const withoutBody: onSendHookHandler = (request, reply, payload, done) => {
  if (request.method !== 'HEAD' || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
    return done(null, payload)
  setHeader(reply, 'content-length', String(Buffer.byteLength(payload)))
  done(null, null)
}

/** Mounts a route; PATCH is routed like PUT, and HEAD like GET (core-api §1). */
function mount(
  server: FastifyInstance,
  route: Route,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  server.route({
    method: [...METHODS[route.method]],
    exposeHeadRoute: false,
    url: route.path,
    config: { route },
    onSend: withoutBody,
    ...(route.bodyLimit !== undefined && { bodyLimit: Math.max(route.bodyLimit, server.initialConfig.bodyLimit ?? 0) }),
    handler: async (request, reply) => {
      await answer(request, reply)
      return reply
    },
  })
}

/**
 * Closes each connection behind its next answer once the server is closing: an open one would delay the stop. So would one
 * that was never used, such as those that browsers open ahead: for Node, it waits for a request.
 */
function closeAfterLastAnswer(server: FastifyInstance, isTls: boolean): void {
  let closing = false
  const unused = new Set<Socket>()
  server.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    unused.delete(raw.socket)
    done()
  })
  server.addHook('preClose', async () => {
    closing = true
    for (const socket of unused) socket.destroy()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}

/** Yields the id of a request: the one in `X-Request-Id`, to follow it through several systems, otherwise a new one. */
function readRequestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** The seconds in `Retry-After`: when to try again what is temporarily unavailable, such as the database. */
export const RETRY_AFTER_SECONDS = 2

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'self'; frame-ancestors 'self'; object-src 'none'",
}

/** Tells browsers that came by HTTPS, possibly through a trusted proxy, to use nothing else for a year (RFC 6797). */
const HTTPS_ONLY = 'max-age=31536000'

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
