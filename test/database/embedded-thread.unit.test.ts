import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout, setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLogShort } from '../../src/database/checkpoints.ts'
import { connect } from '../../src/database/connect.ts'
import type { DatabaseConfig } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { row, rows } from '../../src/database/sql.ts'
import { tallyStatements } from '../../src/database/statements.ts'
import { MIGRATIONS, quiet, testConfig } from '../support/settings.ts'
import { listening } from './listening.ts'

// Statements without end are stopped after this; everything else has to be done in less.
const statementTimeoutMs = 3000
const STOPPED = {
  name: 'Failure',
  code: 'unavailable',
  status: 503,
  message: `The database stopped a statement that ran longer than ${statementTimeoutMs} ms`,
}

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'millwright-thread-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const open = (overrides: Partial<DatabaseConfig> = {}) =>
  connect(testConfig({ dataDir, statementTimeoutMs, ...overrides }), quiet)
const runAway = sql`select count(*) from generate_series(1, 100000000000)`

test('a statement without end is stopped; what was committed stays, what was open is gone', async () => {
  await using database = await open()
  const { db } = database
  await sql`create table written (number int primary key)`.execute(db)
  for (let number = 1; number <= 200; number++) await sql`insert into written values (${number})`.execute(db)
  const holding = db.transaction().execute(async (tx) => {
    await sql`insert into written values (1000)`.execute(tx)
    const failed = await runAway.execute(tx).catch((error: unknown) => error)
    // Whoever goes on after that must not write outside of the transaction that is lost.
    await expect(sql`insert into written values (2000)`.execute(tx)).rejects.toMatchObject({ code: 'unavailable' })
    throw failed
  })
  const waiting = [1, 2, 3].map((value) => row(db, sql`select ${value}::int as value`))
  await expect(holding).rejects.toMatchObject(STOPPED)
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  expect(await row(db, sql`select count(*), max(number) from written`)).toEqual({ count: 200, max: 200 })
})

test('nothing acknowledged is lost, however often the thread ends in the middle of writing', async () => {
  await using database = await open({ statementTimeoutMs: 1000 })
  const { db } = database
  await sql`create table written (number int primary key)`.execute(db)
  const acknowledged: number[] = []
  for (let round = 0; round < 3; round++) {
    const writing = Array.from({ length: 300 }, async (_, index) => {
      const number = round * 1000 + index
      if (index === 150) await runAway.execute(db)
      await sql`insert into written select ${number}::int from pg_sleep(0)`.execute(db)
      acknowledged.push(number)
    })
    const results = await Promise.allSettled(writing)
    for (const result of results) if (result.status === 'rejected') expect(result.reason.code).toBe('unavailable')
  }
  const found = await rows<{ number: number }>(db, sql`select number from written`)
  expect(acknowledged.length).toBeGreaterThan(300)
  expect(acknowledged.filter((number) => !found.some((one) => one.number === number))).toEqual([])
})

test('a stack overflow fails that statement alone', async () => {
  await using database = await open()
  await sql`create function deeper(depth int) returns int language plpgsql as 'begin return deeper(depth + 1); end'`.execute(
    database.db,
  )
  await sql`create temporary table kept (n int)`.execute(database.db)
  await expect(row(database.db, sql`select deeper(1)`)).rejects.toMatchObject({ code: '54001' })
  await expect(row(database.db, sql`select 'x' ~ repeat('(', 100000)`)).rejects.toMatchObject({ code: '2201B' })
  // It is the same session: another one would not know the temporary table.
  expect(await row(database.db, sql`select count(*) from kept`)).toEqual({ count: 0 })
})

test('named statements are parsed again, and listeners are told twice and hear what comes after', async () => {
  await using database = await open()
  const { db } = database
  const heard: string[] = []
  const lost = vi.fn()
  await database.listen('news', (payload) => heard.push(payload), lost)
  const named = (id: number) => row(db, sql`select ${id}::int as id`)
  for (const id of [1, 2, 3]) expect(await named(id)).toEqual({ id })
  await expect(runAway.execute(db)).rejects.toMatchObject(STOPPED)
  for (const id of [4, 5]) expect(await named(id)).toEqual({ id })
  await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(2))
  await sql`select pg_notify('news', 'again')`.execute(db)
  await vi.waitFor(() => expect(heard).toEqual(['again']))
})

test('the log that is read at the next opening stays short', async () => {
  await using database = await open()
  const { db } = database
  using _ = keepLogShort(db, quiet, 20)
  await sql`create table written as select n, repeat('x', 400) from generate_series(1, 10000) n`.execute(db)
  const length = () =>
    row<{ bytes: string }>(
      db,
      sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()`,
    )
  await setTimeout(100)
  // One that is no burden to the next opening costs no checkpoint.
  expect(Number((await length())?.bytes)).toBeGreaterThan(2_000_000)
  await sql`create table more as select n, repeat('x', 400) from generate_series(1, 90000) n`.execute(db)
  await vi.waitFor(async () => expect(Number((await length())?.bytes)).toBeLessThan(100_000), 10_000)
  await expect(runAway.execute(db)).rejects.toMatchObject(STOPPED)
  expect(await row(db, sql`select count(*) from written`)).toEqual({ count: 10_000 })
})

test('work that says so has no limit', async () => {
  await using database = await open({ statementTimeoutMs: 100 })
  const slow = sql`select count(*) from generate_series(1, 3000000)`
  const work = () => row(database.db, slow)
  expect(await tallyStatements({ count: 0, milliseconds: 0, unlimited: true }, work)).toEqual({ count: 3_000_000 })
})

test('long questions and answers arrive whole', async () => {
  await using database = await open({ statementTimeoutMs: 60_000 })
  for (const length of [0, 1, 262_000, 262_144, 262_145, 1_000_003]) {
    const text = 'x'.repeat(length)
    expect(await row(database.db, sql`select length(${text}) as length, ${text}::text as text`)).toEqual({
      length,
      text,
    })
  }
  const many = await rows<{ n: number }>(
    database.db,
    sql`select n, repeat('y', n % 500) from generate_series(1, 20000) n`,
  )
  expect(many.map(({ n }) => n)).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1))
})

test('a database in memory ends with its thread, and says so', async () => {
  await using database = await open({ dataDir: 'memory' })
  await expect(runAway.execute(database.db)).rejects.toMatchObject(STOPPED)
  await expect(row(database.db, sql`select 1`)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('was kept in memory and has ended: start the service again'),
  })
})

test('while a statement holds the database the service lives; requests in flight get 503 and when to come again', async () => {
  await using database = await open({ statementTimeoutMs: 10_000 })
  await migrate(database, MIGRATIONS)
  await using api = await listening(database, dataDir)
  const created = await api.fetch('/api/architectures', { method: 'POST', body: '{"name":"kept"}' })
  expect(created.status).toBe(201)

  const order: string[] = []
  const holding = runAway.execute(database.db).catch((error: { code: string }) => order.push(error.code))
  await turn()
  const inFlight = api.fetch('/api/architectures?search=name%3Dkept')
  expect((await api.fetch('/livez')).status).toBe(200)
  order.push('livez')
  const refused = await inFlight
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  await holding
  expect(order).toEqual(['livez', 'unavailable'])

  const after = await api.fetch('/api/architectures?search=name%3Dkept')
  expect(await after.json()).toMatchObject({ subtotal: 1 })
})
