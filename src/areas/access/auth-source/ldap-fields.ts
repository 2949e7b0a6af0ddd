import { filterProblem } from '../../../directory/filter.ts'
import { isAttribute } from '../../../directory/names.ts'
import type { FieldErrors } from '../../../errors.ts'
import { boolean, type Draft, type Fields, integer, type Stored, secret, text } from '../../../kernel/index.ts'
import { isCertificates } from '../../../lib/certificates.ts'
import { children } from '../../../records/children.ts'
import { initially } from '../../../records/coerced.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { textIn } from '../../../records/text-in.ts'
import type { Language } from '../../../requests/languages.ts'
import { BLANK } from '../../../requests/sent.ts'

const ATTRIBUTE: Language = {
  name: 'LDAP attribute',
  findProblem: (text) => (isAttribute(text) ? null : 'is not the name of an attribute such as uid'),
}
const FILTER: Language = { name: 'LDAP filter', findProblem: filterProblem }
const CERTIFICATES: Language = {
  name: 'certificates',
  findProblem: (text) => (isCertificates(text) ? null : 'is not a certificate in PEM format'),
}

/** The fields of a directory source (spec 2.3, core-api §1.3). */
export const ldapFields = {
  name: text({ required: true, max: 60, search: 'free', doc: 'Unique among all authentication sources.' }),
  host: text({
    required: true,
    doc: 'Name of the server, several names separated by commas, or an SRV name such as _ldap._tcp.example.test.',
  }),
  port: initially(
    integer({ min: 1, max: 65_535, doc: 'Port of the server; 389 when a source is created without one.' }),
    389,
  ),
  account: text({
    doc: 'Account for searches; $login stands for the login of the person who logs in. Blank: anonymous.',
  }),
  account_password: secret({
    max: 128,
    clearable: true,
    encrypted: true,
    // Not the account: with another account the password still goes to the same server.
    sentTo: ['host', 'port', 'tls', 'start_tls', 'ca_certificate'],
    doc: 'Password of that account. Required if users are created at their first login.',
  }),
  base_dn: text({ doc: 'Base DN of the search for users.' }),
  groups_base: text({ doc: 'Base DN of the search for groups; blank: the base DN of users.' }),
  ldap_filter: textIn(FILTER, { max: 65_535, doc: 'Only entries that match this filter are users.' }),
  attr_login: buildAttribute('login', 'uid'),
  attr_firstname: buildAttribute('first name', 'givenName'),
  attr_lastname: buildAttribute('last name', 'sn'),
  attr_mail: buildAttribute('email address', 'mail'),
  attr_photo: initially(
    textIn(ATTRIBUTE, { doc: 'Attribute with the photo; jpegPhoto when a source is created without one.' }),
    'jpegPhoto',
  ),
  onthefly_register: boolean({ initial: false, doc: 'Creates unknown users at their first login.' }),
  usergroup_sync: boolean({ initial: true, doc: 'Memberships in user groups follow the directory at each login.' }),
  tls: boolean({
    initial: false,
    doc: 'LDAPS; usually on port 636.',
  }),
  start_tls: boolean({
    initial: false,
    doc: 'StartTLS on the plain port; not together with TLS.',
  }),
  ca_certificate: textIn(CERTIFICATES, {
    max: 65_535,
    doc: 'Trusted certificates in PEM format; they replace the certificates of the system.',
  }),
  use_netgroups: boolean({ initial: false, doc: 'NIS netgroups are groups; for directory_a and posix only.' }),
  server_type: text({
    oneOf: ['directory_a', 'directory_b', 'posix', 'directory_c'],
    blank: 'posix',
    doc: 'Decides how the service finds groups.',
  }),
  type: text({ readOnly: true, required: true, doc: 'AuthSourceLdap.' }),
  external_usergroups: children('external_usergroup', {
    by: 'auth_source_id',
    doc: 'Directory groups that are linked to user groups.',
  }),
  ...buildTaxonomyFields('auth_source'),
} as const satisfies Fields

/** The fields above, by which drafts and rows are typed. */
export type LdapFields = typeof ldapFields

function buildAttribute(what: string, initial: string) {
  const doc = `Attribute with the ${what}; ${initial} when a source is created without one.`
  return initially(textIn(ATTRIBUTE, { max: 30, doc }), initial)
}

/** Defaults of a new source, for keys that are missing or null. Blank text stays blank. */
const INITIAL: Draft<LdapFields> = {
  port: 389,
  server_type: 'posix',
  attr_login: 'uid',
  attr_firstname: 'givenName',
  attr_lastname: 'sn',
  attr_mail: 'mail',
  attr_photo: 'jpegPhoto',
}

/** The draft of a new source with the defaults filled in. */
export function withDefaults(draft: Draft<LdapFields>): Draft<LdapFields> {
  const sent = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null))
  return dropUnsupportedNetgroups({ ...draft, ...INITIAL, ...sent, type: 'AuthSourceLdap' })
}

/** Switches netgroups off for servers of the type `directory_b`, which have none. */
export function dropUnsupportedNetgroups(draft: Draft<LdapFields>): Draft<LdapFields> {
  return draft.server_type === 'directory_b' ? { ...draft, use_netgroups: false } : draft
}

/** Checks a source as a whole; yields messages by field. */
export function validateLdapSource(
  record: Draft<LdapFields>,
  draft: Draft<LdapFields>,
  _ctx: unknown,
  stored: Stored<LdapFields> | null,
): FieldErrors {
  const errors: FieldErrors = {}
  if (stored && draft.port === null) errors.port = [BLANK, 'is not a number']
  if (record.onthefly_register) Object.assign(errors, listMissingAttributes(record, stored))
  if (record.tls && record.start_tls) errors.start_tls = ['cannot be used together with tls']
  return errors
}

/** The blank fields that registration needs, with messages. On create missing attribute names get defaults (spec 2.3). */
function listMissingAttributes(record: Draft<LdapFields>, stored: Stored<LdapFields> | null): FieldErrors {
  const attributes = ['attr_login', 'attr_firstname', 'attr_lastname', 'attr_mail'] as const
  const missing: string[] = attributes.filter((name) => record[name] === '' || (stored && !record[name]))
  if (!record.account_password) missing.push('account_password')
  return Object.fromEntries(missing.map((name) => [name, [BLANK]]))
}
