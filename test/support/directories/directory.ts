import type { Certificates } from './certificates.ts'
import { PASSWORD } from './people.ts'
import type { Server } from './server.ts'

export type DirectoryKind = 'slapd' | 'ds389' | 'samba'

export interface Account {
  readonly dn: string
  readonly password: string
}

/** A real directory server on high ports of the loopback address, with its own data. */
export interface TestDirectory extends Server {
  readonly kind: DirectoryKind
  /** 127.0.0.1; HOST_NAME and localhost are in the certificate too. */
  readonly host: string
  /** The port for plain LDAP and StartTLS. */
  readonly port: number
  readonly tlsPort: number
  /** The authority to trust, PEM. */
  readonly ca: string
  /** An unrelated authority, PEM. */
  readonly otherCa: string
  readonly certificates: Certificates
  readonly baseDn: string
  readonly usersBase: string
  readonly groupsBase: string
  readonly netgroupsBase: string
  readonly serviceAccount: Account
  /** An account that may write, for tests that change the directory. */
  readonly administrator: Account
  /** The attribute that holds the login. */
  readonly loginAttribute: string
  /** The password of every person. */
  readonly password: string
}

/** Completes the facts that differ between directories with those that all share. */
export function directoryOf(
  server: Server,
  certificates: Certificates,
  own: Omit<TestDirectory, keyof Server | 'host' | 'ca' | 'otherCa' | 'certificates' | 'password'>,
): TestDirectory {
  const { ca, otherCa } = certificates
  return { ...server, ...own, host: '127.0.0.1', ca, otherCa, certificates, password: PASSWORD }
}
