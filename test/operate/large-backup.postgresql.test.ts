import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { run } from '../cli/program.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'

// A process whose heap may not become larger than this ends when it holds more.
const HEAP_MIB = 96
const RECORDS = 320
const CHARACTERS = 512 * 1024

test('a backup is made, and restored, by processes that may hold much less than what is in it', async () => {
  expect((RECORDS * CHARACTERS) / 1024 / 1024).toBeGreaterThan(1.5 * HEAP_MIB)
  await using from = await emptyDatabaseUrl()
  await using to = await emptyDatabaseUrl()
  const folder = mkdtempSync(join(tmpdir(), 'millwright-large-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const limited = (words: string[], url: string) =>
    run([...words, '--data-dir', 'data'], folder, {
      DATABASE_URL: url,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    })
  expect(await limited(['migrate'], from.url)).toMatchObject({ code: 0 })
  await using database = await connect(testConfig({ url: from.url }), quiet)
  await sql`insert into ptables (name, layout)
    select 'large-' || n, repeat(md5(n::text), ${CHARACTERS / 32}::int) from generate_series(1, ${RECORDS}::int) n`.execute(
    database.db,
  )
  expect(await limited(['backup', 'large.backup', '--without-keys'], from.url)).toMatchObject({ code: 0, stderr: '' })
  expect(await limited(['restore', 'large.backup'], to.url)).toMatchObject({ code: 0, stderr: '' })
  await using restored = await connect(testConfig({ url: to.url }), quiet)
  const found = await sql`select count(*)::int as count, sum(length(layout))::float8 as characters from ptables
    where name like 'large-%'`.execute(restored.db)
  expect(found.rows).toEqual([{ count: RECORDS, characters: RECORDS * CHARACTERS }])
}, 300_000)
