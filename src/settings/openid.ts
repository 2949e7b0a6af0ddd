import { isWebUrl } from '../requests/languages.ts'

/** Settings by which existing servers accept tokens of a provider. Providers with records of their own need none of them. */
export const OPENID_SETTINGS = {
  oidc_issuer: {
    type: 'string',
    default: '',
    max: 255,
    language: 'URL',
    allows: (url: string) => url === '' || isWebUrl(url),
    expected: 'a URL, or nothing',
    category: 'Authentication',
    fullName: 'OIDC Issuer',
    description:
      'Issuer of access tokens that programs send for users of the external source; blank: only those of auth_source_oidcs count.',
  },
  oidc_jwks_url: {
    type: 'string',
    default: '',
    max: 2000,
    language: 'URL',
    allows: (url: string) => url === '' || isWebUrl(url),
    expected: 'a URL, or nothing',
    category: 'Authentication',
    fullName: 'OIDC JWKs URL',
    description: 'URL of the keys of this issuer.',
  },
  oidc_audience: {
    type: 'array',
    default: [],
    category: 'Authentication',
    fullName: 'OIDC Audience',
    description: 'Audiences of these tokens; without any, no token counts.',
  },
  oidc_algorithm: {
    type: 'string',
    default: '',
    max: 10,
    allows: (name: string) => /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA)?$/.test(name),
    expected: 'an algorithm with a public key such as RS256, or nothing',
    category: 'Authentication',
    fullName: 'OIDC Algorithm',
    description: 'Algorithm of the signatures of these tokens.',
  },
} as const

/** The settings that decide whose tokens count: whoever changes them can act as users of the external source. */
export const TRUSTING_SETTINGS: readonly string[] = Object.keys(OPENID_SETTINGS)
