import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

test('sources that registered unknown users before the upgrade go on doing so, others do not', async () => {
  await using database = await openTestDatabase()
  await sql`alter table auth_sources drop column onthefly_trusted`.execute(database.db)
  await sql`insert into auth_sources (type, name, host, port, server_type, onthefly_register)
    values ('AuthSourceLdap', 'with', 'a', 389, 'posix', true), ('AuthSourceLdap', 'without', 'a', 389, 'posix', false)`.execute(
    database.db,
  )
  const file = readdirSync(FOLDER).find((name) => name.endsWith('-source-trust.sql')) ?? ''
  for (const statement of readFileSync(new URL(file, FOLDER), 'utf8').split(';')) {
    if (/^\w/m.test(statement.replaceAll(/^--.*$/gm, ''))) await sql.raw(statement).execute(database.db)
  }
  const found = await rows(
    database.db,
    sql`select name, onthefly_trusted from auth_sources where host = 'a' order by id`,
  )
  expect(found).toEqual([
    { name: 'with', onthefly_trusted: true },
    { name: 'without', onthefly_trusted: false },
  ])
})
