import type { DirectorySource } from '../../src/directory/source.ts'
import type { TestDirectory } from '../support/directories/index.ts'

const SERVER_TYPES = { slapd: 'posix', ds389: 'directory_a', samba: 'directory_b' } as const

/** Yields a source with the service account and the authority of a test directory, over LDAPS. */
export function sourceOf(directory: TestDirectory, overrides: Partial<DirectorySource> = {}): DirectorySource {
  return {
    id: 1,
    name: directory.kind,
    host: directory.host,
    port: overrides.security === undefined || overrides.security === 'tls' ? directory.tlsPort : directory.port,
    security: 'tls',
    caCertificate: directory.ca,
    account: directory.serviceAccount.dn,
    accountPassword: directory.serviceAccount.password,
    baseDn: directory.usersBase,
    groupsBase: directory.groupsBase,
    filter: null,
    attributes: {
      login: directory.loginAttribute,
      firstname: 'givenName',
      lastname: 'sn',
      mail: 'mail',
      photo: 'jpegPhoto',
    },
    serverType: SERVER_TYPES[directory.kind],
    useNetgroups: false,
    ...overrides,
  }
}
