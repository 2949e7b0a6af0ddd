import type { DelegatedUser } from './delegated-login.ts'

/** The credentials of a request. */
export interface Credentials {
  readonly session: { readonly cookie: string; readonly csrf: string | null } | null
  readonly authorization: Authorization | null
  /** The user that a trusted web server in front has authenticated. */
  readonly delegated?: DelegatedUser | null
  /** Whether the request only reads (GET, HEAD, OPTIONS), and so needs no CSRF token. */
  readonly safe: boolean
}

/** The content of the header `Authorization`. */
export type Authorization =
  | { readonly kind: 'basic'; readonly login: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }

/** Reads the header `Authorization` (RFC 7617 in UTF-8, RFC 6750); null when it is absent or of another scheme. */
export function readAuthorization(header: string | undefined): Authorization | null {
  const space = header?.indexOf(' ') ?? -1
  if (header === undefined || space < 0) return null
  const scheme = header.slice(0, space).toLowerCase()
  const value = header.slice(space + 1).trim()
  if (scheme === 'bearer') return { kind: 'bearer', token: value }
  if (scheme === 'basic') return parseBasic(Buffer.from(value, 'base64').toString('utf8'))
  return null
}

function parseBasic(pair: string): Authorization {
  const colon = pair.indexOf(':')
  if (colon < 0) return { kind: 'basic', login: pair, password: '' }
  return { kind: 'basic', login: pair.slice(0, colon), password: pair.slice(colon + 1) }
}
