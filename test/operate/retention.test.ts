import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { randomFrom } from '../fuzz/random.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { seedOfRun } from '../support/seed.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await rows(api.database.db, sql`insert into hosts (name, managed) values ('web.example.test', false)`)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const seed = seedOfRun()
const random = randomFrom(seed)
const DAYS = 5

const AUDIT = { action: 'create', auditable_type: 'X', auditable_id: 1, audited_changes: '{}', version: 1 }
const REPORT = { host_id: sql`(select min(id) from hosts)`, reported_at: sql`now()` }
const GONE = { uuid: sql`gen_random_uuid()` }
const SESSION = {
  user_id: sql`(select min(id) from users)`,
  token: sql`uuid_send(gen_random_uuid())`,
  csrf: '',
}

/** What is kept for some days: its job, setting and table, a row of it without its time, and the column of that. */
const KEPT = [
  ['delete_old_audits', 'audits_keep', DAYS, 'audits', 'created_at', AUDIT],
  [
    'delete_old_tasks',
    'tasks_keep',
    DAYS,
    'tasks',
    'ended_at',
    { kind: 'x', action: 'x', state: 'stopped', result: 'success' },
  ],
  [
    'delete_old_config_runs',
    'configrun_keep',
    DAYS,
    'config_runs',
    'finished_at',
    { host_name: 'x', status: 'failed' },
  ],
  ['delete_old_config_reports', 'config_reports_keep', DAYS, 'config_reports', 'created_at', REPORT],
  ['forget_old_registrations', 'identity_certificate_days', DAYS, 'gone_registrations', 'gone_at', GONE],
  ['delete_idle_sessions', 'idle_timeout', DAYS * 24 * 60, 'sessions', 'last_seen_at', SESSION],
] as const

test.for(KEPT)(
  `%s deletes what is older than %s says, nothing else, and waits for nobody (TEST_SEED=${seed})`,
  async ([job, setting, value, table, time, facts]) => {
    const { db, kind } = api.database
    const work = () => api.jobs.find(({ name }) => name === job)?.work(new AbortController().signal)
    expect((await api.admin.put(`/api/settings/${setting}`, { setting: { value } })).status).toBe(200)
    await rows(db, sql`delete from ${sql.table(table)}`)
    // Hours, so that the minutes that the test takes move none of them over the edge.
    const ages = Array.from({ length: 40 }, () => 0.5 + random.below(DAYS * 2 * 24))
    ages.push(DAYS * 2 * 24 + 0.5)
    for (const age of ages) {
      const names = sql.join([...Object.keys(facts), time].map((name) => sql.ref(name)))
      const values = sql.join([...Object.values(facts), sql`now() - ${age} * interval '1 hour'`])
      await rows(db, sql`insert into ${sql.table(table)} (${names}) values (${values})`)
    }
    const left = async () => {
      const age = sql`floor(extract(epoch from now() - ${sql.ref(time)}) / 3600)::int`
      const found = await rows<{ age: number }>(db, sql`select ${age} as age from ${sql.table(table)} order by 1`)
      return found.map((one) => one.age)
    }
    const young = ages
      .map(Math.floor)
      .filter((age) => age < DAYS * 24)
      .sort((a, b) => a - b)
    if (kind === 'postgresql') {
      // Somebody else has the oldest row: it stays until the next time, and the job does not wait.
      const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holding = db.transaction(async (tx) => {
        const oldest = sql`(select min(${sql.ref(time)}) from ${sql.table(table)})`
        await rows(tx, sql`select from ${sql.table(table)} where ${sql.ref(time)} = ${oldest} for update`)
        locked.resolve()
        await release.promise
      })
      await locked.promise
      await work()
      release.resolve()
      await holding
      expect(new Set(await left())).toEqual(new Set([...young, DAYS * 2 * 24]))
    }
    await work()
    expect(await left()).toEqual(young)
  },
)
