import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Answer, Input, Route } from '../kernel/route.ts'
import type { Accounting } from './accounting.ts'
import { PLAIN } from './dialect.ts'
import { answer, type Shared } from './pipeline.ts'

/** What a request for the classification of a host asks for. */
export interface Asked {
  /** Certificate name, name or id of the host. */
  readonly name: string
  readonly format: 'yml' | 'json' | 'page'
}

export interface NodeOptions {
  /** The answer for such a proxy; the context has no caller. */
  readonly forProxy: (ctx: Context, input: Input, asked: Asked) => Promise<Answer>
  /** The answer for a user who is logged in. */
  readonly forUser: (ctx: Context, input: Input, asked: Asked) => Promise<Answer>
}

/**
 * Classification as servers of the configuration engine ask for it (smart-parameters §5.1): `/node/:name` and
 * `/hosts/:id/externalNodes`, as YAML, JSON or a page for people.
 */
export function mountNode(
  server: FastifyInstance,
  shared: Shared,
  { forProxy, forUser }: NodeOptions,
  accounting: Accounting,
): void {
  for (const path of ['/node/:name', '/hosts/:name/externalNodes']) {
    const proxies = route(path, { kind: 'public' }, forProxy)
    const users = route(path, { kind: 'permission', anyOf: ['view_hosts'], own: false }, forUser)
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      if (await mayRead(shared, request)) return answer(shared, PLAIN, proxies, request, reply)
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

/** Whether it comes from a registered smart proxy or a trusted host, or whether everybody may (smart-parameters §5.2). */
async function mayRead({ admits, settings }: Shared, request: FastifyRequest): Promise<boolean> {
  return !settings().restrict_registered_smart_proxies || admits(request)
}

/** Nobody tried to log in. */
function isNobody(error: unknown, { headers }: FastifyRequest): boolean {
  return error instanceof Failure && error.code === 'unauthenticated' && headers.authorization === undefined
}
