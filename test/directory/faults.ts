import type { DirectoryErrorCode, StepName } from '../../src/directory/errors.ts'
import type { DirectorySource } from '../../src/directory/source.ts'
import { type FaultName, startFault } from '../support/directories/faults.ts'
import type { TestDirectory } from '../support/directories/index.ts'
import { ACCOUNTS, GROUPS_BASE, MEMBER_GROUPS, REFERRAL } from '../support/directories/slapd-data.ts'
import { sourceOf } from './sources.ts'

/** A fault of a source or its directory, and the code with which it has to be reported. */
export interface InjectedFault {
  readonly name: string
  /** A peer that stands in front of the directory or instead of it. */
  readonly peer?: FaultName
  readonly set?: (directory: TestDirectory) => Partial<DirectorySource>
  /** The login for the login and the diagnosis; alice and any person by default. */
  readonly login?: string
  readonly step: StepName
  readonly code: DirectoryErrorCode
  /** The diagnosis only warns: the connection works. */
  readonly warning?: true
  /** The login succeeds in spite of the fault; otherwise it fails with the same code. */
  readonly loggedIn?: true
  /** The code of the login, where a login cannot know better. */
  readonly loginCode?: DirectoryErrorCode
  /** The code of reading the person's groups, where only that fails. */
  readonly groups?: DirectoryErrorCode
}

const plain = () => ({ security: 'none' }) as const
const starttls = () => ({ security: 'starttls' }) as const

export const FAULTS: readonly InjectedFault[] = [
  { name: 'wrong port: another service', peer: 'speaks http', set: plain, step: 'bind', code: 'garbage' },
  { name: 'connection refused', peer: 'refuses', step: 'connect', code: 'refused' },
  { name: 'black hole: nobody accepts', peer: 'never accepts', step: 'connect', code: 'timeout' },
  { name: 'black hole: accepted, no answer', peer: 'black hole', set: plain, step: 'bind', code: 'timeout' },
  { name: 'black hole: accepted, no handshake', peer: 'black hole', step: 'tls', code: 'timeout' },
  { name: 'no such host name', set: () => ({ host: 'nowhere.invalid' }), step: 'resolve', code: 'unresolved' },
  { name: 'plain port for TLS', set: ({ port }) => ({ port }), step: 'tls', code: 'tls_not_offered' },
  {
    name: 'TLS port for plain',
    set: ({ tlsPort: port }) => ({ port, security: 'none' }),
    step: 'bind',
    code: 'tls_expected',
  },
  {
    name: 'TLS port for StartTLS',
    set: ({ tlsPort: port }) => ({ port, security: 'starttls' }),
    step: 'tls',
    code: 'tls_expected',
  },
  {
    name: 'authority not trusted',
    set: ({ otherCa }) => ({ caCertificate: otherCa }),
    step: 'tls',
    code: 'tls_untrusted',
  },
  {
    name: 'authority not trusted by this machine',
    set: () => ({ caCertificate: null }),
    step: 'tls',
    code: 'tls_untrusted',
  },
  { name: 'CA certificate is no PEM', set: () => ({ caCertificate: 'xyz' }), step: 'tls', code: 'ca_unreadable' },
  { name: 'certificate expired', peer: 'expired certificate', step: 'tls', code: 'tls_expired' },
  {
    name: 'certificate expired, StartTLS',
    peer: 'expired certificate',
    set: starttls,
    step: 'tls',
    code: 'tls_expired',
  },
  { name: 'certificate for another name', peer: 'wrong name', step: 'tls', code: 'tls_name' },
  { name: 'StartTLS unsupported', peer: 'no StartTLS', set: starttls, step: 'tls', code: 'starttls_unsupported' },
  { name: 'StartTLS hangs', peer: 'hangs in StartTLS', set: starttls, step: 'tls', code: 'timeout' },
  {
    name: 'wrong bind DN',
    set: () => ({ account: 'cn=nobody,dc=example,dc=test' }),
    step: 'bind',
    code: 'account_refused',
  },
  { name: 'bind DN is no DN', set: () => ({ account: 'reader' }), step: 'bind', code: 'account_name' },
  { name: 'wrong password', set: () => ({ accountPassword: 'wrong' }), step: 'bind', code: 'account_refused' },
  { name: 'password missing', set: () => ({ accountPassword: '' }), step: 'bind', code: 'password_missing' },
  { name: 'account locked', set: () => ({ account: ACCOUNTS.locked }), step: 'bind', code: 'account_refused' },
  { name: 'anonymous bind refused', set: () => ({ account: null }), step: 'bind', code: 'anonymous_refused' },
  {
    name: 'base missing',
    set: () => ({ baseDn: 'ou=nothing,dc=example,dc=test' }),
    step: 'base_dn',
    code: 'base_missing',
  },
  { name: 'base is no DN', set: () => ({ baseDn: 'people' }), step: 'base_dn', code: 'base_invalid' },
  {
    name: 'no permission to read',
    set: ({ baseDn }) => ({ account: ACCOUNTS.blind, baseDn }),
    step: 'base_dn',
    code: 'denied',
    loginCode: 'base_missing', // "does not exist, or the account may not see it"
  },
  { name: 'searches forbidden', peer: 'no permission', set: plain, step: 'base_dn', code: 'denied' },
  {
    name: 'login attribute absent',
    set: (directory) => ({ attributes: { ...sourceOf(directory).attributes, login: 'employeeNumber' } }),
    step: 'login_attribute',
    code: 'login_attribute_absent',
  },
  { name: 'size limit', peer: 'size limit', set: plain, step: 'base_dn', code: 'size_limit' },
  { name: 'time limit', peer: 'time limit', set: plain, step: 'base_dn', code: 'time_limit' },
  { name: 'referral as answer', peer: 'referral', set: plain, step: 'base_dn', code: 'referral' },
  { name: 'base is a referral', set: () => ({ baseDn: REFERRAL }), step: 'base_dn', code: 'referral' },
  { name: 'busy', peer: 'busy', set: plain, step: 'base_dn', code: 'busy' },
  { name: 'two entries for one login', login: 'twin', step: 'sample', code: 'ambiguous' },
  { name: 'filter matches nobody', set: () => ({ filter: '(objectClass=device)' }), step: 'sample', code: 'nobody' },
  { name: 'filter malformed', set: () => ({ filter: '((uid=*)' }), step: 'sample', code: 'filter_invalid' },
  { name: 'closed in the middle of an answer', peer: 'closes mid-answer', set: plain, step: 'base_dn', code: 'closed' },
  { name: 'garbage bytes', peer: 'sends garbage', set: plain, step: 'bind', code: 'garbage' },
  { name: 'message of 2 GB announced', peer: 'announces too much', set: plain, step: 'bind', code: 'answer_too_large' },
  { name: 'endless answer', peer: 'endless answer', set: plain, step: 'base_dn', code: 'answer_too_large' },
  {
    name: 'answer to another question',
    peer: 'answers another question',
    set: plain,
    step: 'base_dn',
    code: 'timeout',
  },
  { name: 'one byte a second', peer: 'drips', set: plain, step: 'bind', code: 'timeout' },
  {
    name: 'groups base missing',
    set: () => ({ groupsBase: 'ou=nothing,dc=example,dc=test' }),
    step: 'groups_base',
    code: 'groups_base_missing',
    loggedIn: true,
    groups: 'groups_base_missing',
  },
  {
    name: 'paging unsupported',
    peer: 'no paging',
    set: plain,
    step: 'membership',
    code: 'paging_unsupported',
    warning: true,
    loggedIn: true,
  },
  {
    name: 'size limit for groups',
    set: () => ({ account: ACCOUNTS.limited, groupsBase: MEMBER_GROUPS }),
    login: 'many',
    step: 'membership',
    code: 'size_limit',
    loggedIn: true,
    groups: 'size_limit',
  },
  {
    name: 'paging forbidden',
    set: () => ({ account: ACCOUNTS.unpaged, groupsBase: GROUPS_BASE }),
    step: 'membership',
    code: 'paging_unsupported',
    warning: true,
    loggedIn: true,
  },
  {
    name: 'photo of 20 MB',
    login: 'hugephoto',
    step: 'sample',
    code: 'photo_too_large',
    warning: true,
    loggedIn: true,
  },
]

/** Yields a source with the fault, and the peer to stop afterwards. */
export async function sourceWith(
  fault: InjectedFault,
  directory: TestDirectory,
): Promise<AsyncDisposable & { source: DirectorySource }> {
  const source = sourceOf(directory, fault.set?.(directory))
  if (!fault.peer) return { source, [Symbol.asyncDispose]: async () => {} }
  const peer = await startFault(fault.peer, directory)
  return { source: { ...source, port: peer.port }, [Symbol.asyncDispose]: () => peer.stop() }
}
