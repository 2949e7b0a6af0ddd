import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

/** The most rows that one statement of a job may delete. */
const STEP = 1000
const OLD = sql`now() - interval '6 days'`

/** What jobs delete from: the columns of rows that are overdue, and their values. */
const OVERDUE = {
  audits: [
    'action, auditable_type, auditable_id, audited_changes, version, created_at',
    sql`'create', 'X', 1, '{}', 1, ${OLD}`,
  ],
  config_reports: ['host_id, reported_at, created_at', sql`(select min(id) from hosts), ${OLD}, ${OLD}`],
  config_rollouts: ['search, status, finished_at', sql`'name = x', 'finished', ${OLD}`],
  config_runs: ['host_name, status, finished_at', sql`'x', 'failed', ${OLD}`],
  gone_registrations: ['uuid, gone_at', sql`gen_random_uuid(), ${OLD}`],
  registration_tokens: [
    'token_hash, user_id, expires_at',
    sql`uuid_send(gen_random_uuid()), (select min(id) from users), now()`,
  ],
  report_texts: ['digest, value, used_on', sql`uuid_send(gen_random_uuid()), 'x', current_date - 10`],
  sessions: [
    'user_id, token, csrf, last_seen_at',
    sql`(select min(id) from users), uuid_send(gen_random_uuid()), '', ${OLD}`,
  ],
  tasks: ['kind, action, state, result, ended_at', sql`'x', 'x', 'stopped', 'success', ${OLD}`],
} as const

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  const { db } = api.database
  await rows(db, sql`insert into hosts (name, managed) values ('web.example.test', false)`)
  for (const [name, value] of Object.entries({
    audits_keep: 5,
    tasks_keep: 5,
    configrun_keep: 5,
    config_reports_keep: 5,
    identity_certificate_days: 5,
    idle_timeout: 5 * 24 * 60,
  }))
    expect((await api.admin.put(`/api/settings/${name}`, { setting: { value } })).status).toBe(200)
  await watchDeletions()
})
afterAll(() => api[Symbol.asyncDispose]())

beforeEach(async () => {
  const { db } = api.database
  for (const [table, [columns, values]] of Object.entries(OVERDUE))
    await rows(
      db,
      sql`insert into ${sql.table(table)} (${sql.raw(columns)}) select ${values} from generate_series(1, 2500)`,
    )
  await rows(db, sql`delete from watched_deletions`)
})

test('no job deletes without a limit, and every table that jobs delete from is tried', async () => {
  for (const job of api.jobs) await job.work(new AbortController().signal)
  const steps = await listDeletions()
  expect(steps.filter(({ count }) => count > STEP)).toEqual([])
  const parts = await listParts(Object.keys(OVERDUE))
  const tables = new Set(steps.map(({ name }) => name).filter((name) => !parts.includes(name)))
  expect([...tables].sort()).toEqual(Object.keys(OVERDUE))
  for (const [table, [columns]] of Object.entries(OVERDUE)) {
    const time = sql.ref(columns.split(', ').at(-1) ?? '')
    const left = await rows(
      api.database.db,
      sql`select from ${sql.table(table)} where ${time} < now() - interval '1 minute'`,
    )
    expect([table, left.length]).toEqual([table, 0])
  }
})

test('a job that is to end deletes nothing more', async () => {
  for (const job of api.jobs.filter(({ name }) => name.startsWith('delete_') || name.startsWith('forget_')))
    await job.work(AbortSignal.abort())
  expect((await listDeletions()).filter(({ count }) => count > 0)).toEqual([])
})

test('registration tokens that have not expired stay', async () => {
  const { db } = api.database
  const [columns] = OVERDUE.registration_tokens
  await rows(
    db,
    sql`insert into registration_tokens (${sql.raw(columns)})
      select uuid_send(gen_random_uuid()), (select min(id) from users), now() + interval '1 hour' from generate_series(1, 3)`,
  )
  await api.jobs.find(({ name }) => name === 'forget_old_registrations')?.work(new AbortController().signal)
  expect(await row(db, sql`select count(*)::int from registration_tokens`)).toEqual({ count: 3 })
})

/** Has the database note how many rows every statement deletes that is no trigger's, whoever wrote it, and however. */
async function watchDeletions(): Promise<void> {
  const { db } = api.database
  await rows(db, sql`create table watched_deletions (name text, count int)`)
  await rows(
    db,
    sql`create function watch_deletions() returns trigger language plpgsql as $$
      begin
        if pg_trigger_depth() = 1 then
          insert into watched_deletions select tg_table_name, count(*) from gone;
        end if;
        return null;
      end $$`,
  )
  const tables = await rows<{ name: string }>(
    db,
    sql`select relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema::regnamespace and relname not in ('watched_deletions', 'table_changes')`,
  )
  for (const { name } of tables)
    await rows(
      db,
      sql`create trigger watch_deletions after delete on ${sql.table(name)} referencing old table as gone
        for each statement execute function watch_deletions()`,
    )
}

function listDeletions(): Promise<{ name: string; count: number }[]> {
  return rows(api.database.db, sql`select name, count from watched_deletions`)
}

/** Lists the tables whose rows go with those of others. */
async function listParts(tables: readonly string[]): Promise<string[]> {
  const found = await rows<{ name: string }>(
    api.database.db,
    sql`select distinct part.relname as name from pg_constraint c
      join pg_class part on part.oid = c.conrelid join pg_class whole on whole.oid = c.confrelid
      where c.confdeltype = 'c' and whole.relname = any (${tables}::text[]) and part.relname <> all (${tables}::text[])`,
  )
  return found.map(({ name }) => name)
}
