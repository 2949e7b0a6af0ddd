/** The reasons why a directory could not answer: each has a code, a sentence, and advice. */

/** The steps of a diagnosis, in order. Errors name the step at which they occur. */
export type StepName =
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'bind'
  | 'base_dn'
  | 'login_attribute'
  | 'sample'
  | 'groups_base'
  | 'membership'

/** What happened, and what to do, by code. */
const REASONS = {
  unresolved: [
    'The host name cannot be resolved',
    'Check the spelling of the host (a name, not a URL) and which name servers this machine asks.',
  ],
  refused: [
    'The server refuses the connection',
    'Check the port (389 for plain and StartTLS, 636 for TLS) and that the directory runs.',
  ],
  unreachable: [
    'There is no route to the server',
    'Check the address, the network and the firewalls between this machine and the directory.',
  ],
  timeout: [
    'The server did not answer in time',
    'Check that a firewall does not drop the packets and that the directory is not overloaded.',
  ],
  overloaded: [
    'All connections to the directory are busy',
    'The directory answers too slowly for the number of logins; look at its load and its indexes.',
  ],
  closed: [
    'The server closed the connection before its answer was complete',
    'Look into the log of the directory server; a proxy or a limit between may also cut connections.',
  ],
  garbage: ['The answer is not LDAP', 'Another service listens on this port; check host and port.'],
  answer_too_large: [
    'The answer is larger than is accepted',
    'Narrow the base DN or the filter, or reduce the attribute that is so large.',
  ],
  tls_expected: [
    'The port expects TLS from the first byte',
    'Switch on TLS (LDAPS), or use the plain port (389), if possible with StartTLS.',
  ],
  tls_not_offered: [
    'The port does not speak TLS from the first byte',
    'Use the port for LDAPS (636), or StartTLS on the plain port (389).',
  ],
  starttls_unsupported: [
    'The server does not offer StartTLS',
    'Use TLS (LDAPS) on port 636, or have a certificate installed in the directory server.',
  ],
  tls_untrusted: [
    'The certificate of the server is not signed by a trusted authority',
    'Store the certificate of the issuing authority (PEM) as CA certificate of this source.',
  ],
  tls_expired: [
    'A certificate of the server has expired',
    'Have the certificate of the directory server renewed; check the clock of this machine.',
  ],
  tls_not_yet_valid: [
    'A certificate of the server is not valid yet',
    'Check the clocks of this machine and of the directory server.',
  ],
  tls_name: [
    'The certificate of the server is for another name',
    'Use one of the names in the certificate as host, or have one issued for this name.',
  ],
  tls_failed: ['The TLS handshake failed', 'Check which TLS versions and ciphers the directory offers; 1.2 is needed.'],
  tls_required: [
    'The server accepts passwords over encrypted connections only',
    'Switch on TLS (LDAPS, port 636) or StartTLS for this source.',
  ],
  tls_lost: [
    'The connection is not encrypted although TLS is required',
    'Nothing was sent. Test the connection again.',
  ],
  ca_unreadable: [
    'The CA certificate of this source cannot be read',
    'Paste the certificate as PEM: text between BEGIN CERTIFICATE and END CERTIFICATE.',
  ],
  anonymous_refused: ['The server does not answer anonymous requests', 'Enter a service account and its password.'],
  account_refused: [
    'The server refuses the service account: wrong name or password, or it is locked',
    'Check the account (usually a full DN), its password, and whether the directory has locked it.',
  ],
  account_locked: ['The service account is locked', 'Have the account unlocked in the directory.'],
  account_disabled: ['The service account is disabled', 'Have the account enabled in the directory.'],
  account_expired: [
    'The service account or its password has expired',
    'Renew the account or its password in the directory, then enter the new password.',
  ],
  account_name: [
    'The name of the service account has a form the server does not understand',
    'Enter the full DN of the account, such as uid=reader,ou=services,dc=example,dc=com.',
  ],
  account_needed: [
    'The account contains $login, so nothing can be asked without the password of a person',
    'Use a dedicated service account for tests, group checks and refreshes.',
  ],
  password_missing: [
    'The service account has no password',
    'Enter its password; an empty one would make the connection anonymous.',
  ],
  base_missing: [
    'The base DN does not exist, or the account may not see it',
    'Check the spelling of the base DN and the permissions of the account.',
  ],
  base_invalid: ['A DN of this source is not well-formed', 'Write DNs such as ou=people,dc=example,dc=com.'],
  groups_base_missing: [
    'The base of the groups does not exist, or the account may not see it',
    'Check the spelling of the groups base and the permissions of the account; blank means the base DN.',
  ],
  login_attribute_absent: [
    'No entry below the base DN shows the login attribute',
    'Check the name of the login attribute and whether the account may read it.',
  ],
  nobody: [
    'Nobody below the base DN matches the filter',
    'Check the LDAP filter of this source, and what the account may read.',
  ],
  attribute_absent: ['An attribute of people is missing', 'Check the attribute names and what the account may read.'],
  no_groups: [
    'No group was found below the base of the groups',
    'Check the groups base and the server type of this source.',
  ],
  denied: ['The account may not read this', 'Give the account permission to read people and groups.'],
  size_limit: [
    'The server cut its answer off: more entries than it allows',
    'Narrow the base DN or the filter, or raise the size limit for the account.',
  ],
  time_limit: [
    'The server gave up: the search took longer than it allows',
    'Index the login attribute in the directory, or narrow the base DN or the filter.',
  ],
  referral: [
    'The server refers to another server, which is not followed',
    'Enter the server that holds these entries as host, or narrow the base DN to what this server holds.',
  ],
  ambiguous: [
    'More than one entry has this login',
    'Narrow the base DN or the filter so that a login belongs to one entry only.',
  ],
  paging_unsupported: [
    'The server cannot answer in pages, so long lists may be cut off',
    'Raise the size limit of the account in the directory.',
  ],
  memberships_hidden: [
    'The account cannot see of which groups people are members',
    'Give the account permission to read the attribute memberOf.',
  ],
  type_differs: [
    'The server is of another type than this source says',
    'Correct the server type, or people will seem to be in no group.',
  ],
  photo_too_large: ['The photo is too large and is left out', 'Photos up to 1 MiB are taken over.'],
  filter_invalid: ['The LDAP filter of this source is not well-formed', 'Write a filter such as (objectClass=person).'],
  busy: ['The server is busy', 'Try again later; look at the load of the directory.'],
  unavailable: ['The server is shutting down or not ready', 'Try again later; look into the log of the directory.'],
  unwilling: ['The server refuses to perform the request', 'Look into the log of the directory server for the reason.'],
  shut: ['The connections to the directory were closed', 'Try again.'],
  failed: ['The server reported an error', 'Look into the log of the directory server.'],
} as const satisfies Record<string, readonly [string, string]>

/** A reason why a directory could not answer, as a word for programs. */
export type DirectoryErrorCode = keyof typeof REASONS

/** What an error adds to the sentence of its code. */
export interface DirectoryErrorDetails {
  /** The server among several, as `host:port`. */
  readonly server?: string
  /** An addition to the sentence; never a password and never a text of the server. */
  readonly detail?: string
  /** Further findings for a closer look. */
  readonly found?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A directory cannot answer, or may not be asked. `message` and `advice` are meant for administrators. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly code: DirectoryErrorCode
  readonly step: StepName
  readonly advice: string
  readonly details: DirectoryErrorDetails

  constructor(code: DirectoryErrorCode, step: StepName, details: DirectoryErrorDetails = {}) {
    super(formatSentence(code, details), { cause: details.cause })
    this.code = code
    this.step = step
    this.advice = REASONS[code][1]
    this.details = details
  }
}

/** Yields the error with its reason, for another step or server. */
export function retold(error: DirectoryError, step: StepName, details: DirectoryErrorDetails = {}): DirectoryError {
  return new DirectoryError(error.code, step, { ...error.details, ...details, cause: error.cause ?? error })
}

/** Yields the advice for a code that is a warning rather than an error. */
export function adviceOf(code: DirectoryErrorCode): string {
  return REASONS[code][1]
}

/** Builds the sentence of a code, with the server and the detail where they are known. */
export function formatSentence(code: DirectoryErrorCode, { server, detail }: DirectoryErrorDetails = {}): string {
  return `${REASONS[code][0]}${detail ? `: ${detail}` : ''}${server ? ` (${server})` : ''}.`
}

/** Failures of the network or of a whole server: another server may work, and asking again at once is useless. */
const OUTAGES: ReadonlySet<DirectoryErrorCode> = new Set([
  'unresolved',
  'refused',
  'unreachable',
  'timeout',
  'overloaded',
  'closed',
  'garbage',
  'tls_expected',
  'tls_not_offered',
  'starttls_unsupported',
  'tls_untrusted',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_name',
  'tls_failed',
  'busy',
  'unavailable',
])

/** Tells whether the server as a whole failed, not just this request. */
export function isOutage(error: unknown): error is DirectoryError {
  return error instanceof DirectoryError && OUTAGES.has(error.code)
}

const ACCOUNT_REFUSALS: ReadonlySet<DirectoryErrorCode> = new Set([
  'account_refused',
  'account_locked',
  'account_disabled',
  'account_expired',
  'account_name',
])

/** Tells whether the account itself was refused; more attempts could lock it. */
export function isAccountRefusal(error: unknown): error is DirectoryError {
  return error instanceof DirectoryError && ACCOUNT_REFUSALS.has(error.code)
}

const WRONG_SETTINGS: ReadonlySet<DirectoryErrorCode> = new Set([
  'anonymous_refused',
  'base_invalid',
  'base_missing',
  'ca_unreadable',
  'denied',
  'filter_invalid',
  'login_attribute_absent',
  'nobody',
  'password_missing',
  'referral',
  'tls_required',
])

/** Tells whether a setting of the source or of the server keeps everybody from logging in, although the server answers. */
export function isWrongSetting(error: unknown): error is DirectoryError {
  return error instanceof DirectoryError && WRONG_SETTINGS.has(error.code)
}
