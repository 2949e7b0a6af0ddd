import type { FieldErrors } from '../../../errors.ts'
import { boolean, type Draft, type Fields, integer, secret, text } from '../../../kernel/index.ts'
import { isCertificates } from '../../../lib/certificates.ts'
import { ALGORITHMS, isIssuer } from '../../../openid/provider.ts'
import { children } from '../../../records/children.ts'
import { initially } from '../../../records/coerced.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import type { Language } from '../../../requests/languages.ts'

const ISSUER: Language = {
  name: 'URL',
  findProblem: (text) => (isIssuer(text) ? null : NOT_AN_ISSUER),
}
const NOT_AN_ISSUER =
  'must be the issuer of a provider such as https://login.example.test/realms/staff: a URL with https, without user, query and /.well-known'
const CERTIFICATES: Language = {
  name: 'certificates',
  findProblem: (text) => (isCertificates(text) ? null : 'is not a certificate in PEM format'),
}

/** The values that a new provider has for fields that the request leaves out. */
const INITIAL = {
  scopes: 'openid profile email',
  algorithms: 'RS256 PS256 ES256 EdDSA',
  attr_login: 'preferred_username',
  attr_firstname: 'given_name',
  attr_lastname: 'family_name',
  attr_mail: 'email',
  attr_groups: 'groups',
} as const

/** The fields of a provider of OpenID Connect. */
export const oidcFields = {
  name: text({
    required: true,
    max: 60,
    search: 'free',
    doc: 'Unique among all authentication sources. The login page shows it to everyone.',
  }),
  issuer: textIn(ISSUER, {
    required: true,
    doc: 'What the provider calls itself: the URL in front of /.well-known/openid-configuration.',
  }),
  client_id: text({ required: true, doc: 'What the provider calls this service.' }),
  client_secret: secret({
    max: 255,
    clearable: true,
    encrypted: true,
    sentTo: ['issuer', 'ca_certificate'],
    doc: 'Secret of this service at the provider; blank for a public client, which PKCE alone protects.',
  }),
  ca_certificate: textIn(CERTIFICATES, {
    max: 65_535,
    doc: 'Trusted certificates in PEM format; they replace the certificates of the system.',
  }),
  scopes: text({ blank: INITIAL.scopes, doc: 'Requested scopes, separated by blanks; openid is one of them.' }),
  algorithms: text({
    blank: INITIAL.algorithms,
    doc: `Accepted algorithms of signatures, separated by blanks: ${ALGORITHMS.join(', ')}.`,
  }),
  clock_skew: integer({ min: 0, max: 300, doc: 'Seconds by which clocks may differ; blank: 60.' }),
  audience: text({
    doc: 'Audiences of access tokens with which programs may send requests, separated by blanks; blank: none may.',
  }),
  attr_login: buildClaim('login', INITIAL.attr_login),
  attr_firstname: buildClaim('first name', INITIAL.attr_firstname),
  attr_lastname: buildClaim('last name', INITIAL.attr_lastname),
  attr_mail: buildClaim('email address', INITIAL.attr_mail),
  attr_groups: initially(
    text({
      doc: 'Claim with the groups; dots lead into objects, such as realm_access.roles. groups when a provider is created without one.',
    }),
    INITIAL.attr_groups,
  ),
  onthefly_register: boolean({ initial: false, doc: 'Creates unknown users at their first login.' }),
  usergroup_sync: boolean({ initial: true, doc: 'Memberships in user groups follow the provider at each login.' }),
  type: text({ readOnly: true, required: true, doc: 'AuthSourceOidc.' }),
  external_usergroups: children('external_usergroup', {
    by: 'auth_source_id',
    doc: 'Groups of the provider that are linked to user groups.',
  }),
  ...buildTaxonomyFields('auth_source'),
} as const satisfies Fields

/** The fields above, by which drafts and rows are typed. */
export type OidcFields = typeof oidcFields

function buildClaim(what: string, initial: string) {
  const doc = `Claim with the ${what}; ${initial} when a provider is created without one.`
  return initially(text({ max: 30, doc }), initial)
}

/** The draft of a new provider with the defaults filled in. */
export function withProviderDefaults(draft: Draft<OidcFields>): Draft<OidcFields> {
  const sent = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null))
  return { ...draft, ...INITIAL, ...sent, type: 'AuthSourceOidc' }
}

/** Checks a provider as a whole; yields messages by field. */
export function validateProvider({ scopes, algorithms }: Draft<OidcFields>): FieldErrors {
  const errors: FieldErrors = {}
  if (scopes != null && !splitWords(scopes).includes('openid')) errors.scopes = ['must contain openid']
  const known: readonly string[] = ALGORITHMS
  const wanted = splitWords(algorithms ?? INITIAL.algorithms)
  if (wanted.length === 0 || wanted.some((one) => !known.includes(one)))
    errors.algorithms = [`must be some of ${known.join(', ')}, separated by blanks`]
  return errors
}

/** Splits words that blanks separate. */
export function splitWords(text: string | null | undefined): readonly string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '')
}
