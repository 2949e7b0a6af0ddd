import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Unattended } from '../areas/provisioning/index.ts'
import { SERVICE } from '../context.ts'
import { badParameter, Failure, formatFullMessages } from '../errors.ts'
import { createNetworkCheck } from '../lib/networks.ts'
import { membersOf } from '../lib/values.ts'
import type { Answer, Method, Route } from '../requests/route.ts'
import { isFault } from './answers/errors.ts'
import { type Dialect, PLAIN } from './dialect.ts'
import type { Accounting } from './listeners/accounting.ts'
import { peerOf } from './listeners/addresses.ts'
import { answerRequest } from './pipeline.ts'
import type { Shared } from './shared.ts'

/** Options of the routes for machines in installation. */
export interface UnattendedOptions {
  readonly unattended: Unattended
  /** Addresses and networks of trusted web servers. */
  readonly trustedProxies: readonly string[]
}

/**
 * Serves what machines fetch during their installation, and where they report its end (docs/provisioning.md). They have no
 * login: a build token identifies them, and for what they fetch also their address. Users with a login may fetch it for any
 * host or host group that they may see. Installers read the answers, so that errors are plain text, too.
 */
export function mountUnattended(
  server: FastifyInstance,
  shared: Shared,
  options: UnattendedOptions,
  accounting: Accounting,
  dialect: Dialect = PLAIN,
): void {
  const { unattended } = options
  const macsOf = createMacReader(options.trustedProxies)
  const mount = (method: Method, path: string, routeFor: (request: FastifyRequest) => Route) => {
    server.route({
      method,
      url: path,
      config: { route: routeOf(method, path, OPEN, throwUnreachable) },
      handler: async (request, reply) => {
        await accounting.run(request, () => answerText(shared, dialect, routeFor(request), request, reply))
        return reply
      },
    })
  }
  const mountForMachines = (method: Method, path: string, handle: (...asked: MachineAsked) => Promise<Answer>) =>
    mount(method, path, (request) =>
      routeOf(method, path, OPEN, async (ctx) =>
        handle({ ...ctx, user: SERVICE, trees: await shared.trees() }, request, readToken(request)),
      ),
    )

  for (const method of ['GET', 'POST'] as const) {
    for (const outcome of ['built', 'failed'] as const) {
      mountForMachines(method, `/unattended/${outcome}`, async (ctx, request, token) => {
        await unattended.end(ctx, token, outcome === 'built' ? null : textOf(request))
        await shared.afterWrite(routeOf(method, '/unattended', OPEN, throwUnreachable))
        return { status: 201 }
      })
    }
  }
  mount('GET', '/unattended/:kind', (request) => {
    const { kind = '' } = request.params as Record<string, string> // parameters of the path
    const named = readNamedHost(request)
    if (named)
      return routeOf('GET', '/unattended/:kind', buildAccess('view_hosts'), async (ctx) =>
        buildTextAnswer(await unattended.forUser(ctx, kind, named)),
      )
    return routeOf('GET', '/unattended/:kind', OPEN, async (ctx) => {
      const claim = { token: readToken(request), address: shared.clientAddress(request), macs: macsOf(request) }
      const machine = { ...ctx, user: SERVICE, trees: await shared.trees() }
      return buildTextAnswer(await unattended.forMachine(machine, kind, claim))
    })
  })
  mount('GET', '/unattended/template/:id/*', (request) => {
    const { id = '', '*': group = '' } = request.params as Record<string, string> // parameters of the path
    return routeOf('GET', '/unattended/template', buildAccess('view_provisioning_templates'), async (ctx) =>
      buildTextAnswer(await unattended.forGroup(ctx, id, group)),
    )
  })
}

type MachineAsked = [ctx: Parameters<Route['handle']>[0], request: FastifyRequest, token: string | null]

const OPEN: Route['access'] = { kind: 'public' }

function buildAccess(permission: string): Route['access'] {
  return { kind: 'permission', anyOf: [permission], own: false }
}

const QUERY = z.object(
  Object.fromEntries(
    ['hostname', 'spoof', 'token', 'mac'].map((name) => [
      name,
      z.string().optional().meta({ description: 'Host of the request.' }),
    ]),
  ),
)

function routeOf(method: Method, path: string, access: Route['access'], handle: Route['handle']): Route {
  return {
    method,
    path,
    id: `unattended.${method}`,
    group: 'unattended',
    access,
    handle,
    summary: 'For machines that are being installed',
    query: QUERY,
    answers: { 200: null, 201: null },
  }
}

async function throwUnreachable(): Promise<Answer> {
  throw new Error('the route of a request is made for it')
}

const TEXT = 'text/plain; charset=utf-8'

/** Builds a text answer that must not be cached, because it may contain passwords. */
function buildTextAnswer(body: string): Answer {
  return { status: 200, body, headers: { 'content-type': TEXT, 'cache-control': 'no-store' } }
}

async function answerText(
  shared: Shared,
  dialect: Dialect,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    await answerRequest(shared, dialect, route, request, reply)
  } catch (error) {
    if (!(error instanceof Failure) || isFault(error)) throw error
    const sentences = error.details.errors ? formatFullMessages(error.details.errors).join(', ') : error.message
    reply.code(error.status).type(TEXT).send(`${sentences}\n`)
  }
}

/** Reads the build token in the query; null where there is none. {@throws Failure} bad_parameter */
function readToken(request: FastifyRequest): string | null {
  return readQuery(request, 'token')
}

function readNamedHost(request: FastifyRequest) {
  for (const key of ['hostname', 'spoof'] as const) {
    const value = readQuery(request, key)
    if (value !== null) return { key, value }
  }
  return null
}

function readQuery({ query }: FastifyRequest, key: string): string | null {
  const value = membersOf(query)[key] ?? null
  if (value === null || value === '') return null
  if (typeof value !== 'string' || value.includes('\0')) throw badParameter(key, value, 'must be given once, as text')
  return value
}

const MAC = /^(?:[0-9a-f]{2}:){5}(?:(?:[0-9a-f]{2}:){14})?[0-9a-f]{2}$/

/**
 * Creates the reader of hardware addresses that installers send in headers and boot loaders in the query, at most 64. Anybody
 * can send any address, so that they count only from trusted web servers, which are in the machine's network.
 */
function createMacReader(trustedProxies: readonly string[]): (request: FastifyRequest) => string[] {
  const isProxy = createNetworkCheck(trustedProxies)
  return (request) => {
    if (!isProxy(peerOf(request))) return []
    const told = Object.entries(request.headers)
      .filter(([name]) => /^x-rhn-provisioning-mac-\d+$/.test(name))
      .map(([, value]) => String(value).trim().split(/\s+/)[1] ?? '')
    const macs = [...told, readQuery(request, 'mac') ?? ''].map((mac) => mac.toLowerCase().replaceAll('-', ':'))
    return macs.filter((mac) => MAC.test(mac)).slice(0, 64)
  }
}

/** Reads the body in which a machine reports a failure as text, whatever its media type; an empty text without a body. */
function textOf({ body }: FastifyRequest): string {
  return Buffer.isBuffer(body) ? new TextDecoder().decode(body) : ''
}
