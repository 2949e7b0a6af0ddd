import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { row, rows, type Sql } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { unique } from '../support/given.ts'

/** The most rows that one step of a job may delete, with what goes with them. */
const STEP = 1000
const OLD = sql`now() - interval '10 days'`
const YOUNG = sql`now() + interval '1 minute'`

/** What jobs delete from: the columns of its rows, and the values of one of some time, which the last column has. */
const OVERDUE: Readonly<Record<string, readonly [columns: string, values: (at: Sql) => Sql]>> = {
  audits: [
    'action, auditable_type, auditable_id, audited_changes, version, created_at',
    (at) => sql`'create', 'X', 1, '{}', 1, ${at}`,
  ],
  config_reports: ['host_id, reported_at, created_at', (at) => sql`(select min(id) from hosts), ${at}, ${at}`],
  config_rollouts: ['search, status, finished_at', (at) => sql`'name = x', 'finished', ${at}`],
  config_runs: ['host_name, status, finished_at', (at) => sql`'x', 'failed', ${at}`],
  event_notes: ['resource, action, record_id, created_at', (at) => sql`'task', 'started', 1, ${at}`],
  gone_registrations: ['uuid, gone_at', (at) => sql`gen_random_uuid(), ${at}`],
  login_events: ['outcome, method, address, created_at', (at) => sql`'refused', 'x', 'x', ${at}`],
  login_requests: [
    'digest, user_digest, client_name, address, expires_at',
    (at) => sql`uuid_send(gen_random_uuid()), uuid_send(gen_random_uuid()), 'x', '192.0.2.1', ${at}`,
  ],
  registration_tokens: [
    'token_hash, user_id, organization_id, expires_at',
    (at) => sql`uuid_send(gen_random_uuid()), (select min(id) from users), (select min(id) from organizations), ${at}`,
  ],
  report_texts: ['digest, value, used_on', (at) => sql`uuid_send(gen_random_uuid()), 'x', (${at})::date`],
  sessions: [
    'user_id, token, csrf, last_seen_at',
    (at) => sql`(select min(id) from users), uuid_send(gen_random_uuid()), '', ${at}`,
  ],
  webhook_deliveries: [
    'webhook_id, event_type, subject, message_id, state, ended_at',
    (at) => sql`(select min(id) from webhooks), 'x.created', 'x/1', 'evt_1', 'dead', ${at}`,
  ],
  tasks: ['kind, action, state, result, ended_at', (at) => sql`'x', 'x', 'stopped', 'success', ${at}`],
}

/** How many rows of each table that goes with one of those a row has here. */
const PARTS = 3

/** What goes with them: the rows that all of a table have. */
const WITH_THEM: Readonly<Record<string, Sql>> = {
  audits_order: sql`insert into audits_order (id, ordered) select id, '{}' from audits`,
  config_run_output: sql`insert into config_run_output (config_run_id, number, stream, text)
    select r.id, n, 'stdout', 'x' from config_runs r, generate_series(1, ${PARTS}) n`,
  deferred_parts: sql`insert into deferred_parts (task_id, position, outcome)
    select task_id, n, '' from deferred_requests, generate_series(1, ${PARTS}) n`,
  deferred_requests: sql`insert into deferred_requests (task_id) select id from tasks`,
  passkey_challenges: sql`insert into passkey_challenges (digest, user_id, session_id, expires_at)
    select uuid_send(gen_random_uuid()), user_id, id, now() from sessions, generate_series(1, ${PARTS}) n`,
  session_factors: sql`insert into session_factors (session_id) select id from sessions`,
  session_identities: sql`insert into session_identities (session_id, user_identity_id)
    select id, (select min(id) from user_identities) from sessions`,
}

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  const { db } = api.database
  await rows(db, sql`insert into hosts (name, managed) values ('web.example.test', false)`)
  await rows(
    db,
    sql`insert into webhooks (name, target_url, events, secret, user_id) select 'x', 'http://x', '{*}', '', min(id) from users`,
  )
  await rows(
    db,
    sql`insert into user_identities (subject, user_id, auth_source_oidc_id)
      select 'x', min(users.id), min(auth_sources.id) from users, auth_sources`,
  )
  for (const [name, value] of Object.entries({
    audits_keep: 5,
    login_events_keep: 5,
    tasks_keep: 5,
    configrun_keep: 5,
    config_reports_keep: 5,
    identity_certificate_days: 5,
    idle_timeout: 5 * 24 * 60,
  }))
    expect((await api.admin.put(`/api/settings/${name}`, { setting: { value } })).status).toBe(200)
  await watchDeletions()
})
afterAll(() => api?.[Symbol.asyncDispose]())

beforeEach(async () => {
  const { db } = api.database
  for (const [table, [columns, values]] of Object.entries(OVERDUE))
    await rows(
      db,
      sql`insert into ${sql.table(table)} (${sql.raw(columns)}) select ${values(OLD)} from generate_series(1, 2500)`,
    )
  for (const parts of Object.values(WITH_THEM).toReversed()) await rows(db, sql`${parts} on conflict do nothing`)
  await rows(db, sql`delete from watched_deletions`)
})

test('no job deletes more than some rows in a transaction, whatever goes with them, nor locks a table; every table is tried', async () => {
  expect(await listParts(Object.keys(OVERDUE))).toEqual(Object.keys(WITH_THEM))
  for (const job of api.jobs) await job.work(new AbortController().signal)
  const { db } = api.database
  // The last row of a step may bring more parts than there was room for.
  const most = STEP + Object.keys(WITH_THEM).length * PARTS
  const large = await rows(
    db,
    sql`select array_agg(distinct name) as names, sum(count)::int as count from watched_deletions
      group by transaction having sum(count) > ${most}`,
  )
  expect(large).toEqual([])
  expect(await rows(db, sql`select distinct name, locks from watched_deletions where locks <> '{}'`)).toEqual([])
  const tried = await rows<{ name: string }>(db, sql`select distinct name from watched_deletions order by name`)
  expect(tried.map(({ name }) => name)).toEqual([...Object.keys(OVERDUE), ...Object.keys(WITH_THEM)].toSorted())
  for (const [table, [columns]] of Object.entries(OVERDUE)) {
    const time = sql.ref(columns.split(', ').at(-1) ?? '')
    const left = await rows(db, sql`select from ${sql.table(table)} where ${time} < now() - interval '1 minute'`)
    expect([table, left.length]).toEqual([table, 0])
  }
})

test('while a job is in the middle of a step, everybody can write to all that it deletes from', async () => {
  const { db } = api.database
  const held: string[] = []
  for (const job of api.jobs) {
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = db.transaction(async (tx) => {
      await rows(tx, sql`select pg_advisory_xact_lock(${HOLD})`)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    let isOver = false
    const working = job.work(new AbortController().signal).finally(() => {
      isOver = true
    })
    await vi.waitUntil(async () => isOver || (await isHeld()), { timeout: 60_000 })
    if (!isOver) {
      held.push(job.name)
      for (const table of Object.keys(OVERDUE)) await writeTo(table)
      const { status } = await api.admin.post('/api/architectures', { architecture: { name: unique('meanwhile') } })
      expect(status).toBe(201)
    }
    release.resolve()
    await Promise.all([working, holding])
  }
  expect(held.length).toBeGreaterThan(5)
})

test('a job that is to end deletes nothing more', async () => {
  for (const job of api.jobs.filter(({ name }) => name.startsWith('delete_') || name.startsWith('forget_')))
    await job.work(AbortSignal.abort())
  expect(await rows(api.database.db, sql`select name from watched_deletions where count > 0`)).toEqual([])
})

test('registration tokens that have not expired stay', async () => {
  const { db } = api.database
  const [columns = ''] = OVERDUE.registration_tokens ?? []
  await rows(
    db,
    sql`insert into registration_tokens (${sql.raw(columns)})
      select uuid_send(gen_random_uuid()), u.id, o.id, now() + interval '1 hour'
      from (select min(id) as id from users) u, (select min(id) as id from organizations) o, generate_series(1, 3)`,
  )
  await api.jobs.find(({ name }) => name === 'forget_old_registrations')?.work(new AbortController().signal)
  expect(await row(db, sql`select count(*)::int from registration_tokens`)).toEqual({ count: 3 })
})

/** The lock that holds a deletion before its transaction ends. */
const HOLD = 4711

async function isHeld(): Promise<boolean> {
  const waiting = sql`select from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted`
  return (await rows(api.database.db, waiting)).length > 0
}

/** Inserts, changes and deletes a row that is young; whoever has to wait for the job fails. */
async function writeTo(table: string): Promise<void> {
  const [columns = '', values] = OVERDUE[table] ?? []
  const time = sql.ref(columns.split(', ').at(-1) ?? '')
  await api.database.db.transaction(async (tx) => {
    await rows(tx, sql`set local lock_timeout = '5s'`)
    await rows(tx, sql`set local watched.is_free = 'yes'`)
    await rows(
      tx,
      sql`insert into ${sql.table(table)} (${sql.raw(columns)}) select ${values?.(YOUNG)} from generate_series(1, 2)`,
    )
    const changed = await rows(
      tx,
      sql`update ${sql.table(table)} set ${time} = ${time} where ${time} >= current_date returning 1`,
    )
    expect(changed.length).toBeGreaterThan(1)
    await rows(tx, sql`delete from ${sql.table(table)} where ${time} >= current_date`)
  })
}

/**
 * Has the database note what every statement deletes, in which transaction, and which tables that one has locked against
 * writers; triggers of ours count as well, and so do rows that go with others.
 */
async function watchDeletions(): Promise<void> {
  const { db } = api.database
  await rows(db, sql`create table watched_deletions (name text, count int, transaction xid8, locks text[])`)
  await rows(
    db,
    sql`create function watch_deletions() returns trigger language plpgsql as $$
      begin
        insert into watched_deletions
          select tg_table_name, count(*), pg_current_xact_id(), array(
            select relation::regclass || ' ' || mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation'
              and mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock') order by 1)
          from gone having count(*) > 0;
        if coalesce(current_setting('watched.is_free', true), '') = '' then
          perform pg_advisory_xact_lock_shared(${sql.lit(HOLD)});
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

/** Lists the tables whose rows go with those of others, however far. */
async function listParts(tables: readonly string[]): Promise<string[]> {
  const found = await rows<{ name: string }>(
    api.database.db,
    sql`with recursive known as (
        select oid from pg_class where relname = any (${tables}::text[]) and relnamespace = current_schema::regnamespace
        union
        select conrelid from pg_constraint c join known on known.oid = c.confrelid where c.confdeltype = 'c'
      )
      select relname as name from known join pg_class using (oid) where relname <> all (${tables}::text[]) order by 1`,
  )
  return found.map(({ name }) => name)
}
