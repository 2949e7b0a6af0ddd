import type { DelegatedUser } from './delegated-login.ts'

/** What a request offers as proof of who sends it. */
export interface Credentials {
  readonly session: { readonly cookie: string; readonly csrf: string | null } | null
  readonly authorization: Authorization | null
  /** On the word of a web server that may be believed. */
  readonly delegated?: DelegatedUser | null
  /** A request that only reads (GET, HEAD, OPTIONS): needs no CSRF token. */
  readonly safe: boolean
}

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
  if (scheme === 'basic') return basic(Buffer.from(value, 'base64').toString('utf8'))
  return null
}

function basic(pair: string): Authorization {
  const colon = pair.indexOf(':')
  if (colon < 0) return { kind: 'basic', login: pair, password: '' }
  return { kind: 'basic', login: pair.slice(0, colon), password: pair.slice(colon + 1) }
}
