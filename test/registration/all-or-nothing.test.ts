import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { clientBody, newKey, newSite, register, type Site, usageOf } from './clients.ts'

// A registration that fails in the middle leaves nothing: each table that it writes to refuses once.

let api: TestApi
let site: Site

beforeAll(async () => {
  api = await openTestApi()
  site = await newSite(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const TABLES = [
  ...['hosts', 'interfaces', 'audits', 'fact_values', 'host_environments', 'host_content_overrides'],
  ...['host_collection_hosts', 'registrations', 'activation_key_hosts'],
]

test('whatever fails, there is no host, no place, no member afterwards; and then it works', {
  timeout: 60_000,
}, async () => {
  const { db } = api.database
  const { rows } = await sql<{ id: number }>`
    insert into host_collections (organization_id, name) values (${site.id}, 'all') returning id`.execute(db)
  const key = await newKey(api, site, 'whole', { host_collection_ids: rows.map(({ id }) => id) })
  await sql`
    with content as (
      insert into contents (organization_id, name, label, content_type) values (${site.id}, 'c', 'c', 'yum') returning id)
    insert into activation_key_content_overrides select ${key}::bigint, id, 'enabled', '1' from content`.execute(db)
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception using errcode = '23514', message = 'refused by the test'; end $$`.execute(db)
  const before = await state()
  for (const table of TABLES) {
    await sql`create trigger zz_refuse before insert on ${sql.table(table)} for each row execute function refuse()`.execute(
      db,
    )
    // The check of all answers throws on a fault.
    const refused = await register(api, site, 'whole', clientBody('whole.example.test')).catch(() => null)
    expect(refused?.status).not.toBe(200)
    await sql`drop trigger zz_refuse on ${sql.table(table)}`.execute(db)
    expect([table, await state()]).toEqual([table, before])
  }
  expect((await register(api, site, 'whole', clientBody('whole.example.test'))).status).toBe(200)
  expect(await usageOf(api, key)).toBe(1)
})

/** Counts the rows of everything that a registration creates. */
async function state(): Promise<unknown> {
  const counts = TABLES.map((table) => sql`(select count(*)::integer from ${sql.table(table)}) as ${sql.ref(table)}`)
  const { rows } = await sql`select ${sql.join(counts)}`.execute(api.database.db)
  return rows
}
