import { notFound } from '../../../errors.ts'
import { OpenIdError } from '../../../openid/errors.ts'
import type { LoginContext } from './browser-login.ts'
import { endSessionsAtProvider } from './sessions.ts'
import { loadProvider } from './sources.ts'
import { spend } from './spent.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const OLDEST_SECONDS = 300

/**
 * Ends the sessions that a logout token of a provider names (OpenID Connect Back-Channel Logout 1.0); yields how many.
 * {@throws Failure, OpenIdError}
 */
export async function logOutByToken(ctx: LoginContext, id: number, token: unknown): Promise<number> {
  const source = Number.isSafeInteger(id) && id > 0 ? await loadProvider(ctx.db, ctx.encryption, id) : undefined
  if (!source) throw notFound('auth_source_oidc', id)
  if (typeof token !== 'string' || token === '') throw new OpenIdError('malformed', 'logout_token is missing')
  const { verify } = await ctx.openid.learn(source.settings)
  const claims = await verify(token, { audience: source.settings.clientId, isLogout: true })
  const { events, nonce, sub, sid, jti, iat } = claims
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  if (!isLogout || nonce !== undefined) throw new OpenIdError('malformed', 'the token is no logout token')
  if (typeof iat !== 'number' || iat < Date.now() / 1000 - OLDEST_SECONDS - source.settings.clockSkew)
    throw new OpenIdError('expired', 'the logout token is too old')
  const [subject, session] = [sub, sid].map((value) => (typeof value === 'string' ? value : null))
  if (!subject && !session) throw new OpenIdError('malformed', 'the logout token names neither sub nor sid')
  if (typeof jti !== 'string') throw new OpenIdError('malformed', 'the logout token has no jti')
  if (!(await spend(ctx.db, `logout ${id} ${jti}`, 2 * OLDEST_SECONDS + source.settings.clockSkew)))
    throw new OpenIdError('replayed', 'the logout token was used before')
  return endSessionsAtProvider(ctx.db, id, { sid: session ?? null, subject: subject ?? null })
}
