import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/areas/access/identity/passwords.ts'
import { seedIdentity } from '../../src/areas/access/identity/seed.ts'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { countStatements } from '../../src/database/statements.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { basic, bearer, insertToken, insertUser, type Process, settled, startProcess } from './identities.ts'

// A data directory belongs to one process; these laws are about several processes on one server.
const place = await testDatabaseUrl()

describe('two processes on one database', () => {
  const [HERE, THERE] = ['192.0.2.1', '198.51.100.7']
  let [first, second]: Process[] = []
  let ada: number
  beforeAll(async () => {
    first = await startProcess(await open(), { limit: 3, idleTimeout: 60 })
    second = await startProcess(await open(), { limit: 3, idleTimeout: 60 })
    ada = await insertUser(first.database.db, { login: 'ada', password: 'secret' })
  })
  afterAll(async () => {
    await first?.database[Symbol.asyncDispose]()
    await second?.database[Symbol.asyncDispose]()
    await place?.drop()
  })

  test('both know a new password', async () => {
    const [here, there] = both()
    await there.authenticate(basic('ada', 'secret'), THERE)
    const password = await hashPassword('new')
    await rows(here.database.db, sql`update users set password = ${password} where id = ${ada}`)
    await expect
      .poll(() => codeOf(there.authenticate(basic('ada', 'secret'), THERE)), { timeout: 1000 })
      .toBe('unauthenticated')
    expect(await there.authenticate(basic('ada', 'new'), THERE)).toMatchObject({ actor: { id: ada } })
  })

  test('failures count together', async () => {
    const [here, there] = both()
    for (const process of [here, there, here]) await codeOf(process.authenticate(bearer('wrong'), HERE))
    expect(await codeOf(here.authenticate(bearer('wrong'), HERE))).toBe('locked_out')
    await expect.poll(() => codeOf(there.lockout.check(HERE)), { timeout: 1000 }).toBe('locked_out')
  })

  test('a process that receives no notifications caches nothing until it receives them again', async () => {
    const [here, there] = both()
    const value = await insertToken(here.database.db, ada)
    await settled(there.database)
    const statements = async () => (await countStatements(() => there.authenticate(bearer(value), '203.0.113.9'))).count
    await there.authenticate(bearer(value), '203.0.113.9')
    expect(await statements()).toBe(0)
    await silence(here.database)
    await expect.poll(statements, { timeout: 2000, interval: 5 }).toBeGreaterThan(0)
    await expect.poll(statements, { timeout: 10_000 }).toBe(0)
    expect(await codeOf(there.lockout.check(HERE))).toBe('locked_out')
  })

  test('starting together, create one administrator', async () => {
    const seeds = {
      adminLogin: 'root',
      adminPassword: null,
      permissions: [{ name: 'view_hosts', resourceType: 'Host' }],
    }
    const results = await Promise.all(
      both().flatMap(({ database }) => [seedIdentity(database.db, seeds), seedIdentity(database.db, seeds)]),
    )
    expect(results.filter(({ created, generatedPassword }) => created && generatedPassword)).toHaveLength(1)
    expect(await rows(both()[0].database.db, sql`select from roles where builtin = 2`)).toHaveLength(1)
  })

  function both(): [Process, Process] {
    if (!first || !second) throw new Error('the processes did not start')
    return [first, second]
  }
})

async function open(): Promise<Database> {
  return connect(testConfig({ url: place?.url ?? null }), quiet)
}

/** Terminates the listening connections, as a network failure would. */
async function silence(database: Database): Promise<void> {
  await rows(
    database.db,
    sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`,
  )
}

function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'accepted',
    (failure) => failure.code,
  )
}
