import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { encryptionOf, purposeOf } from '../../src/encryption/encryption.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { ready, run, start } from './program.ts'

const PASSWORD = purposeOf({ table: 'auth_sources', column: 'account_password' })
const place = await testDatabaseUrl()
const folder = mkdtempSync(join(tmpdir(), 'millwright-rotation-'))
afterAll(async () => {
  await place?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Encrypts as versions did that do not say what a value was made for. */
function sealAsBefore(keyFile: string, plain: string): string {
  const key = Buffer.from(readFileSync(keyFile, 'utf8').split('\n', 1)[0] ?? '', 'base64')
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${createHash('sha256').update(key).digest('hex').slice(0, 8)}.${sealed.toString('base64url')}`
}

test('keys are rotated beside running processes: whatever they store meanwhile can be read by all of them', async () => {
  const password = 'a password for the test'
  const keyFile = join(folder, 'encryption.key')
  const env = {
    DATABASE_URL: place.url,
    MILLWRIGHT_ENCRYPTION_KEY_FILE: keyFile,
    MILLWRIGHT_ADMIN_PASSWORD: password,
    MILLWRIGHT_LOG_LEVEL: 'warn',
  }
  const first = start(['--port', '0'], folder, env)
  const addresses = [await ready(first)]
  const second = start(['--port', '0'], folder, env)
  addresses.push(await ready(second))
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const send = async (address: string | undefined, method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization }
    const answer = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) })
    expect([200, 201], await answer.clone().text()).toContain(answer.status)
    return (await answer.json()) as { id: number }
  }
  const source = { host: 'ldap.example.test', account: 'cn=svc', account_password: 'first' }
  const names = ['a', 'b', 'c', 'd']
  const made = await Promise.all(
    names.map((name, at) => send(addresses[at % 2], 'POST', '/api/auth_source_ldaps', { name, ...source })),
  )
  const last = new Map(made.map(({ id }) => [id, 'first']))
  let rotated = false
  const writing = made.map(async ({ id }, at) => {
    for (let turn = 0; !rotated || turn < 5; turn++) {
      const account_password = `secret ${id} ${turn}`
      await send(addresses[(at + turn) % 2], 'PUT', `/api/auth_source_ldaps/${id}`, { account_password })
      last.set(id, account_password)
    }
  })
  for (let turn = 0; turn < 2; turn++) expect(await run(['keys', 'rotate'], folder, env)).toMatchObject({ code: 0 })
  rotated = true
  await Promise.all(writing)
  const encryption = encryptionOf({ encryptionKeyFile: keyFile, databaseUrl: place.url, dataDir: folder })
  await using database = await connect(testConfig({ url: place.url }), quiet)
  const stored = await rows<{ id: number; secret: string }>(
    database.db,
    sql`select id, account_password as secret from auth_sources where account_password is not null order by id`,
  )
  expect(new Map(stored.map(({ id, secret }) => [id, encryption.decrypt(secret, PASSWORD)]))).toEqual(last)
  for (const address of addresses) expect((await fetch(`${address}/readyz`)).status).toBe(200)

  const older = sealAsBefore(keyFile, 'of the version before')
  await sql`update auth_sources set account_password = ${older} where id = ${made[0]?.id}`.execute(database.db)
  expect(encryption.decrypt(older, PASSWORD)).toBe('of the version before')
  const parameter = { name: 'hidden', value: 'a hidden value', hidden_value: true }
  await send(addresses[0], 'POST', '/api/common_parameters', parameter)
  await send(addresses[0], 'POST', '/api/hostgroups', { name: 'group', root_pass: 'a long password' })
  await sql`update hostgroups set root_pass = '$6$salt$before'`.execute(database.db) // not encrypted yet
  expect(await run(['keys', 'rotate'], folder, env)).toMatchObject({ code: 0 })
  const [anew] = await rows<{ secret: string }>(
    database.db,
    sql`select account_password as secret from auth_sources where id = ${made[0]?.id}`,
  )
  expect(anew?.secret).toMatch(/\.2$/)
  expect(encryption.decrypt(anew?.secret ?? '', PASSWORD)).toBe('of the version before')
  const [sealed] = await rows<{ text: string }>(database.db, sql`select value #>> '{}' as text from parameters`)
  expect(sealed?.text.split('.')[0]).toBe(`mw:sealed:1:${encryption.marks()[0]?.name}`)
  const shown = await fetch(`${addresses[1]}/api/common_parameters?show_hidden=true`, { headers: { authorization } })
  expect(await shown.text()).toContain('a hidden value')
  for (const program of [first, second]) {
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
}, 240_000)
