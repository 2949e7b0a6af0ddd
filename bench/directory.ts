import { Agent, request as send } from 'node:http'
import { Client } from 'ldapts'
import { connect } from '../src/postgresql/connect.ts'
import { sql } from '../src/sql.ts'
import type { TestDirectory } from '../test/support/directories/index.ts'
import { MEMBER_GROUPS } from '../test/support/directories/slapd-data.ts'
import { quiet, testConfig } from '../test/support/settings.ts'
import type { Stage } from './data.ts'
import type { Running } from './processes.ts'

// What the benchmarks of directory logins need: an administrator, users, and equal work done with the LDAP library alone.

export const PATH = '/api/status'

/** Sends requests as the administrator, with a token, and fails unless they succeed. */
export type Administer = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<{ id: number }>

/** Creates a client for the administrator of a running service. */
export async function createAdministrator({ port }: Running, { env }: Stage): Promise<Administer> {
  const createRequester = (authorization: string) => async (method: string, path: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<{ id: number; token_value: string }>
  }
  const byPassword = createRequester(formatBasic('admin', env.MILLWRIGHT_ADMIN_PASSWORD ?? ''))
  const { token_value } = await byPassword('POST', '/api/users/admin/personal_access_tokens', { name: 'login bench' })
  return createRequester(`Bearer ${token_value}`)
}

export function formatBasic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
}

/** Inserts users of a source by one statement; yields their logins. */
export async function insertPeople({ url }: Stage, sourceId: number, count: number): Promise<string[]> {
  await using database = await connect(testConfig({ url }), quiet)
  const { rows } = await sql<{ login: string }>`
    insert into users (login, mail, auth_source_id)
    select 'waiting-' || ${sourceId}::bigint || '-' || n, n || '@example.test', ${sourceId}::bigint
    from generate_series(1, ${count}::int) n returning login`.execute(database.db)
  return rows.map(({ login }) => login)
}

/** Opens a connection that sends one login after another and resolves with the status of each. */
export function logsIn({ port }: Running, login: string, password: string): Disposable & { once(): Promise<number> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: formatBasic(login, password) }
  return {
    once: () =>
      new Promise((resolve, reject) => {
        const sent = send({ port, host: '127.0.0.1', path: PATH, headers, agent }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        })
        sent.once('error', reject).end()
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** Logs in with the LDAP library alone, on two open connections: find the person, check the password, list the groups. */
export async function openBareLogin(
  directory: TestDirectory,
  login: string,
): Promise<AsyncDisposable & { once(): Promise<number> }> {
  const { host, tlsPort, ca, serviceAccount, usersBase, password } = directory
  const open = () => new Client({ url: `ldaps://${host}:${tlsPort}`, tlsOptions: { ca } })
  const [searching, trying] = [open(), open()]
  await searching.bind(serviceAccount.dn, serviceAccount.password)
  const attributes = ['uid', 'givenName', 'sn', 'mail']
  return {
    async once() {
      const { searchEntries } = await searching.search(usersBase, { filter: `(uid=${login})`, attributes })
      const dn = searchEntries[0]?.dn ?? ''
      await trying.bind(dn, password)
      const groups = await searching.search(MEMBER_GROUPS, { filter: `(member=${dn})`, attributes: ['cn'] })
      return groups.searchEntries.length
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([searching.unbind(), trying.unbind()])
    },
  }
}
