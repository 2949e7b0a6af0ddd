import { Attribute, Change, Client } from 'ldapts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { basic, expectCreated, type Reply, type TestApi } from '../support/api.ts'
import type { TestDirectory } from '../support/directories/index.ts'
import { PASSWORD } from '../support/directories/people.ts'
import { type Shown, unique } from '../support/given.ts'
import { settled } from './identities.ts'

/** Logs in with a request that any user may send. */
export function logIn(api: TestApi, login: string, password: string = PASSWORD): Promise<Reply> {
  return api.as({ authorization: basic(login, password) }).get('/api')
}

/** Finds a user as the administrator; undefined when there is none. */
export async function userNamed(api: TestApi, login: string): Promise<Shown | undefined> {
  const { status, body } = await api.admin.get(`/api/users/${encodeURIComponent(login)}`)
  return status === 200 ? body : undefined
}

/** Stores a source for this directory, over LDAPS. */
export async function givenSource(
  api: TestApi,
  directory: TestDirectory,
  overrides: Record<string, unknown> = {},
): Promise<Shown> {
  const source = {
    name: unique('directory'),
    host: directory.host,
    port: directory.tlsPort,
    tls: true,
    ca_certificate: directory.ca,
    account: directory.serviceAccount.dn,
    account_password: directory.serviceAccount.password,
    base_dn: directory.usersBase,
    groups_base: directory.groupsBase,
    onthefly_register: true,
    server_type: 'posix',
    ...overrides,
  }
  return expectCreated(api.admin.post('/api/auth_source_ldaps', { auth_source_ldap: source }))
}

/** Creates a user group that is linked to these groups of the source. */
export async function givenLinkedGroup(api: TestApi, sourceId: number, names: readonly string[]): Promise<Shown> {
  const group = await expectCreated(api.admin.post('/api/usergroups', { name: unique('group') }))
  for (const name of names) {
    await expectCreated(
      api.admin.post(`/api/usergroups/${group.id}/external_usergroups`, { name, auth_source_id: sourceId }),
    )
  }
  return group
}

/** Lists the logins of the direct members of a user group. */
export async function membersOf(api: TestApi, groupId: number): Promise<string[]> {
  const { body } = await api.admin.get(`/api/usergroups/${groupId}`)
  return body.users.map(({ login }: Shown) => login).sort()
}

/** Clears the caches of identities of every process, as any change of users does. */
export async function forgetLogins(api: TestApi): Promise<void> {
  await rows(api.database.db, sql`select pg_notify('identity', '')`)
  await settled(api.database)
}

/** Counts the failed logins that are recorded. */
export async function failures(api: TestApi): Promise<number> {
  const found = await rows<{ failures: number }>(api.database.db, sql`select failures from login_failures`)
  return found.reduce((sum, each) => sum + each.failures, 0)
}

/** Changes the directory as its administrator. */
export async function administer(directory: TestDirectory, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ url: `ldap://${directory.host}:${directory.port}` })
  try {
    await client.bind(directory.administrator.dn, directory.administrator.password)
    await work(client)
  } finally {
    await client.unbind()
  }
}

export function change(operation: 'add' | 'delete' | 'replace', type: string, values: string[]): Change {
  return new Change({ operation, modification: new Attribute({ type, values }) })
}
