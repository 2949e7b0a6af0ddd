import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { row, rows } from '../../src/database/sql.ts'
import { countStatements, tallyStatements, withObservation } from '../../src/database/statements.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  // One of its own: on a connection that has served other files all the names of statements may be taken.
  database = await openTestDatabase({ poolSize: 5 })
})
afterAll(() => database?.[Symbol.asyncDispose]())

test('statements are counted for the work that ran them, and for nobody else', async () => {
  const reading = (times: number) =>
    countStatements(async () => {
      for (let index = 0; index < times; index++) await row(database.db, sql`select ${index}::int as index`)
    })
  const [two, five] = await Promise.all([reading(2), reading(5), row(database.db, sql`select 1`)])
  expect([two.count, five.count]).toEqual([2, 5])
  expect(two.texts).toEqual(['select $1::int as index', 'select $1::int as index'])
})

test('beginning and ending a transaction is not counted', async () => {
  const { count } = await countStatements(() =>
    database.db.transaction(async (tx) => {
      await row(tx, sql`select 1`)
      await row(tx, sql`select 2`)
    }),
  )
  expect(count).toBe(2)
})

test('a tally goes on counting in work that was started under it', async () => {
  const tally = { count: 0, milliseconds: 0 }
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const work = tallyStatements(tally, async () => {
    await begun
    await row(database.db, sql`select 1`)
  })
  resolve()
  await work
  expect(tally.count).toBe(1)
  expect(tally.milliseconds).toBeGreaterThan(0)
})

test('a slow statement is logged with its text and without its values', async () => {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  const answer = { command: 'SELECT', rowCount: 2, rows: [{}, {}] }
  const run = withObservation(async () => answer, 0, log)
  expect(await run('select $1', ['a secret'])).toBe(answer)
  const [line] = lines.map((each) => JSON.parse(each))
  expect(line).toEqual({
    level: 40,
    milliseconds: expect.any(Number),
    rows: 2,
    failed: false,
    statement: 'select $1',
    msg: 'slow statement',
  })
})

test('an error of the database does not carry bound values', async () => {
  const failing = sql`select ${'a secret'}::text, missing_column`.execute(database.db)
  const error = await failing.catch((each: unknown) => each)
  expect(JSON.stringify({ ...(error as object), stack: (error as Error).stack })).not.toContain('a secret')
})

test('statements that come again are prepared under a name', async () => {
  for (const id of [1, 2, 3]) await rows(database.db, sql`select ${id}::int as prepared_three_times`)
  const prepared = await rows(
    database.db,
    sql.raw(
      `select distinct name from pg_prepared_statements where statement like '%prepared_three_times%' and statement not like '%like%'`,
    ),
  )
  expect(prepared).toHaveLength(1)
})

test('a prepared statement survives a change of its table', async () => {
  await sql`create table changing (a int)`.execute(database.db)
  const all = () => rows(database.db, sql`select * from changing where ${true}`)
  for (const _ of [1, 2, 3]) expect(await all()).toEqual([])
  await sql`alter table changing add b int`.execute(database.db)
  await sql`insert into changing values (1, 2)`.execute(database.db)
  // Every connection of the pool has to notice.
  expect(await Promise.all([all(), all(), all()])).toEqual(Array(3).fill([{ a: 1, b: 2 }]))
})

test('a text that cannot be stored is refused like any other value', async () => {
  await expect(row(database.db, sql`select ${'a\0b'}::text`)).rejects.toMatchObject({ code: '22021' })
  expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
})
