import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { type Program, ready, run, start } from '../cli/program.ts'
import { postgresqlBinaries, startTestServer } from '../support/postgresql.ts'
import { quiet, testConfig } from '../support/settings.ts'

test('doctor says of each replica whether it is there, follows the right server, keeps up, and has the same schema', async () => {
  const binaries = postgresqlBinaries()
  if (!binaries) throw new Error('This test makes a primary and a standby: it needs the PostgreSQL binaries')
  await using primary = await startTestServer(binaries)
  await using standby = await startTestServer(binaries, { primary })
  await using stranger = await startTestServer(binaries)
  await using elsewhere = await startTestServer(binaries, { primary: stranger })
  const folder = mkdtempSync(join(tmpdir(), 'millwright-replicas-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const DATABASE_URL = primary.urlOf('postgres')
  const doctor = (...replicas: string[]) =>
    run(['doctor'], folder, { DATABASE_URL, MILLWRIGHT_REPLICA_URLS: replicas.join(', ') })
  expect(await run(['migrate'], folder, { DATABASE_URL })).toMatchObject({ code: 0 })

  const nowhere = 'postgresql://millwright:my-secret-word@/postgres?host=%2Fnowhere'
  const found = await doctor(...[standby, primary, elsewhere].map((each) => each.urlOf('postgres')), nowhere)
  expect(found.code).toBe(1)
  const said = (mark: string, folder: string, what: string) =>
    new RegExp(`^${mark} +Replica ${folder}\\n +${what.replaceAll(' ', '\\s+')}`, 'm')
  expect(found.stdout).toMatch(said('ok', standby.folder, 'It is a standby with the same schema, and had everything'))
  expect(found.stdout).toMatch(said('FAILED', primary.folder, 'It follows no other server'))
  expect(found.stdout).toMatch(said('FAILED', elsewhere.folder, 'It follows a server that is not the one'))
  expect(found.stdout).toMatch(said('FAILED', '/nowhere', 'It cannot be asked: '))
  expect(found.stdout).not.toContain('my-secret-word')

  await using onStandby = await connect(testConfig({ url: standby.urlOf('postgres') }), quiet)
  await using onPrimary = await connect(testConfig({ url: DATABASE_URL }), quiet)
  await sql`select pg_wal_replay_pause()`.execute(onStandby.db)
  await sql`create table late as select generate_series(1, 100000)`.execute(onPrimary.db)
  const late = await doctor(standby.urlOf('postgres'))
  expect(late.stdout).toMatch(said('warning', standby.folder, 'It lacks what the primary had \\d'))
  expect(late.stdout).toMatch(/\d MiB\s+of\s+the\s+log\s+are\s+missing/)
  expect(late.stdout).toContain('pg_wal_replay_resume')
}, 300_000)

test('a replica that cannot be reached is one event after a while, and one once it is read from again; lists are answered all the time', async () => {
  const binaries = postgresqlBinaries()
  if (!binaries) throw new Error('This test makes a primary and a standby: it needs the PostgreSQL binaries')
  await using primary = await startTestServer(binaries)
  await using standby = await startTestServer(binaries, { primary })
  const folder = mkdtempSync(join(tmpdir(), 'millwright-replicas-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const nowhere = 'postgresql://millwright:my-secret-word@/postgres?host=%2Fnowhere'
  const program = start(['--port', '0', '--data-dir', '.'], folder, {
    DATABASE_URL: primary.urlOf('postgres'),
    MILLWRIGHT_REPLICA_URLS: `${standby.urlOf('postgres')}, ${nowhere}`,
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
    MILLWRIGHT_PASSWORD_MEMORY: '8',
  })
  onTestFinished(() => void program.process.kill('SIGKILL'))
  const address = await ready(program)
  const headers = { authorization: `Basic ${btoa('admin:correct horse')}` }
  const list = async () => (await fetch(`${address}/api/architectures`, { headers })).status
  /** Lists until the log has told all of this of the two replicas. */
  const listUntil = (...told: string[]) =>
    vi.waitFor(
      async () => {
        expect(await list()).toBe(200)
        expect(toldOfReplicas(program)).toEqual(told)
      },
      { timeout: 60_000, interval: 200 },
    )
  const away = 'the replica is not read from'
  await listUntil(`${away}: /nowhere away ENOENT`)
  await standby.stop('crash')
  const both = [`${away}: /nowhere away ENOENT`, `${away}: ${standby.folder} away ENOENT`]
  await listUntil(...both)
  for (let time = 0; time < 20; time++) expect(await list()).toBe(200)
  expect(toldOfReplicas(program)).toEqual(both)
  await standby.start()
  await listUntil(...both, `the replica is read from again: ${standby.folder}`)
  expect(program.stderr()).not.toContain('my-secret-word')
}, 300_000)

/** Lists what the log has told of replicas: the event, which one, and why. */
function toldOfReplicas(program: Program): string[] {
  const lines = program.stderr().matchAll(/^\{.*"msg":"the replica .*\}$/gm)
  const events = Array.from(lines, ([line]) => JSON.parse(line) as Record<string, string> & { err?: { code: string } }) // what pino writes
  return events.map(({ msg, replica, look, err }) => [`${msg}: ${replica}`, look, err?.code].filter(Boolean).join(' '))
}
