/** A provider of OpenID Connect, as it is stored. */
export interface ProviderSettings {
  readonly id: number
  readonly issuer: string
  readonly clientId: string
  /** Null: a client without a secret, which PKCE alone protects. */
  readonly clientSecret: string | null
  /** Trusted certificates (PEM) in place of those of this machine. */
  readonly caCertificate: string | null
  readonly scopes: string
  /** The accepted algorithms of signatures. */
  readonly algorithms: readonly string[]
  /** Seconds by which clocks may differ. */
  readonly clockSkew: number
}

/** Algorithms of signatures with a public key: with a shared secret or none, nobody could tell who has signed. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const

/** The claims of a token whose signature was verified. */
export type Claims = Readonly<Record<string, unknown>>

/** Whether a text is the URL of a provider: https, or http on this machine. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username || password || search || hash || text.includes('/.well-known/')) return false
  return protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname))
}

/** Whether requests may go to this URL of a provider: by TLS, or without leaving this machine where the provider is on it. */
export function isAllowedEndpoint(url: URL, issuer: string): boolean {
  if (url.protocol === 'https:') return true
  const own = new URL(issuer)
  return (
    url.protocol === 'http:' && own.protocol === 'http:' && isOwnMachine(own.hostname) && isOwnMachine(url.hostname)
  )
}

function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
