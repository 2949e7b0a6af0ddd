import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { recordLogin } from '../login-event/record.ts'
import { DEVICE_GRANT, requireClient, type Sent } from '../login-request/asked.ts'
import { OAuthError } from '../login-request/oauth-error.ts'
import { storeLimits } from '../personal-access-token/limits.ts'
import { loadActor } from './actors.ts'
import { digestSecret, hasSameBytes } from './secrets.ts'
import { recordIdentityAudit } from './system-audit.ts'
import { generateToken } from './tokens.ts'

/** A token that a login has made. */
export interface IssuedToken {
  readonly id: number
  readonly value: string
  readonly login: string
  /** Seconds. */
  readonly expiresIn: number
  readonly permissions: readonly string[] | null
}

type Exchanging = Pick<Context, 'db' | 'origin' | 'settings'>

/** Exchanges a code for a personal access token, once. {@throws OAuthError} */
export async function exchangeCode(ctx: Exchanging, sent: Sent): Promise<IssuedToken> {
  requireClient(sent)
  const { grant_type } = sent
  if (grant_type === DEVICE_GRANT) return exchangeDeviceCode(ctx, readText(sent, 'device_code'))
  if (grant_type === 'authorization_code') return exchangeBrowserCode(ctx, sent)
  throw new OAuthError('unsupported_grant_type', `grant_type must be authorization_code or ${DEVICE_GRANT}`)
}

function readText(sent: Sent, key: string): string {
  const value = sent[key]
  if (typeof value === 'string' && value !== '' && value.length <= 300) return value
  throw new OAuthError('invalid_request', `${key} is missing, or too long`)
}

/** A request that was decided, and is gone from the table. */
interface Approved {
  readonly client_name: string
  readonly permissions: readonly string[] | null
  readonly user_id: number
}

interface WaitingDevice {
  readonly state: 'pending' | 'approved' | 'denied'
  readonly expired: boolean
  readonly early: boolean
}

/** Answers a poll of a device (RFC 8628 3.5). A device that polls too early must wait five seconds longer from then on. */
async function exchangeDeviceCode(ctx: Exchanging, deviceCode: string): Promise<IssuedToken> {
  const named = sql`digest = ${digestSecret(deviceCode)} and challenge is null`
  const outcome = await ctx.db.transaction(async (tx) => {
    const waiting = await row<WaitingDevice>(
      tx,
      sql`select state, expires_at <= now() as expired,
          coalesce(polled_at > now() - make_interval(secs => poll_interval), false) as early
        from login_requests where ${named} for update`,
    )
    if (!waiting) return 'invalid_grant'
    if (waiting.expired) return 'expired_token'
    if (waiting.state === 'pending') {
      const longer = waiting.early ? 5 : 0
      await rows(
        tx,
        sql`update login_requests set polled_at = now(), poll_interval = poll_interval + ${longer} where ${named}`,
      )
      return waiting.early ? 'slow_down' : 'authorization_pending'
    }
    const decided = await row<Approved>(
      tx,
      sql`delete from login_requests where ${named} returning client_name, permissions, user_id`,
    )
    return waiting.state === 'approved' && decided ? createToken(ctx, tx, decided, 'device') : 'access_denied'
  })
  if (typeof outcome === 'object') return outcome
  throw new OAuthError(outcome, SENTENCES[outcome])
}

const SENTENCES = {
  invalid_grant: 'The code is wrong, or was used already',
  expired_token: 'The code has expired: begin again',
  slow_down: 'Wait five seconds longer between requests from now on',
  authorization_pending: 'Nobody has decided yet',
  access_denied: 'The login was refused in the browser, or the account cannot log in',
}

/** Exchanges the code of a browser. A wrong verifier uses the code up too, because only a thief sends one (RFC 7636). */
async function exchangeBrowserCode(ctx: Exchanging, sent: Sent): Promise<IssuedToken> {
  const [code, verifier] = [readText(sent, 'code'), readText(sent, 'code_verifier')]
  const redirectUri = readText(sent, 'redirect_uri')
  const outcome = await ctx.db.transaction(async (tx) => {
    const found = await row<Approved & { challenge: string; redirect_uri: string; expired: boolean }>(
      tx,
      sql`delete from login_requests where digest = ${digestSecret(code)} and challenge is not null
        returning client_name, permissions, user_id, challenge, redirect_uri, expires_at <= now() as expired`,
    )
    if (!found || found.expired || found.redirect_uri !== redirectUri) return 'invalid_grant'
    const isProven = hasSameBytes(Buffer.from(found.challenge, 'base64url'), digestSecret(verifier))
    return isProven ? createToken(ctx, tx, found, 'browser') : 'invalid_grant'
  })
  if (typeof outcome === 'object') return outcome
  throw new OAuthError(outcome, SENTENCES[outcome])
}

/** Days that a token of the command line counts, unless the setting allows less. */
const TOKEN_DAYS = 30
const DAY_SECONDS = 86_400

async function createToken(
  { origin, settings }: Exchanging,
  tx: Db,
  { client_name, permissions, user_id }: Approved,
  method: 'device' | 'browser',
): Promise<IssuedToken | 'access_denied'> {
  const actor = await loadActor(tx, user_id)
  if (!actor || actor.disabled) return 'access_denied'
  const { value, digest } = generateToken()
  const most = settings.personal_access_token_days
  const expiresIn = (most > 0 ? Math.min(most, TOKEN_DAYS) : TOKEN_DAYS) * DAY_SECONDS
  // Names of tokens of a user are unique, and two terminals may log in at the same moment.
  const name = `${client_name} ${new Date().toISOString()} ${randomBytes(3).toString('hex')}`
  const made = await row<{ id: number; expires_at: Date }>(
    tx,
    sql`insert into personal_access_tokens (user_id, name, token, expires_at)
      values (${user_id}, ${name}, ${digest}, now() + make_interval(secs => ${expiresIn})) returning id, expires_at`,
  )
  if (!made) return 'access_denied'
  if (permissions) await storeLimits(tx, made.id, { permissions: [...permissions] })
  const { address, requestId } = origin
  await recordIdentityAudit(
    tx,
    { userId: user_id, userName: actor.name, address, requestId },
    {
      action: 'create',
      type: 'PersonalAccessToken',
      id: made.id,
      changes: { name, user_id, expires_at: made.expires_at },
    },
  )
  await recordLogin(tx, { user: user_id, outcome: 'granted', method, reason: null, address })
  return { id: made.id, value, login: actor.login, expiresIn, permissions }
}
