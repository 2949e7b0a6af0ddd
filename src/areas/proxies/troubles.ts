/** Why asking another machine fails: [what happened, what to do, whether trying again is safe and useful]. */
const REASONS = {
  host_name: [
    'this is not the name of a host',
    'allowed are labels of lower-case letters, digits and hyphens, with dots between, 253 characters at most',
    false,
  ],
  settings: ['the settings of the runner cannot be used', 'correct them in the smart proxy', false],
  timeout: ['timed out', '', false],
  no_resources: ['this machine has no room for another process or file', 'look at its limits and its disk', true],

  exited: ['exited', '', false],
  killed: ['ended by a signal', '', false],
  command_missing: [
    'the command does not exist on this machine',
    'name a program by its path from the root, or one that is found in the usual places',
    false,
  ],
  command_not_executable: ['the command is not an executable file', 'look at its permissions (chmod +x)', false],

  unresolved: ['the name cannot be resolved', 'check its spelling and which name servers this machine asks', true],
  refused: ['the connection is refused', 'check the port and that the service runs there', true],
  unreachable: ['there is no route to it', 'check the address, the network and the firewalls between', true],
  no_answer: [
    'it did not take the connection in time',
    'check that it is up and that no firewall drops the packets',
    true,
  ],
  closed_early: [
    'the connection was closed before anything was asked',
    'look into the log of the other side; it may be overloaded or refuse this address',
    true,
  ],
  connection_lost: [
    'the connection was lost after the request for the run',
    'whether the run goes on there is not known; look into the log of the other side',
    false,
  ],

  host_key_unknown: [
    'the key of the host is not among the known hosts',
    'compare the key with the one of the host, then add it to the known hosts of the smart proxy',
    false,
  ],
  host_key_changed: [
    'the key of the host is not the known one',
    'find out whether the host was installed anew or somebody else answers; only then replace its line in the known hosts of the smart proxy',
    false,
  ],
  host_key_revoked: [
    'the key of the host is revoked in the known hosts',
    'give the host another key, or remove the revocation from the known hosts of the smart proxy',
    false,
  ],
  key_refused: [
    'the host does not let the user in with the key of the smart proxy',
    'add its public key to authorized_keys of that user on the host, and check that the user may log in',
    false,
  ],
  key_unreadable: [
    'the private key of the smart proxy cannot be read',
    'store it complete, from -----BEGIN to -----END, as ssh-keygen writes it',
    false,
  ],
  key_encrypted: [
    'the private key of the smart proxy has a passphrase, which the service cannot enter',
    'store a key without one (ssh-keygen -p removes it)',
    false,
  ],
  no_common_algorithm: [
    'the host and this machine have no algorithm in common',
    'bring the SSH server of the host up to date',
    false,
  ],
  ssh_missing: ['there is no ssh on this machine', 'install the client of OpenSSH', false],
  ssh_failed: ['ssh could not log in', 'look into the log of the SSH server of the host', false],

  tls_untrusted: [
    'the certificate of the proxy is not signed by a trusted authority',
    'store the certificate of its authority in the smart proxy',
    false,
  ],
  tls_expired: ['a certificate of the proxy is not valid today', 'have it renewed; check the clocks', false],
  tls_name: [
    'the certificate of the proxy is for another name',
    'use a name of the certificate in the URL, or have one issued for this name',
    false,
  ],
  tls_not_offered: ['the port does not speak TLS', 'check the port, or use http:// in the URL', false],
  tls_failed: [
    'the TLS handshake failed',
    'check which TLS versions the proxy offers (1.2 is needed), and whether it asks for a certificate',
    false,
  ],
  tls_settings: [
    'the TLS certificate, key or authorities of the smart proxy cannot be read',
    'store them as PEM, and the key that belongs to the certificate, without a passphrase',
    false,
  ],
  certificate_refused: [
    'the proxy does not accept our TLS certificate, or misses one',
    'store a certificate that its authority signed, with its key',
    false,
  ],
  not_http: ['the answer is not HTTP', 'check the port, and whether the URL has to begin with https://', false],
  http_proxy_refused: [
    'the HTTP proxy does not open the connection',
    'look at its rules; hosts in the setting http_proxy_except_list are asked without it',
    false,
  ],
  http_status: ['', '', false],
  redirected: ['', 'redirections are not followed: use the final URL', false],
  not_json: ['the answer is neither empty nor JSON', 'check that the URL is the one of a smart proxy', false],
  no_success: ['the proxy did not confirm the run', 'look into its log', false],
  answer_too_large: ['the answer is too large', 'check that the URL is the one of a smart proxy', false],
} as const satisfies Record<string, readonly [string, string, boolean]>

/** The code of a reason why a run failed. */
export type RunReason = keyof typeof REASONS

/** A reason with the facts of one case. */
export interface Trouble {
  readonly reason: RunReason
  /** Added to the sentence; printable and without secrets. */
  readonly detail?: string
  /** Default: that of the reason. */
  readonly retryable?: boolean
  readonly exitStatus?: number
}

/** Builds the trouble of a run that used up its time; trying again is safe if it had not begun. */
export function buildTimeoutTrouble(timeoutMs: number, begun: boolean, remark?: string): Trouble {
  const detail = `after ${timeoutMs / 1000} s${remark ? `; ${remark}` : ''}`
  return { reason: 'timeout', detail, retryable: !begun }
}

/** Builds the trouble of a process that could not be started, from the system's error code. */
export function buildStartTrouble(code: string): Trouble {
  if (code === 'E2BIG') return { reason: 'settings', detail: 'the command is longer than the system allows' }
  const isShortage = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(code)
  return { reason: isShortage ? 'no_resources' : 'command_not_executable', detail: code }
}

/** Builds the trouble of a command that ended with an exit status that means failure. */
export function buildExitTrouble(exitStatus: number): Trouble {
  return { reason: 'exited', detail: `with status ${exitStatus}`, exitStatus }
}

/** Formats what happened and what to do, in one line. */
export function formatTrouble({ reason, detail }: Trouble): string {
  const [what, advice] = REASONS[reason]
  const joint = reason === 'timeout' || reason === 'exited' ? ' ' : ': '
  return [[what, detail].filter(Boolean).join(joint), advice].filter(Boolean).join('; ')
}

/** Whether trying again is safe and useful. */
export function isRetryable({ reason, retryable }: Trouble): boolean {
  return retryable ?? REASONS[reason][2]
}
