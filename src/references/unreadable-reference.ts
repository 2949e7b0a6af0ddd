/** The reasons for which a reference yields no secret, each with its sentence, which never contains a secret. */
export const REASONS = {
  not_configured: 'the configuration of the service does not name this source',
  no_login: 'the service cannot read its own token or secret id for Vault',
  unreachable: 'Vault cannot be reached',
  untrusted: 'the certificate of Vault is not trusted',
  slow: 'Vault does not answer in time',
  not_ready: 'Vault is sealed or not ready',
  login_refused: 'Vault refuses the login of the service',
  denied: 'Vault does not permit the service to read this path',
  no_path: 'Vault has no secret at this path',
  no_key: 'the secret in Vault does not have this key',
  not_text: 'the value is not a text',
  too_large: 'the value is larger than 64 KiB',
  not_understood: 'the answer of Vault is not of the form of its KV engine version 2',
  no_file: 'there is no file with this name',
  outside: 'the file leads out of the directory of secrets',
  unreadable: 'the service cannot read the file',
} as const

/** The reason for which a reference yields no secret. */
export type Reason = keyof typeof REASONS

/** A reference yields no secret. The message is for administrators; it has no secrets either. */
export class UnreadableReference extends Error {
  override readonly name = 'UnreadableReference'
  readonly reason: Reason

  constructor(reason: Reason, message: string = REASONS[reason], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
