import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { run } from '../cli/program.ts'
import { basic, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { openHere } from './here.ts'

let here: TestApi
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  const opened = await openHere(folder)
  here = opened.api
  env = opened.env
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
})

const callSample = (...words: string[]) => run(['sample', ...words, '--json'], folder, env)

async function count(path: string, search = ''): Promise<number> {
  const { status, body } = await here.admin.get(`${path}?per_page=1&search=${encodeURIComponent(search)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.subtotal
}

/** The tables that the sample fills, with their numbers of rows. */
async function countRows() {
  const tables = ['organizations', 'locations', 'hosts', 'hostgroups', 'operatingsystems', 'models', 'config_runs']
  tables.push('config_reports', 'activation_keys', 'configclasses', 'override_values', 'domains', 'imported_records')
  tables.push('usergroups', 'templates', 'host_collection_hosts')
  const counts = await Promise.all(
    tables.map(async (name) => [name, (await rows(here.database.db, sql`select from ${sql.table(name)}`)).length]),
  )
  return Object.fromEntries(counts)
}

test('sample data are loaded once, can be looked at, and are removed as a whole but for what somebody changed', {
  timeout: 240_000,
}, async () => {
  const before = await countRows()
  const { body: debian } = await here.admin.post('/api/operatingsystems', {
    name: 'Debian',
    major: '12',
    release_name: 'bookworm',
  })
  const refused = await here.admin.post('/api/sample', {})
  expect(refused.status).toBe(409)
  expect(refused.text).toMatch(/this server has already: operatingsystem Debian 12\. Rename or delete/)
  expect(await count('/api/organizations')).toBe(before.organizations)
  await here.admin.delete(`/api/operatingsystems/${debian.id}`)

  const loaded = await callSample()
  expect(loaded.code, loaded.stderr).toBe(0)
  expect(JSON.parse(loaded.stdout)).toMatchObject({ left: 0 })
  expect(await count('/api/hosts')).toBe(300)
  expect(await count('/api/hosts', 'global_status = error')).toBeGreaterThan(3)
  expect(await count('/api/hosts', 'facts.kernel = Linux and environment = production')).toBe(240)
  expect(await count('/api/config_reports')).toBeGreaterThan(2000)
  expect(await count('/api/config_runs', 'status = failed')).toBeGreaterThan(3)
  const { body: web } = await here.admin.get('/api/hosts/web01.harbour.example/enc')
  expect(web.data.classes.nginx.worker_processes).toBe(16)
  expect(web.data.parameters).toMatchObject({ backup: 'daily' })
  expect(await count('/api/hosts', 'host_collection = "Web servers"')).toBe(108)
  const { body: host } = await here.admin.get('/api/hosts/db01.summit.example')
  expect(host.owner_name).toBe('Databases')
  const { body: systems } = await here.admin.get('/api/operatingsystems')
  expect(systems.total).toBe(8)
  for (const { title } of systems.results)
    expect(await count('/api/hosts', `os_title = "${title}"`), title).toBeGreaterThan(10)
  expect(host.uptime_seconds).toBeGreaterThan(0)

  // The same once more, as the console asks for it.
  const again = await here.admin.post('/api/sample', {})
  expect(again.body).toEqual({ created: 0, left: JSON.parse(loaded.stdout).created })
  const reader = await given(here.admin, 'user', { login: 'reader', password: 'correct horse staple' })
  const { status } = await here.as({ authorization: basic('reader', 'correct horse staple') }).post('/api/sample', {})
  expect(status).toBe(403)
  await here.admin.delete(`/api/users/${reader.id}`)

  await here.admin.put('/api/models/KVM', { model: { info: 'ours' } })
  const removed = await callSample('remove')
  expect(JSON.parse(removed.stdout), removed.stderr).toMatchObject({
    kept: [{ kind: 'model', record: 'KVM', reason: 'somebody has changed it since the import' }],
  })
  await here.admin.delete('/api/models/KVM')
  expect((await callSample('remove')).code).toBe(0)
  expect(await countRows()).toEqual(before)
})
