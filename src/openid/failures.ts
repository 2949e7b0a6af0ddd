/** Translates what the libraries throw into failures with a code. */
import { OpenIdError, type OpenIdProblem } from './errors.ts'

/** Turns whatever was thrown into a failure with a code; its message is for the log. */
export function toOpenIdError(thrown: unknown): OpenIdError {
  const chain = listCauses(thrown)
  const own = chain.find((one) => one instanceof OpenIdError)
  if (own instanceof OpenIdError) return own
  const facts = Object.assign({}, ...chain.toReversed().map(readFacts)) as Facts // readFacts yields no other keys
  return new OpenIdError(codeOf(facts), describe(chain), thrown)
}

interface Facts {
  readonly code?: string
  /** The error of the provider (RFC 6749), such as invalid_client. */
  readonly error?: string
  readonly claim?: string
  readonly header?: unknown
  readonly attribute?: string
  readonly parameter?: string
}

function listCauses(thrown: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let at = thrown; typeof at === 'object' && at !== null && chain.length < 8; at = Reflect.get(at, 'cause'))
    chain.push(at)
  return chain
}

function readFacts(cause: unknown): Facts {
  const names = ['code', 'error', 'claim', 'header', 'attribute', 'message'] as const
  const found = names.map((name) => [name, Reflect.get(Object(cause), name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

function codeOf({ code, error, claim, header, attribute }: Facts): OpenIdProblem {
  if (error === 'invalid_client' || error === 'unauthorized_client') return 'client_refused'
  if (error !== undefined) return error === 'invalid_grant' ? 'no_login' : 'refused'
  if (attribute === 'issuer') return 'wrong_issuer'
  if (header !== undefined) return 'wrong_algorithm'
  if (claim !== undefined) return CLAIMS[claim] ?? 'malformed'
  return (code !== undefined && CODES[code]) || 'malformed'
}

const CLAIMS: Readonly<Record<string, OpenIdProblem | undefined>> = {
  iss: 'wrong_issuer',
  aud: 'wrong_audience',
  azp: 'wrong_audience',
  nonce: 'wrong_nonce',
  exp: 'expired',
  nbf: 'early',
  iat: 'early',
  sub: 'malformed',
}

const CODES: Readonly<Record<string, OpenIdProblem | undefined>> = {
  OAUTH_TIMEOUT: 'slow',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'client_refused',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'misconfigured',
  OAUTH_RESPONSE_IS_NOT_JSON: 'misconfigured',
}

/** Describes the failure for the log: messages of the libraries, which quote no token and no secret. */
function describe(chain: readonly unknown[]): string {
  const messages = chain.flatMap((one) => {
    if (!(one instanceof Error)) return []
    const error = Reflect.get(one, 'error')
    const detail = Reflect.get(one, 'error_description')
    return [
      one.message,
      ...[error, detail].filter((text) => typeof text === 'string').map((text) => text.slice(0, 200)),
    ]
  })
  return [...new Set(messages)].join(': ').slice(0, 500)
}
