import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { row, rows } from '../../src/database/sql.ts'
import { migrate } from '../../src/postgresql/migrate.ts'
import { sql } from '../../src/sql.ts'
import { readVersion } from '../../src/version.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
let folder: string
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-migrations-'))
  await sql.raw('drop schema public cascade; create schema public').execute(database.db)
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => database?.[Symbol.asyncDispose]())

const FIRST = 'create table first (id bigint);\ncreate table other (id bigint);\n'
const SECOND = 'create table second (id bigint);'

function files(contents: Record<string, string>): void {
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text)
}

async function refusal(): Promise<string> {
  const error = await migrate(database, folder).catch((each: unknown) => each)
  if (!(error instanceof Error)) throw new Error('it was migrated')
  expect(error.name).toBe('MigrationError')
  return error.message
}

const tables = async () =>
  (
    await rows<{ name: string }>(
      database.db,
      sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
  ).map(({ name }) => name)

test('applies what is new, in order, once', async () => {
  files({ '0001-first.sql': FIRST })
  expect(await migrate(database, folder)).toEqual({ applied: [1] })
  files({ '0002-second.sql': SECOND, 'README.md': 'not a migration' })
  expect(await migrate(database, folder)).toEqual({ applied: [2] })
  expect(await migrate(database, folder)).toEqual({ applied: [] })
  expect(await tables()).toEqual(['first', 'other', 'schema_migrations', 'second'])
  expect(await rows(database.db, sql`select number, name from schema_migrations order by number`)).toEqual([
    { number: 1, name: '0001-first.sql' },
    { number: 2, name: '0002-second.sql' },
  ])
})

test('starts that come together all come up, and each file runs once', async () => {
  files({ '0001-first.sql': FIRST, '0002-second.sql': SECOND })
  const starts = await Promise.all([1, 2, 3].map(() => migrate(database, folder)))
  expect(starts.flatMap(({ applied }) => applied).toSorted()).toEqual([1, 2])
})

test('line ends do not count as a change', async () => {
  files({ '0001-first.sql': FIRST })
  await migrate(database, folder)
  files({ '0001-first.sql': FIRST.replaceAll('\n', '\r\n') })
  expect(await migrate(database, folder)).toEqual({ applied: [] })
})

test('a changed file is refused, and nothing after it runs', async () => {
  files({ '0001-first.sql': FIRST })
  await migrate(database, folder)
  files({ '0001-first.sql': `${FIRST} `, '0002-second.sql': SECOND })
  expect(await refusal()).toBe(
    'Migration 0001-first.sql has changed since the database applied it: restore the file, and put the change into a new migration',
  )
  expect(await tables()).not.toContain('second')
})

test('a database that is newer than the program is refused', async () => {
  files({ '0001-first.sql': FIRST, '0002-second.sql': SECOND })
  await migrate(database, folder)
  rmSync(join(folder, '0002-second.sql'))
  expect(await refusal()).toBe(
    `The database is newer than this program: version ${readVersion()} has applied 0002-second.sql, which is not known here`,
  )
})

test('a gap, a number used twice and a wrong name are refused', async () => {
  files({ '0001-first.sql': FIRST, '0003-third.sql': SECOND })
  expect(await refusal()).toMatch('Migration 0003-third.sql comes where number 0002 is missing')
  renameSync(join(folder, '0003-third.sql'), join(folder, '0001-third.sql'))
  expect(await refusal()).toMatch('Migration 0001-third.sql has the number of the file before it')
  renameSync(join(folder, '0001-third.sql'), join(folder, '2_third.sql'))
  expect(await refusal()).toBe('Migration 2_third.sql is not named like 0001-what-it-does.sql')
  expect(await tables()).toEqual([])
})

test('a database that lacks an older migration is refused', async () => {
  files({ '0001-first.sql': FIRST, '0002-second.sql': SECOND })
  await migrate(database, folder)
  await sql`delete from schema_migrations where number = 1`.execute(database.db)
  expect(await refusal()).toMatch('The database has applied 0002-second.sql but not 0001-first.sql')
})

test('a file that fails leaves no trace, names its line, and runs when it is repaired', async () => {
  files({ '0001-first.sql': FIRST, '0002-second.sql': 'create table second (id bigint);\n\nselect missing;' })
  expect(await refusal()).toBe('Migration 0002-second.sql, line 3 failed: column "missing" does not exist')
  expect(await tables()).toEqual(['first', 'other', 'schema_migrations'])
  files({ '0002-second.sql': SECOND })
  expect(await migrate(database, folder)).toEqual({ applied: [2] })
})

test('the time limit of statements does not apply to migrations', async () => {
  files({ '0001-first.sql': `create table limits as select current_setting('statement_timeout') as value` })
  await migrate(database, folder)
  expect(await row(database.db, sql`select value from limits`)).toEqual({ value: '0' })
})
