import { z } from 'zod'
import {
  beginLogin,
  createSession,
  deleteIdleSessions,
  finishLogin,
  LOGIN_SECONDS,
  listLoginProviders,
  logOutByToken,
  storeSessionIdentity,
} from '../../areas/access/index.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { OpenIdError } from '../../openid/errors.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { formatStartCookie, readSessionCookie } from './authenticate.ts'
import { readUserAgent } from './session.ts'

const LOGIN_COOKIE = 'millwright_login'

const providers = z.object({
  providers: z
    .array(
      z.object({
        id: z.int().meta({ description: 'Id of the provider.' }),
        name: z.string().meta({ description: 'Its name, for the button.' }),
      }),
    )
    .meta({ description: 'Providers that users may log in through, by name.' }),
})

const begun = z.object({ url: z.string().meta({ description: 'Where the browser logs in at the provider.' }) })

/** Builds the routes by which browsers log in at providers of OpenID Connect. `forgetIdentities` as for sessions. */
export function openIdRoutes(forgetIdentities: () => void): Route[] {
  const common = { group: 'session', notInBatch: true } as const
  const open = { ...common, access: { kind: 'public' } } as const
  return [
    {
      ...open,
      method: 'GET',
      path: '/api/login_providers',
      id: 'session.providers',
      summary: 'Providers of OpenID Connect that the login page offers',
      answers: { 200: providers },
      handle: async ({ db }) => ({ status: 200, body: { providers: await listLoginProviders(db) } }),
    },
    {
      ...open,
      method: 'GET',
      path: '/api/auth_source_oidcs/:id/login',
      id: 'session.begin',
      summary: 'Send a browser to a provider to log in; return_to is the path where it ends',
      answers: { 302: null },
      handle: (ctx, { params, query }) =>
        answerFailures(ctx, params.id, async () => {
          const login = await beginLogin(ctx, Number(params.id), query.return_to)
          return { status: 302, headers: { ...formatCookie(ctx, login.cookie), location: login.url } }
        }),
    },
    {
      ...open,
      method: 'GET',
      path: '/api/auth_source_oidcs/:id/callback',
      id: 'session.finish',
      summary: 'Where a provider sends the browser back: starts a session',
      answers: { 302: null },
      handle: (ctx, input) => answerFailures(ctx, input.params.id, () => finish(ctx, input, forgetIdentities)),
    },
    {
      ...open,
      method: 'POST',
      path: '/api/auth_source_oidcs/:id/backchannel_logout',
      id: 'session.back_channel_logout',
      summary: 'Where a provider reports logouts: ends the sessions that the logout token names',
      form: true,
      answers: { 200: null },
      handle: (ctx, input) => endByToken(ctx, input, forgetIdentities),
    },
    {
      ...common,
      method: 'POST',
      path: '/api/auth_source_oidcs/:id/link',
      id: 'session.link',
      summary: 'Begin to link the own account to a login at a provider',
      access: { kind: 'login' },
      answers: { 200: begun },
      handle: link,
    },
  ]
}

async function link(ctx: Context, { params }: Input): Promise<Answer> {
  const cookie = ctx.origin.session
  if (cookie === null) {
    const details = 'Accounts are linked in a session of a browser'
    throw new Failure('denied', 'Access denied', { details, missingPermissions: null })
  }
  try {
    const login = await beginLogin(ctx, Number(params.id), '/account', { user: ctx.user.id, cookie })
    return { status: 200, body: { url: login.url }, headers: formatCookie(ctx, login.cookie) }
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error
    logRefusal(ctx, params.id, error)
    throw new Failure('unavailable', error.sentence)
  }
}

async function finish(ctx: Context, { params, query, headers }: Input, forget: () => void): Promise<Answer> {
  const sent = typeof headers?.cookie === 'string' ? headers.cookie : undefined
  const cookies = { cookie: readSessionCookie(sent, LOGIN_COOKIE), session: readSessionCookie(sent) }
  const login = await finishLogin(ctx, Number(params.id), { query, ...cookies }, forget)
  if (login.isLink) return { status: 302, headers: { location: login.returnTo } }
  await deleteIdleSessions(ctx.db, ctx.settings.idle_timeout)
  const { cookie } = await createSession(ctx.db, login.userId, 'in defaults', {
    address: ctx.origin.address,
    userAgent: readUserAgent(headers?.['user-agent']),
  })
  await storeSessionIdentity(ctx.db, ctx.encryption, cookie, { ...login, identity: login.id })
  ctx.log.info(
    { method: 'provider', source: Number(params.id), user: login.userId, address: ctx.origin.address },
    'logged in',
  )
  const started = { 'set-cookie': formatStartCookie(cookie, ctx.origin.secure), 'cache-control': 'no-store' }
  return { status: 302, headers: { ...started, location: login.returnTo } }
}

/** Answers as the standard asks: 400 with an error code for a token that counts for nothing. */
async function endByToken(ctx: Context, { params, body }: Input, forget: () => void): Promise<Answer> {
  try {
    const ended = await logOutByToken(ctx, Number(params.id), body.logout_token)
    forget()
    ctx.log.info({ source: Number(params.id), sessions: ended }, 'sessions ended by a provider')
    return { status: 200, headers: { 'cache-control': 'no-store' } }
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error
    logRefusal(ctx, params.id, error)
    throw new Failure('malformed', error.sentence)
  }
}

/** Sends the browser back to the login page, which shows the sentence of the code; the log has the reason. */
async function answerFailures(ctx: Context, id: string | undefined, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error
    logRefusal(ctx, id, error)
    return { status: 302, headers: { location: `/?login_error=${error.code}`, 'cache-control': 'no-store' } }
  }
}

function logRefusal(ctx: Context, id: string | undefined, { code, message }: OpenIdError): void {
  const { address, requestId } = ctx.origin
  ctx.log.warn({ source: Number(id), reason: code, detail: message, address, requestId }, 'login at a provider refused')
}

function formatCookie({ origin }: Context, value: string): Readonly<Record<string, string>> {
  const cookie = `${formatStartCookie(value, origin.secure, LOGIN_COOKIE)}; Max-Age=${LOGIN_SECONDS}`
  return { 'set-cookie': cookie, 'cache-control': 'no-store' }
}
