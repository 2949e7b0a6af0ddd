import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { run } from '../cli/program.ts'
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
