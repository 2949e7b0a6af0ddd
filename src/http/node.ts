import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HIDDEN_QUERY } from '../areas/access/index.ts'
import { type Context, SERVICE } from '../context.ts'
import { Failure } from '../errors.ts'
import { type Members, membersOf } from '../lib/values.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { readSessionCookie } from './access/authenticate.ts'
import { type Dialect, PLAIN } from './dialect.ts'
import type { Accounting } from './listeners/accounting.ts'
import { answerRequest } from './pipeline.ts'
import type { Shared } from './shared.ts'

/** A request for the classification of a host. */
export interface NodeRequest {
  /** The certificate name, name or id of the host. */
  readonly name: string
  readonly format: 'yml' | 'json' | 'page'
  /** Yields the name that clients of the listener know for a parameter that the service adds. */
  readonly called: (parameter: string) => string
}

/** How requests for the classification of a host are answered. */
export interface NodeOptions {
  /**
   * Begins to read what the answer about a host needs, while it is found out which machine asks; with null nothing is read
   * ahead. Yields the function that answers the machine, without secrets where `isKnown` is false.
   */
  readonly forMachine: (
    name: string | null,
  ) => (ctx: Context, input: Input, asked: NodeRequest, isKnown: boolean) => Promise<Answer>
  /** Answers a user who is logged in and has the permission `view_hosts`. */
  readonly forUser: (ctx: Context, input: Input, asked: NodeRequest) => Promise<Answer>
}

/**
 * Serves classification for servers of the configuration engine (smart-parameters §5.1): `/node/:name` and
 * `/hosts/:name/externalNodes`, as YAML, JSON or a page for people.
 */
export function mountNode(
  server: FastifyInstance,
  shared: Shared,
  { forMachine, forUser }: NodeOptions,
  accounting: Accounting,
  dialect: Dialect = PLAIN,
): void {
  for (const path of ['/node/:name', '/hosts/:name/externalNodes']) {
    const access = { kind: 'permission', anyOf: ['view_hosts'], own: false } as const
    const users = buildRoute(path, access, dialect, forUser)
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const { name } = readRequest({ params: membersOf(request.params), query: membersOf(request.query) })
      const answer = forMachine(isAnonymous(request) && NAME.test(name) ? name : null)
      const machine = await shared.admits(request)
      if (machine || isOpen(shared, request)) {
        const machines = buildRoute(path, { kind: 'public' }, dialect, async (ctx, input, asked) =>
          answer({ ...ctx, user: machine ?? SERVICE, trees: await shared.trees() }, input, asked, machine !== null),
        )
        return answerRequest(shared, dialect, machines, request, reply)
      }
      await answerRequest(shared, dialect, users, request, reply).catch((error) => {
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

const NAME = /^[^.\s/\0][\w.-]*$/

function buildRoute(
  path: string,
  access: Route['access'],
  { nodeParameter }: Dialect,
  handle: NodeOptions['forUser'],
): Route {
  return {
    method: 'GET',
    path,
    id: 'node.show',
    group: 'node',
    access,
    summary: 'Show the classification of a host to the configuration engine',
    query: QUERY,
    answers: { 200: null },
    handle: async (ctx, input) => {
      const asked = { ...readRequest(input), called: nodeParameter }
      if (!NAME.test(asked.name)) throw new Failure('unroutable', 'Not Found')
      return handle(ctx, input, asked)
    },
  }
}

const word = (description: string) => z.string().optional().meta({ description })
const QUERY = z.object({
  ...HIDDEN_QUERY,
  name: word('Name of the host, where the path does not say it.'),
  format: word('yml, json, or a page for people.'),
})

function readRequest({
  params,
  query,
}: Pick<Input, 'query'> & { readonly params: Members }): Omit<NodeRequest, 'called'> {
  const name = typeof query.name === 'string' && query.name !== '' ? query.name : String(params.name ?? '')
  const format = query.format === 'json' ? 'json' : query.format === 'yml' || query.format === 'yaml' ? 'yml' : 'page'
  return { name, format }
}

/** Tells whether classifications are public by the settings and the request is not of a user (smart-parameters §5.2). */
function isOpen({ settings }: Shared, request: FastifyRequest): boolean {
  return isAnonymous(request) && !settings().restrict_registered_smart_proxies
}

/** Tells whether a request has no credentials of a user: no `Authorization` header, and no session cookie. */
function isAnonymous({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && readSessionCookie(headers.cookie) === null
}

/** Tells whether a request without an `Authorization` header was refused because nobody is logged in. */
function isNobody(error: unknown, { headers }: FastifyRequest): boolean {
  return error instanceof Failure && error.code === 'unauthenticated' && headers.authorization === undefined
}
