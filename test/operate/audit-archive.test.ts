import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi } from '../support/api.ts'

test('audits and other events are archived by month before they are deleted; what cannot be archived is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const archive = join(folder, 'archive')
  await using api = await openTestApi({ env: { MILLWRIGHT_AUDIT_ARCHIVE: archive } })
  const { db } = api.database
  const runJob = (name: string) => api.jobs.find((job) => job.name === name)?.work(new AbortController().signal)
  const select = (table: string) =>
    rows<{ row: object }>(
      db,
      sql`select to_jsonb(t) as row from ${sql.table(table)} t where created_at < '2021-01-01' order by id`,
    )
  await api.admin.put('/api/settings/audits_keep', { setting: { value: 100 } })
  // More than one step, in two months.
  await rows(
    db,
    sql`insert into audits (action, auditable_type, auditable_id, audited_changes, version, created_at)
      select 'create', 'X', n, jsonb_build_object('name', 'Mühle ' || n), 1,
        case when n % 2 = 0 then '2020-02-29 23:59:59.5Z'::timestamptz else '2020-03-01 00:00Z' end
      from generate_series(1, 1500) n`,
  )
  await rows(
    db,
    sql`insert into event_notes (resource, action, record_id, created_at) values ('task', 'started', 7, '2020-03-02 00:00Z')`,
  )
  const [audits, notes] = [await select('audits'), await select('event_notes')]
  writeFileSync(archive, 'not a directory')
  await expect(runJob('delete_old_audits')).rejects.toThrow(archive)
  expect(await select('audits')).toEqual(audits)
  rmSync(archive)
  await runJob('delete_old_audits')
  await runJob('delete_old_events')
  expect([await select('audits'), await select('event_notes')]).toEqual([[], []])
  expect(readdirSync(archive).toSorted()).toEqual(['2020-02', '2020-03'])
  const files = ['2020-02', '2020-03'].flatMap((month) =>
    readdirSync(join(archive, month)).map((name) => join(archive, month, name)),
  )
  for (const file of files) expect(statSync(file).mode & 0o777, file).toBe(0o600)
  const read = (table: string) =>
    files
      .filter((file) => file.includes(`${table}-`))
      .flatMap((file) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n'))
      .map((line) => JSON.parse(line))
      .toSorted((one, other) => one.id - other.id)
  expect(read('audits')).toEqual(audits.map(({ row }) => row))
  expect(read('event_notes')).toEqual(notes.map(({ row }) => row))
})
