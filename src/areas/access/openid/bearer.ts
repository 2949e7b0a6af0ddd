import type { Db } from '../../../database/sql.ts'
import type { Encryption } from '../../../encryption/encryption.ts'
import { OpenIdError } from '../../../openid/errors.ts'
import type { Claims } from '../../../openid/provider.ts'
import type { RelyingParty } from '../../../openid/relying-party.ts'
import { readIssuer } from '../../../openid/tokens.ts'
import type { AcceptDelegated } from '../identity/delegated-login.ts'
import { acceptPerson } from './accept.ts'
import { loadProvidersByIssuer, type ProviderSource } from './sources.ts'

/** The user of a token of a provider, and the milliseconds for which the token still counts. */
export interface TokenUser {
  readonly userId: number
  readonly lifetimeMs: number
}

/** Finds the user of an access token of a provider; null for what is no such token. {@throws OpenIdError} */
export type AcceptToken = (token: string, address: string) => Promise<TokenUser | null>

/** The dependencies of logins by tokens of providers. */
export interface BearerOptions {
  readonly db: Db
  readonly encryption: Encryption
  readonly openid: RelyingParty
  readonly forget: () => void
  /** The provider of the settings, whose users are those of an external source, as on existing servers. */
  readonly ofSettings: { readonly settings: () => JwtSettings; readonly accept: AcceptDelegated }
}

/** The settings about tokens that existing servers have. */
export interface JwtSettings {
  readonly oidc_issuer: string
  readonly oidc_jwks_url: string
  readonly oidc_algorithm: string
  readonly oidc_audience: readonly string[]
}

/** Creates the login by access tokens of providers, for programs (RFC 9068). */
export function createTokenLogin(options: BearerOptions): AcceptToken {
  return async (token, address) => {
    const issuer = readIssuer(token)
    if (issuer === null) return null
    const settings = options.ofSettings.settings()
    if (settings.oidc_issuer !== '' && issuer === settings.oidc_issuer) return acceptBySettings(options, token, address)
    const sources = await loadProvidersByIssuer(options.db, options.encryption, issuer)
    let refusal: unknown = null
    for (const source of sources) {
      try {
        return await acceptBy(options, source, token, address)
      } catch (error) {
        refusal ??= error
      }
    }
    if (refusal !== null) throw refusal
    throw new OpenIdError('wrong_issuer', `no provider with an audience calls itself ${issuer.slice(0, 255)}`)
  }
}

async function acceptBy(
  { db, openid, forget }: BearerOptions,
  source: ProviderSource,
  token: string,
  address: string,
): Promise<TokenUser> {
  const { verify } = await openid.learn(source.settings)
  const claims = await verify(token, { audience: source.audiences })
  refuseIdToken(claims)
  const { userId } = await acceptPerson({ db, forget }, source, { subject: String(claims.sub), claims }, address)
  return { userId, lifetimeMs: lifetimeOf(claims) }
}

/** An ID token or a logout token is for one client, and opens nothing. */
function refuseIdToken(claims: Claims): void {
  const isOther = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'].some((name) => claims[name] !== undefined)
  if (isOther) throw new OpenIdError('wrong_audience', 'the token is no access token')
}

async function acceptBySettings(
  { openid, ofSettings }: BearerOptions,
  token: string,
  address: string,
): Promise<TokenUser> {
  const { oidc_issuer, oidc_jwks_url, oidc_algorithm, oidc_audience } = ofSettings.settings()
  const verify = openid.verifyBy({ issuer: oidc_issuer, jwksUri: oidc_jwks_url, algorithm: oidc_algorithm })
  const claims = await verify(token, { audience: oidc_audience })
  const read = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value : null
  }
  const login = read('preferred_username')
  if (login === null) throw new OpenIdError('no_name', 'the claim preferred_username is missing')
  const { groups } = claims
  const accepted = await ofSettings.accept(
    {
      login,
      mail: read('email'),
      firstname: read('given_name'),
      lastname: read('family_name'),
      groups: Array.isArray(groups) ? groups.filter((name) => typeof name === 'string') : null,
    },
    address,
  )
  if (typeof accepted === 'object') throw new OpenIdError('name_taken', accepted.details)
  return { userId: accepted, lifetimeMs: lifetimeOf(claims) }
}

function lifetimeOf({ exp }: Claims): number {
  return typeof exp === 'number' ? exp * 1000 - Date.now() : 0
}
