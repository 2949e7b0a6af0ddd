import { type Db, row, rows } from '../../../database/sql.ts'
import { decryptIfPossible, type Encryption, purposeOf } from '../../../encryption/encryption.ts'
import type { ProviderSettings } from '../../../openid/provider.ts'
import { sql } from '../../../sql.ts'
import { splitWords } from '../auth-source/oidc-fields.ts'

const CLIENT_SECRET = purposeOf({ table: 'auth_sources', column: 'client_secret' })
const CLOCK_SKEW = 60

/** The columns of `auth_sources` about a provider. */
export interface ProviderRow {
  readonly id: number
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string | null
  readonly ca_certificate: string | null
  readonly scopes: string
  readonly algorithms: string
  readonly clock_skew: number | null
  readonly audience: string | null
  readonly attr_login: string | null
  readonly attr_firstname: string | null
  readonly attr_lastname: string | null
  readonly attr_mail: string | null
  readonly attr_groups: string | null
  readonly onthefly_register: boolean
  readonly onthefly_trusted: boolean
  readonly usergroup_sync: boolean
}

/** A provider as a source of users. */
export interface ProviderSource {
  readonly settings: ProviderSettings
  readonly name: string
  /** The audiences of access tokens that programs may send. */
  readonly audiences: readonly string[]
  readonly claims: {
    readonly login: string
    readonly firstname: string
    readonly lastname: string
    readonly mail: string
    readonly groups: string
  }
  readonly registersUnknown: boolean
  /** Whether the profile follows the provider, as it does where the provider creates the users. */
  readonly ontheflyRegister: boolean
  readonly usergroupSync: boolean
}

const COLUMNS = sql`
  id, name, issuer, client_id, client_secret, ca_certificate, scopes, algorithms, clock_skew, audience, attr_login,
  attr_firstname, attr_lastname, attr_mail, attr_groups, onthefly_register, onthefly_trusted, usergroup_sync`

/** Loads a provider, with its decrypted secret. */
export async function loadProvider(db: Db, encryption: Encryption, id: number): Promise<ProviderSource | undefined> {
  const found = await row<ProviderRow>(
    db,
    sql`select ${COLUMNS} from auth_sources where type = 'AuthSourceOidc' and id = ${id}`,
  )
  return found && toProvider(encryption, found)
}

/** Loads the providers that call themselves so, which accept tokens of programs. */
export async function loadProvidersByIssuer(
  db: Db,
  encryption: Encryption,
  issuer: string,
): Promise<readonly ProviderSource[]> {
  const found = await rows<ProviderRow>(
    db,
    sql`
      select ${COLUMNS} from auth_sources
      where type = 'AuthSourceOidc' and audience <> '' and rtrim(issuer, '/') = rtrim(${issuer}::text, '/') order by id`,
  )
  return found.map((one) => toProvider(encryption, one))
}

/** Turns a stored or sent row into a provider; a secret whose key is lost counts as missing. */
export function toProvider(encryption: Encryption, stored: ProviderRow): ProviderSource {
  return {
    settings: {
      id: stored.id,
      issuer: stored.issuer,
      clientId: stored.client_id,
      clientSecret: decryptIfPossible(encryption, stored.client_secret || null, CLIENT_SECRET),
      caCertificate: stored.ca_certificate || null,
      scopes: stored.scopes,
      algorithms: splitWords(stored.algorithms),
      clockSkew: stored.clock_skew ?? CLOCK_SKEW,
    },
    name: stored.name,
    audiences: splitWords(stored.audience),
    claims: {
      login: stored.attr_login || 'preferred_username',
      firstname: stored.attr_firstname || 'given_name',
      lastname: stored.attr_lastname || 'family_name',
      mail: stored.attr_mail || 'email',
      groups: stored.attr_groups || 'groups',
    },
    registersUnknown: stored.onthefly_register && stored.onthefly_trusted,
    ontheflyRegister: stored.onthefly_register,
    usergroupSync: stored.usergroup_sync,
  }
}
