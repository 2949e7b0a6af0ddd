import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

const BEFORE_AND_AFTER = [
  ['https://admin:s3cret@cloud.example.test/v3', 'https://admin:*****@cloud.example.test/v3'],
  ['qemu+ssh://root:a@b:c@kvm.example.test/system', 'qemu+ssh://root:*****@kvm.example.test/system'],
  ['admin:s3cret@cloud.example.test', 'admin:*****@cloud.example.test'],
  ['https://cloud.example.test:5000/v3/a@b', 'https://cloud.example.test:5000/v3/a@b'],
  ['qemu+ssh://root@kvm.example.test/system', 'qemu+ssh://root@kvm.example.test/system'],
] as const

test('passwords in the URLs of compute resources are masked by the upgrade, also in audits', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const urls = BEFORE_AND_AFTER.map(([before]) => before)
  await sql`insert into compute_resources (name, provider, url) values ('blank', 'Any', null)`.execute(db)
  await sql`insert into compute_resources (name, provider, url)
    select n::text, 'Any', u from unnest(${urls}::text[]) with ordinality as x (u, n)`.execute(db)
  const write = (type: string, changes: object) =>
    sql`insert into audits (action, auditable_type, auditable_id, audited_changes, version)
      values ('update', ${type}, 1, ${JSON.stringify(changes)}::jsonb, 1)`.execute(db)
  const first = BEFORE_AND_AFTER[0]
  await write('ComputeResource', { url: first[0], name: 'a' })
  await write('ComputeResource', { url: [null, first[0]] })
  await write('ComputeResource', { url: [first[0], 'https://plain.example.test'] })
  await write('ComputeResource', { url: null })
  await write('ComputeResource', { name: ['a', 'b'] })
  await write('Medium', { url: first[0] })
  const file = readdirSync(FOLDER).find((name) => name.endsWith('-passwords-in-urls.sql')) ?? ''
  for (const statement of readFileSync(new URL(file, FOLDER), 'utf8').split(';')) {
    if (/^\w/m.test(statement.replaceAll(/^--.*$/gm, ''))) await sql.raw(statement).execute(db)
  }
  const found = await rows<{ url: string }>(db, sql`select url from compute_resources order by id`)
  expect(found.map(({ url }) => url)).toEqual([null, ...BEFORE_AND_AFTER.map(([, after]) => after)])
  const audits = await rows<{ changes: object }>(db, sql`select audited_changes as changes from audits order by id`)
  expect(audits.map(({ changes }) => changes)).toEqual([
    { url: first[1], name: 'a' },
    { url: [null, first[1]] },
    { url: [first[1], 'https://plain.example.test'] },
    { url: null },
    { name: ['a', 'b'] },
    { url: first[0] },
  ])
})
