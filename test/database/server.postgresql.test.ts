import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { startTestServer, type TestServer } from '../support/postgresql.ts'
import { quiet, testConfig } from '../support/settings.ts'

// A server of its own, because it is stopped and started here.
let server: TestServer
let database: Database
beforeAll(async () => {
  server = await startTestServer()
  database = await connectTo()
})
afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const connectTo = (overrides: Parameters<typeof testConfig>[0] = {}) =>
  connect(testConfig({ url: server.urlOf('postgres'), ...overrides }), quiet)

test('while the server is away statements are unavailable, then work again, and listeners are told', async () => {
  const heard: string[] = []
  const lost = vi.fn()
  await database.listen('away', (payload) => heard.push(payload), lost)
  const caught = database.db.transaction(async (tx) => {
    await row(tx, sql`select 1`)
    await server.stop()
    await row(tx, sql`select 2`)
  })
  await expect(caught).rejects.toMatchObject({ name: 'Failure', code: 'unavailable', status: 503 })
  await expect(row(database.db, sql`select 1`)).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' })
  await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(1), 5000)

  await server.start()
  expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
  await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(2), 5000)
  await sql`select pg_notify('away', 'back')`.execute(database.db)
  await vi.waitFor(() => expect(heard).toEqual(['back']), 5000)
})

test('a connection ended by an administrator is replaced', async () => {
  await Promise.all([1, 2, 3].map(() => row(database.db, sql`select pg_sleep(0.05)`)))
  await using other = await connectTo()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and application_name = 'millwright'`.execute(other.db)
  await vi.waitFor(() => expect(database.connections().total).toBe(0))
  expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
})

test('a statement that takes too long is stopped', async () => {
  await using impatient = await connectTo({ statementTimeoutMs: 50 })
  await expect(row(impatient.db, sql`select pg_sleep(5)`)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database stopped a statement that ran longer than 50 ms',
  })
})

test('who finds no free connection in time is told so', async () => {
  await using small = await connectTo({ poolSize: 1, connectTimeoutMs: 2000 }) // its first connection takes a while on a busy machine
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const holding = small.db.transaction(async (tx) => {
    await row(tx, sql`select 1`)
    await done
  })
  await sleep(10)
  await expect(row(small.db, sql`select 1`)).rejects.toMatchObject({ code: 'unavailable' })
  resolve()
  await holding
})

test('sessions are set up the same, whatever the server prefers', async () => {
  await sql`alter role postgres set timezone = 'Asia/Tokyo'`.execute(database.db)
  await sql`alter role postgres set datestyle = 'SQL, DMY'`.execute(database.db)
  await sql`alter role postgres set intervalstyle = 'iso_8601'`.execute(database.db)
  await using fresh = await connectTo()
  expect(
    await row(fresh.db, sql`select '2026-11-20 12:00+00'::timestamptz as instant, interval '90 minutes' as "interval"`),
  ).toEqual({ instant: '2026-11-20 12:00:00+00', interval: '01:30:00' })
})

test('prepared statements can be switched off', async () => {
  await using plain = await connectTo({ poolSize: 1, preparedStatements: false })
  for (const id of [1, 2, 3]) expect(await row(plain.db, sql`select ${id}::int as id`)).toEqual({ id })
  expect(await row(plain.db, sql.raw('select count(*) from pg_prepared_statements'))).toEqual({ count: 0 })
})

test('a server that does not answer is named without its password', async () => {
  const url = 'postgresql://somebody:hunter2@127.0.0.1:1/nowhere'
  const error = await connect(testConfig({ url }), quiet).catch((each: unknown) => each)
  expect(error).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /^The database postgresql:\/\/somebody:\*\*\*@127\.0\.0\.1:1\/nowhere cannot be used: /,
    ),
  })
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('hunter2')
})
