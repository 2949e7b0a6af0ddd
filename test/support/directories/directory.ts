import type { Certificates } from './certificates.ts'
import { PASSWORD } from './people.ts'
import type { Server } from './server.ts'

export type DirectoryKind = 'slapd' | 'ds389' | 'samba'

export interface Account {
  readonly dn: string
  readonly password: string
}

/** A real directory server on high ports of the loopback address, with data of its own. */
export interface TestDirectory extends Server {
  readonly kind: DirectoryKind
  /** 127.0.0.1; HOST_NAME and localhost are in the certificate too. */
  readonly host: string
  /** For plain LDAP and StartTLS. */
  readonly port: number
  readonly tlsPort: number
  /** The authority to trust, PEM. */
  readonly ca: string
  /** An authority that has nothing to do with it, PEM. */
  readonly otherCa: string
  readonly certificates: Certificates
  readonly baseDn: string
  readonly usersBase: string
  readonly groupsBase: string
  readonly netgroupsBase: string
  readonly serviceAccount: Account
  /** May write; for tests that change the directory. */
  readonly administrator: Account
  /** The attribute with the login. */
  readonly loginAttribute: string
  /** What everybody's password is. */
  readonly password: string
}

/** What differs between the directories, with what does not. */
export function directoryOf(
  server: Server,
  certificates: Certificates,
  own: Omit<TestDirectory, keyof Server | 'host' | 'ca' | 'otherCa' | 'certificates' | 'password'>,
): TestDirectory {
  const { ca, otherCa } = certificates
  return { ...server, ...own, host: '127.0.0.1', ca, otherCa, certificates, password: PASSWORD }
}
