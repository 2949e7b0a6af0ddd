import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { ready, run, start } from '../cli/program.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'

test('a backup whose process is killed in the middle of it is made again by another process, and metrics and events say how it went', async () => {
  await using place = await emptyDatabaseUrl()
  const folder = mkdtempSync(join(tmpdir(), 'millwright-killed-job-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: place.url,
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
    MILLWRIGHT_METRICS_TOKEN: 'a token of the metrics',
  }
  const serve = (directory: string) => {
    const program = start(['--port', '0', '--data-dir', 'data', '--backup-directory', directory], folder, env)
    onTestFinished(() => void program.process.kill('SIGKILL'))
    return program
  }
  const resultOf = async (address: string) => {
    const answer = await fetch(`${address}/metrics`, { headers: { authorization: 'Bearer a token of the metrics' } })
    return /^millwright_job_last_failed\{.*job="backup".*\} (\d)$/m.exec(await answer.text())?.[1]
  }
  expect(await run(['migrate', '--data-dir', 'data'], folder, env)).toMatchObject({ code: 0 })
  await using database = await connect(testConfig({ url: place.url }), quiet)
  const { db } = database
  await sql`insert into timed_jobs (name, due_at) values ('backup', now() - interval '1 second')`.execute(db)
  const jobOf = () =>
    row<{ began: string; isRunning: boolean }>(
      db,
      sql`select began_at::text as began, running_until > now() as "isRunning" from timed_jobs where name = 'backup'`,
    )
  const files = () => readdirSync(join(folder, 'backups'))

  // What it comes to in the middle is locked, so that it is there when it is killed.
  const held = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await sql`lock table ssh_keys in access exclusive mode`.execute(tx)
    await held.promise
  })
  const first = serve('backups')
  await ready(first)
  await vi.waitFor(() => expect(files()).toEqual([expect.stringMatching(/\.backup\.unfinished$/)]), 60_000)
  first.process.kill('SIGKILL')
  await first.ended
  held.resolve()
  await holding
  const begun = await jobOf()
  expect(begun?.isRunning).toBe(true)
  const [abandoned = ''] = files()

  // Until twenty minutes are over, the first one may still be at it.
  const second = serve('backups')
  await ready(second)
  expect(await jobOf()).toEqual(begun)
  second.process.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  await sql`update timed_jobs set running_until = now() - interval '1 second', due_at = now() - interval '1 second'
    where name = 'backup'`.execute(db)
  const long = new Date(Date.now() - 2 * 60 * 60_000)
  utimesSync(join(folder, 'backups', abandoned), long, long)
  const third = serve('backups')
  const address = await ready(third)
  await vi.waitFor(() => expect(third.stderr()).toContain('"job":"backup","milliseconds"'), 60_000)
  expect(files()).toEqual([expect.stringMatching(/^millwright-\w+\.backup$/)])
  expect(third.stderr()).toMatch(/"file":"millwright-\w+\.backup","keys":"left out","msg":"backup made"/)
  await vi.waitFor(async () => expect(await resultOf(address)).toBe('0'), 60_000)
  expect(await run(['backup', 'verify', join('backups', files()[0] ?? '')], folder, {})).toMatchObject({ code: 0 })
  third.process.kill('SIGTERM')
  expect(await third.ended).toBe(0)

  // One that fails says so, too.
  writeFileSync(join(folder, 'file'), '')
  await sql`update timed_jobs set due_at = now() - interval '1 second' where name = 'backup'`.execute(db)
  const fourth = serve('file')
  const failing = await ready(fourth)
  await vi.waitFor(async () => expect(await resultOf(failing)).toBe('1'), 60_000)
  expect(fourth.stderr()).toMatch(/"job":"backup".*"msg":"job failed"/)
}, 300_000)
