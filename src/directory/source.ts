/** What a stored (or not yet stored) directory source says about where people and their groups are (core-api §1.3, §6). */

export type ServerType = 'directory_a' | 'directory_b' | 'posix' | 'directory_c'

export interface DirectorySource {
  readonly id: number
  readonly name: string
  /** One name, several (`a, b:1636`), or the name of a service record (`_ldap._tcp.example.test`). */
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'tls' | 'starttls'
  /** PEM, one certificate or several; null: what this machine trusts. */
  readonly caCertificate: string | null
  /** Null or blank: anonymous. May contain `$login`, see `usesOwnAccount`. */
  readonly account: string | null
  readonly accountPassword: string | null
  readonly baseDn: string
  /** Blank: the base DN. */
  readonly groupsBase: string
  /** A filter every person has to match. */
  readonly filter: string | null
  readonly attributes: {
    readonly login: string | null
    readonly firstname: string | null
    readonly lastname: string | null
    readonly mail: string | null
    readonly photo: string | null
  }
  readonly serverType: ServerType
  readonly useNetgroups: boolean
}

/** The attribute that holds a login; blank settings mean the one usual for the server type (core-api §6.4). */
export function loginAttribute(source: DirectorySource): string {
  const usual = { directory_a: 'uid', directory_b: 'sAMAccountName', posix: 'memberUid', directory_c: 'uid' } as const
  return source.attributes.login?.trim() || usual[source.serverType]
}

/** Where groups are looked for. */
export function groupsBase(source: DirectorySource): string {
  return source.groupsBase.trim() || source.baseDn
}

/** Whether people look themselves up with their own password, so that nothing can be asked without one (core-api §6.3). */
export function usesOwnAccount(source: DirectorySource): boolean {
  return source.account?.includes('$login') ?? false
}

/** Whether netgroups stand in for groups; only two server types have them (core-api §6.4). */
export function usesNetgroups(source: DirectorySource): boolean {
  return source.useNetgroups && (source.serverType === 'directory_a' || source.serverType === 'posix')
}
