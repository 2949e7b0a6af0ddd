import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf, resultsOf } from '../../src/lib/values.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { ready, run, start } from './program.ts'

let folder: string
let place: NonNullable<Awaited<ReturnType<typeof testDatabaseUrl>>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-lost-key-'))
  const made = await testDatabaseUrl()
  place = made
})
afterAll(async () => {
  await place?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const authorization = `Basic ${btoa('admin:correct horse')}`
const headers = { authorization, 'content-type': 'application/json' }

async function ask(address: string, path: string, body?: object, method = body ? 'POST' : 'GET') {
  const response = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: await response.json() }
}

test('a lost key is given up: what it had encrypted is gone and named, all else is there', async () => {
  const env = { DATABASE_URL: place.url, MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_LOG_LEVEL: 'error' }
  const giveUp = (name: string, file = 'found.key') =>
    run(['keys', 'give-up', name, '--encryption-key-file', file], folder, env)
  const program = start(['--port', '0', '--encryption-key-file', 'lost.key'], folder, env)
  const address = await ready(program)
  const secret = { host: 'ldap.example.test', account: 'svc', account_password: 'hush-hush' }
  const { body: directory } = await ask(address, '/api/auth_source_ldaps', { name: 'corp', ...secret })
  await ask(address, '/api/auth_source_ldaps', { name: 'open', host: 'ldap.example.test' })
  await ask(address, '/api/common_parameters', { name: 'hidden', value: 'hush-hush', hidden_value: true })
  await ask(address, '/api/common_parameters', { name: 'shown', value: 'mw:sealed:1:00000000.AAAA.2' })
  await ask(address, '/api/hostgroups', { name: 'web', root_pass: 'hush-hush' })

  const { stderr } = await run(['--port', '0', '--encryption-key-file', 'found.key'], folder, env)
  const [, name = ''] = /`millwright keys give-up (\S+)` drops them/.exec(stderr) ?? []
  expect(name).not.toBe('')
  const served = 'The service runs on this database: where it does, the key is not lost'
  expect(await giveUp(name)).toMatchObject({ code: 1, stdout: '', stderr: `millwright: ${served}\n` })
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)

  await using client = await openClient()
  const before = await client.query('select * from encryption_keys')
  const is = `The key ${name} was in ${join(folder, 'lost.key')}, which is there: name that file`
  expect((await giveUp(name)).stderr).toContain(is)
  expect((await giveUp(name, 'lost.key')).stderr).toContain(
    `The key ${name} is in ${join(folder, 'lost.key')}: nothing`,
  )
  rmSync(join(folder, 'lost.key'))
  expect((await giveUp('another')).stderr).toContain(`are encrypted with the key ${name}, not another`)
  expect((await client.query('select * from encryption_keys')).rows).toEqual(before.rows)
  expect(() => readFileSync(join(folder, 'found.key'))).toThrow('ENOENT')

  const sealed = `'${name}.sealed'`
  await client.query(
    `insert into certificate_authorities (purpose, certificate, key) values ('identity', 'x', ${sealed})`,
  )
  await client.query(`insert into tasks (kind, action) values ('request', 'PUT /api/hosts')`)
  await client.query(`insert into deferred_requests (task_id, request) select id, ${sealed} from tasks`)
  const given = await giveUp(name)
  expect(given).toMatchObject({ code: 0, stderr: '' })
  expect(given.stdout.split('\n').slice(1, -1).toSorted()).toEqual([
    '  auth_source_ldaps.account_password: corp',
    '  certificate_authorities.key: 1',
    '  deferred_requests.request: 1',
    '  hostgroups.root_pass: web',
    '  parameters.value: hidden',
  ])
  expect((await client.query('select request from deferred_requests')).rows).toEqual([{ request: null }])
  expect((await client.query('select from certificate_authorities')).rowCount).toBe(0)

  const again = start(['--port', '0', '--encryption-key-file', 'found.key'], folder, env)
  const there = await ready(again)
  const shown = await ask(there, '/api/auth_source_ldaps/corp')
  expect(shown).toMatchObject({ status: 200, body: { id: idOf(directory), account: 'svc' } })
  const { body: audits } = await ask(there, `/api/audits?search=type+%3D+auth_source+and+action+%3D+update`)
  expect(resultsOf(audits)).toMatchObject([
    { auditable_name: 'corp', audited_changes: { account_password: ['[redacted]', null] } },
  ])
  const anew = await ask(there, '/api/auth_source_ldaps/corp', secret, 'PUT')
  expect(anew.status).toBe(200)
  again.process.kill('SIGTERM')
  expect(await again.ended).toBe(0)
  const rotated = await run(['keys', 'rotate', '--encryption-key-file', 'found.key'], folder, env)
  expect(rotated.stdout).toContain('1 stored secrets are encrypted with it')
}, 240_000)

async function openClient() {
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
