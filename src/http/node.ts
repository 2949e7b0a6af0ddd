import { lookup, reverse } from 'node:dns/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { normalizeAddress } from '../identity/addresses.ts'
import type { Answer, Input, Route } from '../kernel/route.ts'
import type { Accounting } from './accounting.ts'
import type { ReadClientNames } from './client-certificate.ts'
import { PLAIN } from './dialect.ts'
import { answer, type Shared } from './pipeline.ts'

/** What a request for the classification of a host asks for. */
export interface Asked {
  /** Certificate name, name or id of the host. */
  readonly name: string
  readonly format: 'yml' | 'json' | 'page'
}

export interface NodeOptions {
  readonly clientNames: ReadClientNames
  /** Hosts of the URLs of smart proxies that may read every classification. */
  readonly proxyHosts: () => Promise<readonly string[]>
  /** The answer for such a proxy; the context has no caller. */
  readonly forProxy: (ctx: Context, input: Input, asked: Asked) => Promise<Answer>
  /** The answer for a user who is logged in. */
  readonly forUser: (ctx: Context, input: Input, asked: Asked) => Promise<Answer>
}

/**
 * Classification as servers of the configuration engine ask for it (smart-parameters §5.1): `/node/:name` and
 * `/hosts/:id/externalNodes`, as YAML, JSON or a page for people.
 */
export function mountNode(server: FastifyInstance, shared: Shared, options: NodeOptions, accounting: Accounting): void {
  const { forProxy, forUser } = options
  for (const path of ['/node/:name', '/hosts/:name/externalNodes']) {
    const proxies = route(path, { kind: 'public' }, forProxy)
    const users = route(path, { kind: 'permission', anyOf: ['view_hosts'], own: false }, forUser)
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      if (await isAdmitted(shared, options, request)) return answer(shared, PLAIN, proxies, request, reply)
      await answer(shared, PLAIN, users, request, reply).catch((error) => {
        throw isNobody(error, request) ? REFUSED : error
      })
    }
    server.get(path, { config: { route: users } }, async (request, reply) => {
      await accounting.run(request, () => handle(request, reply))
      return reply
    })
  }
}

const REFUSED = new Failure('denied', 'Access denied', {
  details:
    'Classifications are for registered smart proxies with the Config feature, trusted hosts, and users with view_hosts',
  missingPermissions: ['view_hosts'],
})

const NAME = /^[^.\s/][\w.-]*$/

function route(path: string, access: Route['access'], handle: NodeOptions['forUser']): Route {
  return {
    ...{ method: 'GET', path, id: 'node.show', group: 'node', access },
    summary: 'Show the classification of a host to the configuration engine',
    answers: { 200: null },
    handle: async (ctx, input) => {
      const asked = askedBy(input)
      if (!NAME.test(asked.name)) throw new Failure('unroutable', 'Not Found')
      return handle(ctx, input, asked)
    },
  }
}

function askedBy({ params, query }: Input): Asked {
  const name = typeof query.name === 'string' && query.name !== '' ? query.name : (params.name ?? '')
  const format = query.format === 'json' ? 'json' : query.format === 'yml' || query.format === 'yaml' ? 'yml' : 'page'
  return { name, format }
}

/** Whether the request comes from a registered smart proxy or a trusted host, or whether everybody may (§5.2). */
async function isAdmitted(shared: Shared, options: NodeOptions, request: FastifyRequest): Promise<boolean> {
  const settings = shared.settings()
  if (!settings.restrict_registered_smart_proxies) return true
  const certified = options.clientNames(request)
  if (certified === null && settings.require_ssl_smart_proxies) return false
  const names = certified ?? (await namesInDns(normalizeAddress(request.ip)))
  if (names.length === 0) return false
  const hosts = [...settings.trusted_hosts, ...(await options.proxyHosts())]
  return names.some((name) => hosts.some((host) => isNamed(host, name)))
}

/** A name that begins with `*.` stands for any one word there. */
function isNamed(host: string, name: string): boolean {
  if (!name.startsWith('*.')) return host === name
  const rest = name.slice(1)
  return host.endsWith(rest) && /^[^.]+$/.test(host.slice(0, -rest.length))
}

/** What the DNS calls an address, as far as it says the same the other way round; the address itself where it has no name. */
async function namesInDns(address: string): Promise<readonly string[]> {
  const names = await reverse(address).catch(() => [])
  if (names.length === 0) return [address]
  const confirmed = names.map(async (name) => {
    const found = await lookup(name, { all: true }).catch(() => [])
    return found.some((each) => normalizeAddress(each.address) === address) ? [name] : []
  })
  return (await Promise.all(confirmed)).flat()
}

/** Nobody tried to log in. */
function isNobody(error: unknown, { headers }: FastifyRequest): boolean {
  return error instanceof Failure && error.code === 'unauthenticated' && headers.authorization === undefined
}
