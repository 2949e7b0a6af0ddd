import { z } from 'zod'
import {
  buildLogoutUrl,
  buildRequestOptions,
  computeCsrfToken,
  createSession,
  deleteIdleSessions,
  endSession,
  noteProof,
  readProof,
  requireProof,
  setSessionScope,
} from '../../areas/access/index.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { Failure, invalid } from '../../errors.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { CODE_MISSING, formatEndCookie, formatStartCookie } from './authenticate.ts'

const PROOF = {
  code: z.string().optional().meta({ description: 'Code of the second factor, or a recovery code.' }),
  passkey: z
    .looseObject({})
    .optional()
    .meta({ description: 'In place of a code: what the browser answers to POST /api/session/passkey, as JSON.' }),
}

const session = z.object({
  login: z.string().meta({ description: 'Login of the caller.' }),
  csrf_token: z.string().meta({ description: 'To be sent as X-CSRF-Token with every write.' }),
})

const ended = session.extend({
  logout_url: z.string().nullable().meta({
    description: 'Where the browser ends its session at the provider of the login; null where there is none.',
  }),
})

const asked = z.object({
  options: z.looseObject({}).meta({ description: 'For navigator.credentials.get, as JSON.' }),
})

/**
 * Builds the routes of sessions for browsers (core-api §4.5): one login, then a cookie and a CSRF token. `forgetIdentities`
 * drops the identities that this process remembers, those of sessions among them.
 */
export function sessionRoutes(database: Database, forgetIdentities: () => void): Route[] {
  const common = {
    group: 'session',
    path: '/api/session',
    access: { kind: 'login' },
    answers: { 200: session },
  } as const
  return [
    {
      ...common,
      method: 'GET',
      id: 'session.show',
      notInBatch: true,
      summary: 'Show the session of the cookie, with its CSRF token',
      handle: async (ctx) => ({ status: 200, body: presentSession(ctx, cookieOf(ctx)) }),
    },
    {
      ...common,
      method: 'POST',
      id: 'session.create',
      notInBatch: true,
      summary: 'Start a session: the cookie comes in a header, the CSRF token for writes in the body',
      body: z.object(PROOF),
      answers: { 201: session },
      handle: (ctx, input) => start(ctx, input, database),
    },
    {
      ...common,
      method: 'POST',
      path: '/api/session/passkey',
      id: 'session.passkey',
      notInBatch: true,
      summary: 'Ask for a passkey of the caller, for a login or a proof within five minutes',
      answers: { 200: asked },
      refuses: 422,
      handle: async (ctx) => ({
        status: 200,
        body: { options: await buildRequestOptions(ctx, ctx.user.id) },
        headers: { 'cache-control': 'no-store' },
      }),
    },
    {
      ...common,
      method: 'POST',
      path: '/api/session/proof',
      id: 'session.prove',
      notInBatch: true,
      summary: 'Prove the second factor again, as changes of tokens and roles need it from time to time',
      body: z.object(PROOF),
      handle: prove,
    },
    {
      ...common,
      method: 'PUT',
      id: 'session.update',
      notInBatch: true,
      summary: 'Choose the organization and location of all requests of the session that name none',
      handle: async (ctx) => {
        const cookie = cookieOf(ctx)
        await setSessionScope(database.db, cookie, ctx.scope)
        forgetIdentities()
        return { status: 200, body: presentSession(ctx, cookie) }
      },
    },
    {
      ...common,
      method: 'DELETE',
      id: 'session.end',
      notInBatch: true,
      summary: 'End the session of the cookie; logout_url is where it also ends at the provider',
      answers: { 200: ended },
      handle: async (ctx) => {
        const cookie = cookieOf(ctx)
        const logout_url = await buildLogoutUrl(ctx, cookie)
        await endSession(database.db, cookie)
        forgetIdentities()
        return {
          status: 200,
          body: { ...presentSession(ctx, cookie), logout_url },
          headers: { 'set-cookie': formatEndCookie() },
        }
      },
    },
  ]
}

async function start(ctx: Context, input: Input, database: Database): Promise<Answer> {
  // A token must not start a session, because the session would outlive the token.
  const isOwnLogin = ctx.origin.login === 'password' || ctx.origin.login === 'delegated'
  if (!isOwnLogin) throw createRefusal('A session is started with a login and a password')
  const isProven = await proveAtLogin(ctx, input)
  await deleteIdleSessions(database.db, ctx.settings.idle_timeout)
  const { cookie, csrf } = await createSession(database.db, ctx.user.id, 'in defaults', {
    address: ctx.origin.address,
    userAgent: readUserAgent(input.headers?.['user-agent']),
  })
  if (isProven) await noteProof(database.db, cookie)
  const headers = { 'set-cookie': formatStartCookie(cookie, ctx.origin.secure), 'cache-control': 'no-store' }
  return { status: 201, body: { login: ctx.user.login, csrf_token: csrf }, headers }
}

/** Requires a proof for a login by password of somebody with a second factor. {@throws Failure} unauthenticated, locked_out */
async function proveAtLogin(ctx: Context, { body }: Input): Promise<boolean> {
  if (ctx.origin.login !== 'password' || !ctx.user.secondFactor?.has) return false
  const proof = readProof(body)
  if (proof === null) throw new Failure('unauthenticated', CODE_MISSING, { details: SEND_CODE })
  await requireProof(ctx, ctx.user.id, proof)
  return true
}

const SEND_CODE =
  'Send the code of your application, or a recovery code, as "code", or the answer of a passkey as "passkey".'

async function prove(ctx: Context, { body }: Input): Promise<Answer> {
  const cookie = cookieOf(ctx)
  const proof = readProof(body)
  if (proof === null) throw invalid({ code: ["can't be blank without a passkey"] })
  await requireProof(ctx, ctx.user.id, proof)
  await noteProof(ctx.db, cookie)
  return { status: 200, body: presentSession(ctx, cookie) }
}

/** Reads a user agent without control characters, because clients may send anything; null where there is none. */
export function readUserAgent(sent: string | readonly string[] | undefined): string | null {
  return typeof sent === 'string' ? sent.replace(/\p{Cc}/gu, '') : null
}

function presentSession(ctx: Context, cookie: string): z.infer<typeof session> {
  return { login: ctx.user.login, csrf_token: computeCsrfToken(cookie) }
}

function cookieOf(ctx: Context): string {
  if (ctx.origin.session === null) throw createRefusal('This request does not belong to a session')
  return ctx.origin.session
}

function createRefusal(details: string): Failure {
  return new Failure('denied', 'Access denied', { details, missingPermissions: null })
}
