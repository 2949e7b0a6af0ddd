import { z } from 'zod'
import {
  buildOwnAddress,
  CURRENT_LOGIN,
  DEVICE_INTERVAL,
  decideBrowserLogin,
  decideDeviceLogin,
  exchangeCode,
  OAuthError,
  REQUEST_SECONDS,
  requestDeviceLogin,
  revokeByValue,
  showCurrentLogin,
} from '../../areas/access/index.ts'
import type { Context } from '../../context.ts'
import { Failure, invalid } from '../../errors.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { oauthRefusal } from '../answers/error-answers.ts'

const describe = (description: string) => ({ description })
const text = (description: string) => z.string().meta(describe(description))

const codes = z.object({
  device_code: text('What the program sends to /oauth/token.'),
  user_code: text('What the person types at verification_uri.'),
  verification_uri: text('The page for the code.'),
  verification_uri_complete: text('The same page with the code.'),
  expires_in: z.int().meta(describe('Seconds that the codes count.')),
  interval: z.int().meta(describe('Seconds to wait between requests.')),
})

const token = z.object({
  access_token: text('The personal access token. It is shown only once.'),
  token_type: text('Bearer.'),
  expires_in: z.int().meta(describe('Seconds until it expires.')),
  scope: z.string().optional().meta(describe('Names of the permissions that it is limited to; missing: none.')),
  login: text('Login of its user.'),
  token_id: z.int().meta(describe('Its id, by which it is revoked.')),
})

const decision = z
  .enum(['ask', 'allow', 'deny'])
  .meta(describe('ask: only show what is asked for; allow or deny: decide.'))
const permissions = z
  .array(z.string())
  .nullable()
  .meta(describe('The only permissions that the token would have; null: all of the caller.'))
const shown = {
  client_name: text('What the program calls itself.'),
  address: text('Address from which the program, or for an authorization the browser, asks.'),
  permissions,
}

/** Builds the routes by which the command line logs in through a browser (RFC 8252, RFC 8628). `forgetIdentities` as for sessions. */
export function oauthRoutes(forgetIdentities: () => void): Route[] {
  return [...clientRoutes(forgetIdentities), ...consentRoutes(), currentLoginRoute()]
}

/** For programs: not for browsers, so that these have no headers for other origins. */
function clientRoutes(forget: () => void): Route[] {
  const common = { group: 'session', method: 'POST', access: { kind: 'public' }, form: true, notInBatch: true } as const
  return [
    {
      ...common,
      path: '/oauth/device_authorization',
      id: 'session.request_device',
      summary: 'Begin a login of a program without a browser: form data with client_id, client_name and scope',
      answers: { 200: codes, 400: oauthRefusal },
      handle: (ctx, { body }) => answerRefusals(() => beginDevice(ctx, body)),
    },
    {
      ...common,
      path: '/oauth/token',
      id: 'session.exchange_code',
      summary:
        'Exchange a code of a login for a personal access token: form data with grant_type, client_id and the code',
      answers: { 200: token, 400: oauthRefusal },
      handle: (ctx, { body }) => answerRefusals(() => exchange(ctx, body)),
    },
    {
      ...common,
      path: '/oauth/revoke',
      id: 'session.revoke_token',
      summary: 'Revoke a personal access token by its value: form data with token (RFC 7009)',
      answers: { 200: z.object({}), 400: oauthRefusal },
      handle: async (ctx, { body }) => {
        // Everybody can send this: a value that is unknown must not cost others their cached logins.
        if (await revokeByValue(ctx, typeof body.token === 'string' ? body.token : '')) forget()
        return { status: 200, body: {} }
      },
    },
  ]
}

async function beginDevice(ctx: Context, body: Input['body']): Promise<object> {
  const { deviceCode, userCode } = await requestDeviceLogin(ctx, body)
  const page = `${buildOwnAddress(ctx.origin)}/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: REQUEST_SECONDS,
    interval: DEVICE_INTERVAL,
  }
}

async function exchange(ctx: Context, body: Input['body']): Promise<object> {
  const { value, expiresIn, permissions: limits, login, id } = await exchangeCode(ctx, body)
  ctx.log.info({ method: body.grant_type, login, token: id, address: ctx.origin.address }, 'logged in')
  const scope = limits ? { scope: limits.join(' ') } : {}
  return { access_token: value, token_type: 'Bearer', expires_in: expiresIn, ...scope, login, token_id: id }
}

async function answerRefusals(work: () => Promise<object>): Promise<Answer> {
  const headers = { 'cache-control': 'no-store', pragma: 'no-cache' }
  try {
    return { status: 200, body: await work(), headers }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { status: 400, body: { error: error.code, error_description: error.message }, headers }
  }
}

/** For the pages of the console where somebody consents, in a session: only there the CSRF token proves that they want it. */
function consentRoutes(): Route[] {
  const common = {
    group: 'session',
    method: 'POST',
    notInBatch: true,
    access: { kind: 'login', unlimited: true },
  } as const
  return [
    {
      ...common,
      path: '/api/login_requests/device',
      id: 'session.decide_device',
      summary: 'Show the login that waits under a code of a device, and allow or deny it',
      refuses: 422,
      body: z.object({ user_code: text('The code that the program shows.'), decision }),
      answers: { 200: z.object({ ...shown, expires_at: text('When the code ends.') }) },
      handle: async (ctx, { body }) => {
        requireBrowser(ctx)
        return { status: 200, body: await decideDeviceLogin(ctx, body.user_code, readDecision(body)) }
      },
    },
    {
      ...common,
      path: '/api/login_requests/browser',
      id: 'session.decide_browser',
      summary: 'Show the login that a program on the machine of the browser asks for, and allow or deny it',
      refuses: 422,
      body: z.object({
        response_type: text('code.'),
        client_id: text('millwright-cli.'),
        client_name: z.string().optional().meta(describe('What the program calls itself.')),
        redirect_uri: text('Where the browser takes the code: an address of the same machine.'),
        code_challenge: text('SHA-256 of the code_verifier, in base64url.'),
        code_challenge_method: text('S256.'),
        state: text('What the program recognizes its login by.'),
        scope: z.string().optional().meta(describe('Names of permissions to limit the token to.')),
        decision,
      }),
      answers: {
        200: z.object({
          ...shown,
          redirect_to: z.string().nullable().meta(describe('Where the browser goes after the decision; null before.')),
        }),
      },
      handle: async (ctx, { body }) => {
        requireBrowser(ctx)
        return { status: 200, body: await decideBrowserLogin(ctx, body, readDecision(body)) }
      },
    },
  ]
}

/** {@throws Failure} denied */
function requireBrowser({ origin }: Context): void {
  if (origin.session !== null) return
  const details = 'Logins of programs are allowed in a session of a browser'
  throw new Failure('denied', 'Access denied', { details, missingPermissions: null })
}

/** {@throws Failure} invalid */
function readDecision(body: Input['body']): 'ask' | 'allow' | 'deny' {
  const read = decision.safeParse(body.decision)
  if (read.success) return read.data
  throw invalid({ decision: ['must be ask, allow or deny'] })
}

function currentLoginRoute(): Route {
  return {
    group: 'service',
    method: 'GET',
    path: '/api/current_user/login',
    id: 'service.current_login',
    summary: 'Show who the caller is, from where, until when and with which limits',
    access: { kind: 'login' },
    answers: { 200: CURRENT_LOGIN },
    handle: async (ctx, { headers }) => ({ status: 200, body: await showCurrentLogin(ctx, headers?.authorization) }),
  }
}
