import { link } from '../../../kernel/index.ts'

const buildCredential = (doc: string) =>
  link('content_credential', { onDelete: 'clear', doc: `${doc} Of its organization.` })

/** Links to the credentials for fetching content; they are kept for other programs: this service fetches nothing. */
export const credentialFields = {
  gpg_key: buildCredential('The public key that its packages are signed with.'),
  ssl_ca_cert: buildCredential('The certificate of the authority of its source.'),
  ssl_client_cert: buildCredential('The certificate that is shown to its source.'),
  ssl_client_key: buildCredential('Note about the key of that certificate. The service stores no private keys.'),
} as const

/** The keys of answers that show credentials as objects. */
export const CREDENTIALS = ['gpg_key', 'ssl_ca_cert', 'ssl_client_cert', 'ssl_client_key'] as const

/** The keys of answers that show their ids. */
export const CREDENTIAL_IDS = CREDENTIALS.map((name) => `${name}_id`)
