/** The settings of a directory source, stored or not yet stored (core-api §1.3, §6). */

/** The kinds of servers, which differ in how they store people and groups. */
export type ServerType = 'directory_a' | 'directory_b' | 'posix' | 'directory_c'

/** Where a directory is, and how people and groups are found in it. */
export interface DirectorySource {
  readonly id: number
  readonly name: string
  /** One name, several (`a, b:1636`), or the name of a service record (`_ldap._tcp.example.test`). */
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'tls' | 'starttls'
  /** One or several certificates in PEM format; null for those that this machine trusts. */
  readonly caCertificate: string | null
  /** Null or blank to bind anonymously. May contain `$login`, see `usesOwnAccount`. */
  readonly account: string | null
  readonly accountPassword: string | null
  readonly baseDn: string
  /** Blank for the base DN. */
  readonly groupsBase: string
  /** A filter that every person has to match. */
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

/** Yields the attribute that holds logins; blank settings mean the usual one of the server type (core-api §6.4). */
export function loginAttributeOf(source: DirectorySource): string {
  const usual = { directory_a: 'uid', directory_b: 'sAMAccountName', posix: 'memberUid', directory_c: 'uid' } as const
  return source.attributes.login?.trim() || usual[source.serverType]
}

/** Yields the DN below which groups are searched for. */
export function groupsBaseOf(source: DirectorySource): string {
  return source.groupsBase.trim() || source.baseDn
}

/**
 * Tells whether people look themselves up with their own password, so that nothing can be searched without one (core-api
 * §6.3).
 */
export function usesOwnAccount(source: DirectorySource): boolean {
  return source.account?.includes('$login') ?? false
}

/** Tells whether netgroups are used as groups, which only two server types have (core-api §6.4). */
export function usesNetgroups(source: DirectorySource): boolean {
  return source.useNetgroups && (source.serverType === 'directory_a' || source.serverType === 'posix')
}
