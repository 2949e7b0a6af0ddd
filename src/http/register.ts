import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Context } from '../context.ts'
import { Failure, formatFullMessages } from '../errors.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { isFault } from './answers/errors.ts'
import { readForm } from './body.ts'
import { PLAIN } from './dialect.ts'
import type { Accounting } from './listeners/accounting.ts'
import { answerRequest } from './pipeline.ts'
import type { Shared } from './shared.ts'

/** The user whom a registration token stands for, and what the token allows in the name of this user. */
export interface Holder {
  readonly actor: Actor
  /** Answers with the registration script. */
  readonly show: (ctx: Context, input: Input) => Promise<Answer>
  /** Stores the host on which the script is executed. */
  readonly place: (ctx: Context, input: Input) => Promise<Answer>
}

/** Options of the routes that register hosts by a script. */
export interface RegisterOptions {
  /** Yields the holder of a token; undefined for an unknown or expired one. Fetching the script counts as a use. */
  readonly holderOf: (token: string, isUse: boolean) => Promise<Holder | undefined>
  /** Yields the certificate (PEM) of the authority that signs the certificates of hosts. */
  readonly authority: () => Promise<string>
  /** Builds a shell script that reports a failure. */
  readonly failing: (message: string) => string
}

/**
 * Serves `/register`: GET yields the script that registers a host, and the script reports the host by POST, both with the
 * token of the registration command (content-api §5.1). A shell executes the answers, so that errors are scripts, too. The
 * certificate of the authority is at `/register/ca.pem`, for everybody.
 */
export function mountRegister(
  server: FastifyInstance,
  shared: Shared,
  options: RegisterOptions,
  accounting: Accounting,
): void {
  for (const method of ['GET', 'POST'] as const) {
    server.route({
      method,
      url: '/register',
      config: { route: routeOf(method, async () => ({ status: 404 })) },
      handler: async (request, reply) => {
        await accounting.run(request, () => handle(shared, options, method, request, reply))
        return reply
      },
    })
  }
  const authority = routeOf('GET', async () => ({
    status: 200,
    body: await options.authority(),
    headers: { 'content-type': 'application/x-pem-file' },
  }))
  server.get('/register/ca.pem', { config: { route: authority } }, async (request, reply) => {
    await accounting.run(request, () => answerRequest(shared, PLAIN, authority, request, reply))
    return reply
  })
}

async function handle(
  shared: Shared,
  options: RegisterOptions,
  method: 'GET' | 'POST',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const route = routeOf(method, async (ctx, input) => {
    const holder = await requireHolder(options, request)
    const acting = { ...ctx, user: holder.actor, trees: await shared.trees() }
    if (method === 'GET') return holder.show(acting, input)
    const result = await holder.place(acting, { ...input, body: { ...input.body, ...readForm(request) } })
    await shared.afterWrite(route)
    return result
  })
  try {
    await answerRequest(shared, PLAIN, route, request, reply)
  } catch (error) {
    if (!(error instanceof Failure) || isFault(error)) throw error
    const sentences = error.details.errors ? formatFullMessages(error.details.errors).join(', ') : error.message
    reply.code(error.status).type('text/plain; charset=utf-8').send(options.failing(sentences))
  }
}

/** Finds the user of the token of a request. {@throws Failure} unauthenticated without a valid token */
async function requireHolder({ holderOf }: RegisterOptions, { method, headers }: FastifyRequest): Promise<Holder> {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const holder = token === undefined ? undefined : await holderOf(token, method === 'GET')
  if (!holder || holder.actor.disabled)
    throw new Failure('unauthenticated', 'The registration command has expired or is not complete: make a new one')
  return holder
}

function routeOf(method: 'GET' | 'POST', handle: Route['handle']): Route {
  return {
    method,
    path: '/register',
    id: `register.${method}`,
    group: 'register',
    handle,
    summary: 'For registration commands',
    access: { kind: 'public' },
    answers: { 200: null },
  }
}
