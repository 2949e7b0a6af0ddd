import type { X509Certificate } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../areas/registration/index.ts'
import { SERVICE } from '../context.ts'
import { Failure } from '../errors.ts'
import { isValidText } from '../lib/lossless-json.ts'
import { membersOf } from '../lib/values.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import type { ReadClientCertificate } from './access/client-certificate.ts'
import { readList } from './body.ts'
import { type Dialect, PLAIN } from './dialect.ts'
import type { Accounting } from './listeners/accounting.ts'
import { answerRequest } from './pipeline.ts'
import type { Shared } from './shared.ts'
import { CLIENTS } from './unknown-keys.ts'

/** The endpoints for subscription clients, and how the certificates of hosts are read and recognized. */
export interface ClientOptions {
  readonly endpoints: readonly Endpoint[]
  readonly certificateOf: ReadClientCertificate
  /** Tells whether the authority of this service has signed a certificate. */
  readonly isOurs: (certificate: X509Certificate) => Promise<boolean>
}

/**
 * Serves the requests of registered hosts (content-api §5.4). They authenticate with their identity certificate, sent
 * to this listener or reported by a trusted web server. Users with the permission of a route can use it, too.
 */
export function mountClients(
  server: FastifyInstance,
  shared: Shared,
  options: ClientOptions,
  accounting: Accounting,
  dialect: Dialect = PLAIN,
): void {
  for (const endpoint of options.endpoints) {
    const { method, path } = endpoint
    server.route({
      method,
      url: path,
      config: { route: buildRoute(endpoint, false, throwUnreachable) },
      handler: async (request, reply) => {
        await accounting.run(request, () => handle(shared, dialect, options, endpoint, request, reply))
        return reply
      },
    })
  }
}

async function handle(
  shared: Shared,
  dialect: Dialect,
  options: ClientOptions,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (endpoint.isText && /^text\/plain/i.test(request.headers['content-type'] ?? ''))
    request.headers['content-type'] = 'application/json'
  const certificate = await certificateOf(options, endpoint, request)
  const query = membersOf(request.query)
  const isOpen = endpoint.permission === null || (endpoint.opens ? endpoint.opens(query) : certificate !== null)
  const route = buildRoute(endpoint, isOpen, async (ctx, input) => {
    refuseUnspeakable(input.params)
    const call = { input, certificate, list: readList(request), through: request.hostname || null }
    const result = await endpoint.handle(isOpen ? { ...ctx, user: SERVICE, trees: await shared.trees() } : ctx, call)
    if (isOpen && endpoint.method !== 'GET') await shared.afterWrite(route)
    return result
  })
  await answerRequest(shared, dialect, route, request, reply)
}

/** Refuses a path that names something by a text that no name can be. {@throws Failure} not_found */
function refuseUnspeakable(params: Input['params']): void {
  for (const [key, name] of Object.entries(params))
    if (!isValidText(name)) throw new Failure('not_found', `Couldn't find ${key} '${name}'.`)
}

/** Reads the certificate of a host; null where the endpoint needs none, and for certificates of other authorities. */
async function certificateOf(
  { certificateOf, isOurs }: ClientOptions,
  { byCertificate }: Endpoint,
  request: FastifyRequest,
): Promise<X509Certificate | null> {
  const presented = byCertificate ? certificateOf(request) : null
  return presented && (await isOurs(presented)) ? presented : null
}

function buildRoute({ method, path, permission }: Endpoint, isOpen: boolean, handle: Route['handle']): Route {
  return {
    method,
    path,
    id: `clients.${method} ${path}`,
    group: CLIENTS,
    handle,
    summary: 'For subscription clients',
    access:
      isOpen || permission === null ? { kind: 'public' } : { kind: 'permission', anyOf: [permission], own: false },
    answers: { 200: null, 204: null },
  }
}

async function throwUnreachable(): Promise<Answer> {
  throw new Error('the route of a request is made for it')
}
