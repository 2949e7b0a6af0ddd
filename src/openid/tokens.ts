/** Verifies signed tokens of a provider with the keys that it publishes. */
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { OpenIdError, type OpenIdProblem } from './errors.ts'
import type { Fetch } from './fetch.ts'
import type { Claims, ProviderSettings } from './provider.ts'

/** Verifies the signature of a token, its issuer, times and audience. {@throws OpenIdError} */
export type Verify = (token: string, wanted: Wanted) => Promise<Claims>

/** What a token has to be. */
interface Wanted {
  readonly audience: string | readonly string[]
  /** Logout tokens may name a session instead of a subject, and need not expire. */
  readonly isLogout?: boolean
}

type Accepted = Pick<ProviderSettings, 'algorithms' | 'clockSkew'> & { readonly issuer: string }

/** How often the keys are fetched at most, and for how long they count: somebody could send tokens with invented keys. */
const FETCHES = 5
const FETCHES_WITHIN_MS = 60_000
const KEYS_LIVE_MS = 10 * 60_000

/** Creates the verification for the keys at this URL. They are fetched again when a token names an unknown one. */
export function createVerify(jwksUri: string, fetch: Fetch, { issuer, algorithms, clockSkew }: Accepted): Verify {
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cooldownDuration: 0,
    cacheMaxAge: KEYS_LIVE_MS,
    [customFetch]: limitFetches(fetch),
  })
  return async (token, { audience, isLogout = false }) => {
    const options: JWTVerifyOptions = {
      issuer,
      algorithms: [...algorithms],
      clockTolerance: clockSkew,
      audience: typeof audience === 'string' ? audience : [...audience],
      requiredClaims: isLogout ? ['iat'] : ['exp', 'iat', 'sub'],
    }
    try {
      const { payload } = await jwtVerify(token, keys, options)
      refuseFuture(payload, clockSkew)
      return payload
    } catch (cause) {
      throw translate(cause)
    }
  }
}

/** Reads the issuer that a token names, before anything is verified; null for what is no token with an issuer. */
export function readIssuer(token: string): string | null {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token) || token.length > LONGEST_TOKEN) return null
  try {
    return decodeJwt(token).iss ?? null
  } catch {
    return null
  }
}

const LONGEST_TOKEN = 16_384

function limitFetches(fetch: Fetch): Fetch {
  const times: number[] = []
  return async (url, options) => {
    const now = performance.now()
    while (times[0] !== undefined && times[0] < now - FETCHES_WITHIN_MS) times.shift()
    if (times.length >= FETCHES) throw new OpenIdError('unknown_key', `${url} was asked ${FETCHES} times in a minute`)
    times.push(now)
    const response = await fetch(url, options)
    if (response.status !== 200) throw new OpenIdError('unreachable', `${url} answers with status ${response.status}`)
    return response
  }
}

function refuseFuture({ iat }: JWTPayload, clockSkew: number): void {
  if (iat !== undefined && iat > Date.now() / 1000 + clockSkew)
    throw new OpenIdError('early', `the token was issued at ${iat}, which is in the future`)
}

function translate(cause: unknown): OpenIdError {
  if (cause instanceof OpenIdError) return cause
  const code = cause instanceof errors.JWTClaimValidationFailed ? CLAIMS[cause.claim] : undefined
  const kind = cause instanceof errors.JOSEError ? CODES[cause.code] : undefined
  return new OpenIdError(code ?? kind ?? 'malformed', cause instanceof Error ? cause.message : String(cause), cause)
}

const CLAIMS: Readonly<Record<string, OpenIdProblem | undefined>> = {
  iss: 'wrong_issuer',
  aud: 'wrong_audience',
  nbf: 'early',
  iat: 'early',
}

const CODES: Readonly<Record<string, OpenIdProblem | undefined>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'wrong_algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'wrong_algorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown_key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'unknown_key',
  ERR_JWKS_TIMEOUT: 'slow',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'bad_signature',
}
