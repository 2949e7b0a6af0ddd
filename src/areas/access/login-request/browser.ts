import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type FieldErrors, invalid, refuseInvalid } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { normalizeAddress } from '../identity/addresses.ts'
import { digestSecret } from '../identity/secrets.ts'
import { REQUEST_SECONDS, readAsked, type Sent } from './asked.ts'
import type { ShownRequest } from './device.ts'
import { OAuthError } from './oauth-error.ts'

/** What the page asks, with where the browser goes after a decision; null before. */
export interface Authorization extends Omit<ShownRequest, 'expires_at'> {
  readonly redirect_to: string | null
}

/**
 * Checks a request of a browser for a login of the command line, and, with a decision, yields where the browser takes it: to a
 * program on the same machine, never elsewhere. {@throws Failure} invalid
 */
export async function decideBrowserLogin(
  ctx: Pick<Context, 'db' | 'origin' | 'user'>,
  sent: Sent,
  decision: 'ask' | 'allow' | 'deny',
): Promise<Authorization> {
  const { redirectUri, challenge, state } = readRequest(sent)
  const { clientName, permissions } = await readAsked(ctx, sent).catch(refuseField)
  const address = normalizeAddress(ctx.origin.address)
  const shown = { client_name: clientName, address, permissions }
  if (decision === 'ask') return { ...shown, redirect_to: null }
  const target = new URL(redirectUri)
  target.searchParams.set('state', state)
  if (decision === 'deny') {
    target.searchParams.set('error', 'access_denied')
    return { ...shown, redirect_to: target.href }
  }
  const code = randomBytes(32).toString('base64url')
  await rows(
    ctx.db,
    sql`
      insert into login_requests (client_name, address, permissions, digest, challenge, redirect_uri, state, user_id, expires_at)
      values (${clientName}, ${address}::inet, ${permissions}::text[], ${digestSecret(code)}, ${challenge}, ${redirectUri},
        'approved', ${ctx.user.id}, now() + make_interval(secs => ${REQUEST_SECONDS}))`,
  )
  target.searchParams.set('code', code)
  return { ...shown, redirect_to: target.href }
}

/** A loopback address with any port (RFC 8252 7.3). A name such as localhost may lead elsewhere. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):([1-9]\d{0,4})\/[\w/.-]{0,100}$/
const CHALLENGE = /^[\w-]{43}$/ // SHA-256 in base64url
const STATE = /^[\w.~-]{8,200}$/

/** {@throws Failure} invalid */
function readRequest(sent: Sent): { redirectUri: string; challenge: string; state: string } {
  const { redirect_uri, code_challenge, code_challenge_method, response_type, state } = sent
  const errors: FieldErrors = {}
  if (response_type !== 'code') errors.response_type = ['must be code']
  if (typeof redirect_uri !== 'string' || !isLoopback(redirect_uri))
    errors.redirect_uri = ['must be an address of this machine, such as http://127.0.0.1:50000/']
  if (code_challenge_method !== 'S256') errors.code_challenge_method = ['must be S256']
  if (typeof code_challenge !== 'string' || !CHALLENGE.test(code_challenge))
    errors.code_challenge = ['must be 43 letters, digits, - and _']
  if (typeof state !== 'string' || !STATE.test(state))
    errors.state = ['must be 8 to 200 letters, digits and ., _, ~ and -']
  refuseInvalid(errors)
  return { redirectUri: String(redirect_uri), challenge: String(code_challenge), state: String(state) }
}

function isLoopback(uri: string): boolean {
  const port = LOOPBACK.exec(uri)?.[1]
  return port !== undefined && URL.canParse(uri)
}

function refuseField(error: unknown): never {
  if (!(error instanceof OAuthError)) throw error
  throw invalid({ [error.code === 'invalid_client' ? 'client_id' : 'scope']: [error.message] })
}
