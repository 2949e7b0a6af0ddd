/** This service as a client of providers: begins logins, checks the answers, and verifies tokens. */
import { createHash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { OpenIdError } from './errors.ts'
import { toOpenIdError } from './failures.ts'
import { createFetch, type Fetch, type RequestThrough } from './fetch.ts'
import { ALGORITHMS, type Claims, isAllowedEndpoint, type ProviderSettings } from './provider.ts'
import { createVerify, type Verify } from './tokens.ts'

/** What a login has to remember until the browser comes back. */
export interface PendingLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A login that the provider has confirmed. */
export interface ConfirmedLogin {
  readonly subject: string
  /** Claims of the ID token, and those of the user info endpoint where the first lacks wanted ones. */
  readonly claims: Claims
  readonly idToken: string
}

/** A provider whose description was fetched. */
export interface Discovered {
  readonly configuration: Configuration
  readonly verify: Verify
  readonly fetch: Fetch
}

/** All providers, as this service asks them. */
export interface RelyingParty {
  /** Fetches the description of a provider, or yields the one that is known. {@throws OpenIdError} */
  readonly learn: (provider: ProviderSettings, how?: 'remembered' | 'anew') => Promise<Discovered>
  /** Yields where the browser has to go, and what to remember until it comes back. {@throws OpenIdError} */
  readonly begin: (provider: ProviderSettings, redirectUri: string) => Promise<PendingLogin & { readonly url: URL }>
  /** Checks the answer with which the browser came back. {@throws OpenIdError} */
  readonly finish: (
    provider: ProviderSettings,
    answer: URL,
    pending: PendingLogin,
    wanted: readonly string[],
  ) => Promise<ConfirmedLogin>
  /** Yields the verification by keys at a known address, without a description of the provider. */
  readonly verifyBy: (keys: KeysAtAddress) => Verify
  /** Yields where a browser ends its session at the provider; null where the provider has no such page. */
  readonly endAt: (provider: ProviderSettings, parameters: Record<string, string>) => Promise<URL | null>
}

/** Who signs, with the keys at which address, and how. */
export interface KeysAtAddress {
  readonly issuer: string
  readonly jwksUri: string
  readonly algorithm: string
}

/** How long the description of a provider counts. */
const LIVES_MS = 10 * 60_000
const MOST_PROVIDERS = 200
const SKEW_OF_SETTINGS = 60

/** Creates the relying party of one process. */
export function createRelyingParty(through: RequestThrough): RelyingParty {
  const known = new Map<string, { readonly found: Promise<Discovered>; readonly until: number }>()
  let byAddress: { readonly key: string; readonly verify: Verify } | null = null

  const learn: RelyingParty['learn'] = async (provider, how = 'remembered') => {
    const key = createHash('sha256').update(JSON.stringify(provider)).digest('base64')
    const before = known.get(key)
    if (how === 'remembered' && before && before.until > performance.now()) return before.found
    if (known.size >= MOST_PROVIDERS) known.clear()
    const found = describe(provider, through)
    known.set(key, { found, until: performance.now() + LIVES_MS })
    found.catch(() => known.get(key)?.found === found && known.delete(key)) // a failure is not remembered
    return found
  }

  return {
    learn,
    begin: async (provider, redirectUri) => {
      const { configuration } = await learn(provider)
      const pending = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: provider.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { ...pending, url }
    },
    finish: async (provider, answer, pending, wanted) => {
      const { configuration, verify } = await learn(provider)
      try {
        return await confirm(configuration, verify, provider, answer, pending, wanted)
      } catch (cause) {
        throw toOpenIdError(cause)
      }
    },
    verifyBy: ({ issuer, jwksUri, algorithm }) => {
      const key = JSON.stringify([issuer, jwksUri, algorithm])
      if (byAddress?.key === key) return byAddress.verify
      const known: readonly string[] = ALGORITHMS
      if (!URL.canParse(jwksUri) || !known.includes(algorithm))
        throw new OpenIdError('misconfigured', 'the settings oidc_jwks_url and oidc_algorithm are incomplete')
      const fetch = createFetch({ issuer: jwksUri, caCertificate: null }, through)
      const verify = createVerify(jwksUri, fetch, { issuer, algorithms: [algorithm], clockSkew: SKEW_OF_SETTINGS })
      byAddress = { key, verify }
      return verify
    },
    endAt: async (provider, parameters) => {
      const { configuration } = await learn(provider)
      const { end_session_endpoint: page } = configuration.serverMetadata()
      return page === undefined ? null : buildEndSessionUrl(configuration, parameters)
    },
  }
}

async function describe(provider: ProviderSettings, through: RequestThrough): Promise<Discovered> {
  const { issuer, clientId, clientSecret, clockSkew, algorithms } = provider
  const fetch = createFetch(provider, through)
  const isOnThisMachine = issuer.startsWith('http:')
  try {
    const metadataOfClient = {
      [clockTolerance]: clockSkew,
      // Several are accepted, whichever the provider has named first; the type knows a single one only.
      id_token_signed_response_alg: algorithms as unknown as string,
    }
    const found = await discovery(
      new URL(issuer),
      clientId,
      metadataOfClient,
      clientSecret === null ? None() : prove(clientSecret),
      {
        [customFetch]: fetch,
        ...(isOnThisMachine && { execute: [allowInsecureRequests] }),
      },
    )
    const metadata = found.serverMetadata()
    // A trailing slash aside, the name has to be the one that was entered: tokens are compared with it.
    if (metadata.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
      throw new OpenIdError('wrong_issuer', `the provider at ${issuer} calls itself ${metadata.issuer}`)
    const { jwks_uri } = metadata
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      const endpoint = metadata[name]
      if (!endpoint || !URL.canParse(endpoint) || !isAllowedEndpoint(new URL(endpoint), issuer))
        throw new OpenIdError('misconfigured', `the provider names no usable ${name}: ${endpoint ?? 'none'}`)
    }
    return {
      configuration: found,
      verify: createVerify(jwks_uri ?? '', fetch, { ...provider, issuer: metadata.issuer }),
      fetch,
    }
  } catch (cause) {
    throw toOpenIdError(cause)
  }
}

/** Proves the secret in the way that the provider accepts, by a header if it can be (RFC 6749, 2.3.1). */
function prove(secret: string): ClientAuth {
  const [byHeader, byForm] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (accepted.includes('client_secret_basic') ? byHeader : byForm)(server, ...request)
  }
}

async function confirm(
  configuration: Configuration,
  verify: Verify,
  { clientId }: ProviderSettings,
  answer: URL,
  { state, nonce, verifier }: PendingLogin,
  wanted: readonly string[],
): Promise<ConfirmedLogin> {
  const { issuer } = configuration.serverMetadata()
  const from = answer.searchParams.get('iss')
  if (from !== null && from !== issuer)
    throw new OpenIdError('wrong_provider', `the answer is of ${from}, not of ${issuer}`)
  const tokens = await authorizationCodeGrant(configuration, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const { id_token: idToken, access_token: accessToken } = tokens
  if (idToken === undefined) throw new OpenIdError('malformed', 'the answer has no ID token')
  // The library trusts TLS to the token endpoint; the signature is verified nevertheless.
  const proven = await verify(idToken, { audience: clientId })
  if (proven.nonce !== nonce) throw new OpenIdError('wrong_nonce', 'the ID token has another nonce')
  const subject = String(proven.sub)
  const lacksWanted = wanted.some((name) => proven[name] === undefined)
  const { userinfo_endpoint: asked } = configuration.serverMetadata()
  const more = lacksWanted && asked ? await fetchUserInfo(configuration, accessToken, subject) : {}
  return { subject, claims: { ...more, ...proven }, idToken }
}
