import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { givenFleet } from '../support/fleet.ts'

// A plan for all values takes what every host has for something rare: it finds all of them, and sorts them for each page.

const HOSTS = 20_000

let api: TestApi
beforeAll(async () => {
  // PostgreSQL keeps plans and counts what it reads by connection.
  api = await openTestApi({ database: { poolSize: 1 } })
  const { db } = api.database
  await givenFleet(api, HOSTS)
  await sql`insert into fact_names (name) select 'fact ' || n from generate_series(1, 100) n`.execute(db)
  await sql`analyze`.execute(db)
}, 300_000)
afterAll(() => api?.[Symbol.asyncDispose]())

/** PostgreSQL decides for a plan after five executions. */
const BEFORE = 8

test('a page of what every host has reads a few hosts, however often it was asked for', async () => {
  const ask = () => api.admin.get('/api/hosts?search=facts.kernel+%3D+Linux&per_page=20')
  for (let time = 0; time < BEFORE; time++) expect((await ask()).body.subtotal).toBe(HOSTS)
  const before = await countReadFacts()
  await ask()
  expect((await countReadFacts()) - before).toBeLessThan(HOSTS / 10)
})

/** Yields how many rows of facts were ever read. */
async function countReadFacts(): Promise<number> {
  const { db } = api.database
  await rows(db, sql`select pg_stat_force_next_flush()`)
  const [found] = await rows<{ read: number }>(
    db,
    sql`select (seq_tup_read + idx_tup_fetch)::bigint as read from pg_stat_user_tables where relname = 'fact_values'`,
  )
  return found?.read ?? 0
}
