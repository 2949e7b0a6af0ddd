import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ready, run, start } from '../cli/program.ts'
import { testDatabaseUrl } from '../support/database.ts'

test('beside a running service doctor looks at its database, and support writes what a helper wants to know without secrets', async () => {
  const server = await testDatabaseUrl()
  if (server) onTestFinished(server.drop)
  const folder = mkdtempSync(join(tmpdir(), 'millwright-support-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    ...(server && { DATABASE_URL: server.url }),
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
    MILLWRIGHT_METRICS_TOKEN: 'a token of the metrics',
  }
  const program = start(['--port', '0', '--data-dir', 'data'], folder, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  const address = await ready(program)
  const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'an-architecture-of-ours' })
  expect((await fetch(`${address}/api/architectures`, { method: 'POST', headers, body })).status).toBe(201)

  const beside = (...words: string[]) => run([...words, '--data-dir', 'data'], folder, env)
  const doctor = await beside('doctor')
  expect(doctor.stdout).toMatch(/^ok +Database\n +It answers: PostgreSQL \d+/m)
  expect(doctor.stdout).toMatch(/^ok +Schema$/m)
  expect(doctor.code).toBe(0)

  expect(await beside('support', 'report.json')).toMatchObject({ code: 0, stderr: '' })
  const file = join(folder, 'report.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  for (const secret of ['correct horse', 'a token of the metrics', 'an-architecture-of-ours', server?.url])
    if (secret) expect(text).not.toContain(secret)
  const report = JSON.parse(text)
  expect(report.configuration).toContainEqual(
    expect.objectContaining({ key: 'metrics-token', value: '(secret)', from: 'MILLWRIGHT_METRICS_TOKEN' }),
  )
  expect(report.findings).toContainEqual(expect.objectContaining({ about: 'Schema', status: 'ok' }))
  expect(report.database.kind).toBe('postgresql')
  expect(report.database.tables).toContainEqual(expect.objectContaining({ name: 'hosts', bytes: expect.any(Number) }))
  expect(report.database.settings).toContainEqual(expect.objectContaining({ name: 'max_connections' }))

  const again = await beside('support', 'report.json')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('report.json exists already') })
  const nowhere = await beside('support', 'no/such/report.json')
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no/such/report.json') })
}, 240_000)

test('a database that cannot be asked is named in the report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-support-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: 'postgresql://who:hunter2@127.0.0.1:1/nothing' }
  expect((await run(['support', 'report.json'], folder, env)).code).toBe(0)
  const text = readFileSync(join(folder, 'report.json'), 'utf8')
  expect(text).not.toContain('hunter2')
  const report = JSON.parse(text)
  expect(report.database).toBeNull()
  expect(report.findings).toContainEqual(
    expect.objectContaining({ about: 'Database', status: 'failed', message: expect.stringContaining('127.0.0.1:1') }),
  )
}, 60_000)
