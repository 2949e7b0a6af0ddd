import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { execFileSync } from '../support/processes.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { run } from './program.ts'

test('doctor finds nothing wrong with what is in order, and names each thing that is not, with what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const doctor = (...args: string[]) => run(['doctor', '--data-dir', 'data', ...args], folder)
  expect(await doctor()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAILED +Database\n +there is no database in/m),
  })
  expect(existsSync(join(folder, 'data'))).toBe(false)
  const mistyped = await doctor()
  const advice =
    'What to do: Name the data directory of the service with --data-dir, or start the service once.'.replaceAll(
      ' ',
      '\\s+',
    )
  expect(mistyped.stdout).toMatch(
    new RegExp(`^warning +Disk\\n +There is no directory\\s+\\S+data\\.\\n +${advice}`, 'm'),
  )
  expect(mistyped.stdout).toMatch(
    new RegExp(`^FAILED +Database\\n +there is no database in\\s+\\S+data\\.\\n +${advice}`, 'm'),
  )
  expect(mistyped.stdout).not.toMatch(/MiB|docs\/faults/)
  expect(await run(['migrate', '--data-dir', 'data'], folder)).toMatchObject({ code: 0 })
  const healthy = await doctor()
  expect(healthy.code).toBe(0)
  for (const about of [
    'Disk',
    'Database',
    'Schema',
    'Clock',
    'Encryption keys',
    'Indexes',
    'Dead rows',
    'Queues',
    'Jobs',
  ])
    expect(healthy.stdout).toMatch(new RegExp(`^(?:ok|warning) +${about}$`, 'm'))
  expect(healthy.stdout).toMatch(/^ok +Schema$/m)

  const database = await connect(testConfig({ dataDir: join(folder, 'data') }), quiet)
  const inUse = await doctor()
  expect(inUse.stdout).toMatch(/^warning +Database\n +The data directory .* is in use by\s+process/m)
  const { db } = database
  await sql`insert into timed_jobs (name, due_at, ended_at, failed) values ('backup', now(), now(), true)`.execute(db)
  await sql`insert into tasks (kind, action, created_at) values ('x', 'x', now() - interval '1 hour')`.execute(db)
  await sql`update pg_index set indisvalid = false where indexrelid = 'tasks_ended_at_idx'::regclass`.execute(db)
  await database[Symbol.asyncDispose]()
  const made = ['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=x', '-days', '2', '-nodes']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...made], { stdio: 'ignore', cwd: folder })
  const mistaken = await run(['doctor', '--data-dir', 'data'], folder, { MILLWRIGHT_PROT: '1' })
  expect(mistaken.stdout).toMatch(/^warning +Configuration\n +.*MILLWRIGHT_PROT/m)
  const ill = await doctor('--tls-certificate', 'cert.pem', '--tls-key', 'key.pem')
  expect(ill.code).toBe(1)
  expect(ill.stdout).toMatch(/^warning +Certificate .*cert\.pem\n +It ends in [12] days\./m)
  expect(ill.stdout).toMatch(
    /^FAILED +Indexes\n.*tasks_ended_at_idx\.\n +Run in psql: reindex index tasks_ended_at_idx;/m,
  )
  expect(ill.stdout).toMatch(/^warning +Queues\n.*tasks: 1 waiting, 0 running/m)
  expect(ill.stdout).toMatch(/^warning +Jobs\n.*: backup\./m)
}, 240_000)
