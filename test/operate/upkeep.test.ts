import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-upkeep-'))
  api = await openTestApi({ env: { MILLWRIGHT_BACKUP_DIRECTORY: folder, MILLWRIGHT_BACKUP_KEEP: '2' } })
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const work = (name: string) => api.jobs.find((job) => job.name === name)?.work(new AbortController().signal)

test('audits are kept for ever, or for as many days as the setting says', async () => {
  const { db } = api.database
  await api.admin.post('/api/architectures', { architecture: { name: 'old' } })
  await sql`update audits set created_at = now() - interval '40 days'`.execute(db)
  await api.admin.post('/api/architectures', { architecture: { name: 'new' } })
  const names = async () =>
    (await api.admin.get('/api/audits?search=type+%3D+architecture')).body.results.map(
      (audit: { auditable_name: string }) => audit.auditable_name,
    )
  await work('delete_old_audits')
  expect(await names()).toEqual(['new', 'old'])
  const refused = await api.admin.put('/api/settings/audits_keep', { setting: { value: -1 } })
  expect(refused.status).toBe(422)
  await api.admin.put('/api/settings/audits_keep', { setting: { value: 30 } })
  await work('delete_old_audits')
  expect(await names()).toEqual(['new'])
})

test('backups of every night are made, the oldest removed, and other files left alone', async () => {
  const before = ['millwright-20200101T020700Z.backup', 'millwright-20200102T020700Z.backup', 'notes.txt']
  for (const name of before) writeFileSync(join(folder, name), '')
  await work('backup')
  const names = readdirSync(folder).sort()
  expect(names).toHaveLength(3)
  expect(names).toEqual(expect.arrayContaining(['millwright-20200102T020700Z.backup', 'notes.txt']))
  expect(readFileSync(join(folder, names[1] ?? '')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
})

/** Old rows, as many as two steps of the job delete, and how many of them and of a new one are left. */
const OVER: readonly (readonly [
  job: string,
  setting: string,
  keep: number,
  table: string,
  columns: string,
  values: string,
])[] = [
  ['delete_old_config_runs', 'configrun_keep', 4, 'config_runs', 'host_name, status, finished_at', `'x', 'failed', $1`],
  [
    'delete_old_tasks',
    'tasks_keep',
    4,
    'tasks',
    'kind, action, state, result, ended_at',
    `'x', 'x', 'stopped', 'success', $1`,
  ],
  [
    'delete_old_audits',
    'audits_keep',
    4,
    'audits',
    'action, auditable_type, auditable_id, audited_changes, version, created_at',
    `'create', 'X', 1, '{}', 1, $1`,
  ],
  [
    'delete_idle_sessions',
    'idle_timeout',
    4 * 24 * 60,
    'sessions',
    'user_id, token, csrf, last_seen_at',
    `(select min(id) from users), uuid_send(gen_random_uuid()), '', $1`,
  ],
]

test.each(OVER)(
  '%s goes on until nothing is left that is older than %s',
  async (job, setting, keep, table, columns, values) => {
    const { db } = api.database
    await sql.raw(`delete from ${table}`).execute(db)
    const add = (days: number, count: number) =>
      sql
        .raw(
          `insert into ${table} (${columns}) select ${values.replace('$1', `now() - interval '${days} days'`)} from generate_series(1, ${count})`,
        )
        .execute(db)
    await add(5, 1001)
    await add(3, 2)
    expect((await api.admin.put(`/api/settings/${setting}`, { setting: { value: keep } })).status).toBe(200)
    await work(job)
    const left = await row<{ old: number; new: number }>(
      db,
      sql.raw(`select count(*) filter (where age > 4)::int as old, count(*) filter (where age < 4)::int as new
      from (select extract(day from now() - ${columns.split(', ').at(-1)}) as age from ${table}) ages`),
    )
    expect(left?.old).toBe(0)
    expect(left?.new).toBeGreaterThanOrEqual(2)
  },
)
