import { type Db, rows, type Sql } from '../../../database/sql.ts'
import type { DirectorySource } from '../../../directory/source.ts'
import { decryptIfPossible, type Encryption, purposeOf } from '../../../encryption/encryption.ts'
import { sql } from '../../../sql.ts'

const ACCOUNT_PASSWORD = purposeOf({ table: 'auth_sources', column: 'account_password' })

/** The columns of `auth_sources` about how to reach and read a directory. */
export interface SourceRow {
  readonly id: number
  readonly name: string
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly start_tls: boolean
  readonly ca_certificate: string | null
  readonly account: string | null
  readonly account_password: string | null
  readonly base_dn: string | null
  readonly groups_base: string | null
  readonly ldap_filter: string | null
  readonly attr_login: string | null
  readonly attr_firstname: string | null
  readonly attr_lastname: string | null
  readonly attr_mail: string | null
  readonly attr_photo: string | null
  readonly onthefly_register: boolean
  /** Whether somebody with the permission `escalate_roles` has switched registration on. */
  readonly onthefly_trusted: boolean
  readonly usergroup_sync: boolean
  readonly use_netgroups: boolean
  readonly server_type: DirectorySource['serverType']
}

/** A directory as a source of users. */
export interface Source {
  readonly directory: DirectorySource
  readonly ontheflyRegister: boolean
  /** Whether passwords of unknown logins are sent to it. */
  readonly registersUnknown: boolean
  readonly usergroupSync: boolean
  /** Whether a user group is linked to it; if not, nobody's groups have to be asked for. */
  readonly hasLinkedGroups: boolean
}

/** Loads directories in order of their ids, all or those with these ids, with decrypted passwords. */
export async function loadSources(
  db: Db,
  encryption: Encryption,
  ids: readonly number[] | null = null,
): Promise<Source[]> {
  const chosen = ids === null ? sql`` : sql`and id = any (${ids}::bigint[])`
  const found = await rows<StoredSource>(
    db,
    sql`
      select *, ${HAS_LINKED_GROUPS} as has_linked_groups
      from auth_sources where type = 'AuthSourceLdap' ${chosen} order by id`,
  )
  return found.map((stored) => toSource(encryption, stored))
}

/** The row of a directory in `auth_sources`, with HAS_LINKED_GROUPS. */
export interface StoredSource extends SourceRow {
  readonly has_linked_groups: boolean
}

/** Selects whether a user group is linked to the row of `auth_sources`. */
export const HAS_LINKED_GROUPS: Sql = sql`exists (
  select from external_usergroups where auth_source_id = auth_sources.id)`

/** Turns a stored directory into a source with a decrypted password. */
export function toSource(encryption: Encryption, stored: StoredSource): Source {
  return {
    directory: toDirectorySource(stored, decryptAccountPassword(encryption, stored)),
    ontheflyRegister: stored.onthefly_register,
    registersUnknown: stored.onthefly_register && stored.onthefly_trusted,
    usergroupSync: stored.usergroup_sync,
    hasLinkedGroups: stored.has_linked_groups,
  }
}

/**
 * Decrypts a password. One whose key is lost counts as missing: that source then fails with a message, and others still
 * work.
 */
export function decryptAccountPassword(
  encryption: Encryption,
  row: Pick<SourceRow, 'account_password'>,
): string | null {
  return decryptIfPossible(encryption, row.account_password || null, ACCOUNT_PASSWORD)
}

/** Turns a stored or sent row into the settings that `directory/` takes. */
export function toDirectorySource(row: SourceRow, accountPassword: string | null): DirectorySource {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    port: row.port,
    security: row.tls ? 'tls' : row.start_tls ? 'starttls' : 'none',
    caCertificate: row.ca_certificate || null,
    account: row.account || null,
    accountPassword,
    baseDn: row.base_dn ?? '',
    groupsBase: row.groups_base ?? '',
    filter: row.ldap_filter?.trim() || null,
    attributes: {
      login: row.attr_login,
      firstname: row.attr_firstname,
      lastname: row.attr_lastname,
      mail: row.attr_mail,
      photo: row.attr_photo,
    },
    serverType: row.server_type,
    useNetgroups: row.use_netgroups,
  }
}
