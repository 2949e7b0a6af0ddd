import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addKey, encryptionOf, forgetOldKeys, purposeOf } from '../../src/encryption/encryption.ts'
import { ready, run, start } from './program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PURPOSE = purposeOf({ table: 'auth_sources', column: 'account_password' })
const place = () => ({ encryptionKeyFile: join(folder, 'keys/encryption.key'), databaseUrl: null, dataDir: folder })

test('a secret can be read again, and only as it was written', () => {
  const encryption = encryptionOf(place())
  const stored = encryption.encrypt('hush, ümlaut', PURPOSE)
  expect(stored).not.toContain('hush')
  expect(encryption.decrypt(stored, PURPOSE)).toBe('hush, ümlaut')
  expect(encryption.encrypt('hush, ümlaut', PURPOSE)).not.toBe(stored)
  const [name = '', sealed = '', format = ''] = stored.split('.')
  const changed = `${sealed.slice(0, -2)}${sealed.at(-2) === 'A' ? 'B' : 'A'}${sealed.slice(-1)}`
  for (const other of [[name, changed, format], [name, sealed], [name, sealed, '1'], [name]])
    expect(() => encryption.decrypt(other.join('.'), PURPOSE), other.join('.')).toThrow()
})

test('the key file is made for its owner alone', () => {
  encryptionOf(place())
  expect(statSync(place().encryptionKeyFile).mode & 0o777).toBe(0o600)
})

test('a process follows a rotation, and what the key before encrypted stays readable', () => {
  const running = encryptionOf(place())
  const before = running.encrypt('first', PURPOSE)
  addKey(place().encryptionKeyFile)
  const after = running.encrypt('second', PURPOSE)
  expect(after.split('.')[0]).not.toBe(before.split('.')[0])
  expect([running.decrypt(before, PURPOSE), running.decrypt(after, PURPOSE)]).toEqual(['first', 'second'])
  addKey(place().encryptionKeyFile)
  forgetOldKeys(place().encryptionKeyFile)
  expect(running.decrypt(after, PURPOSE)).toBe('second')
  expect(() => running.decrypt(before, PURPOSE)).toThrow('not in the key file')
})

test('millwright keys rotate encrypts stored passwords anew; none of them is in the database in clear', async () => {
  const password = 'a password for the test'
  const program = start(['--port', '0'], folder, { MILLWRIGHT_ADMIN_PASSWORD: password, MILLWRIGHT_LOG_LEVEL: 'warn' })
  const address = await ready(program)
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const answer = await fetch(`${address}/api/auth_source_ldaps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({
      name: 'corp',
      host: 'ldap.example.test',
      account: 'cn=svc',
      account_password: 'hush-hush-hush',
    }),
  })
  expect(await answer.text()).not.toContain('hush')
  expect(answer.status).toBe(201)
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  const proxy = await fetch(`${address}/api/smart_proxies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ name: 'site', url: 'http://127.0.0.1:1', runner: 'ssh', ssh_key: pem }),
  })
  expect(proxy.status).toBe(201)
  const whileItRuns = await run(['doctor', 'directory', 'corp'], folder)
  expect(whileItRuns.stdout).toContain('Directory corp, ldap.example.test')
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  const file = join(folder, 'data/encryption.key')
  const keys = readFileSync(file, 'utf8')
  expect(await run(['keys', 'rotate'], folder)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 stored secrets are encrypted with it'),
  })
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
  expect(readFileSync(file, 'utf8')).toContain(keys)
  expect((await run(['doctor', 'directory', 'corp'], folder)).stdout).toContain('Directory corp, ldap.example.test')
  const other = await run(['--port', '0', '--encryption-key-file', 'other.key'], folder)
  expect(other).toMatchObject({ code: 1, stdout: '' })
  const right = `${hostname()} as ${file}. Use that file`
  expect(other.stderr).toContain(`There is no file ${join(folder, 'other.key')} of encryption keys`)
  expect(other.stderr).toContain(right)
  expect(existsSync(join(folder, 'other.key'))).toBe(false)
  expect(await run(['keys', 'rotate', '--encryption-key-file', 'other.key'], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(right),
  })
  const examine = () => run(['doctor', 'directory', 'corp', '--encryption-key-file', 'other.key'], folder)
  expect(await examine()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(right) })
  expect(existsSync(join(folder, 'other.key'))).toBe(false)
  addKey(join(folder, 'other.key'))
  const foreign = await examine()
  expect(foreign).toMatchObject({ code: 1, stdout: '' })
  expect(foreign.stderr).toContain(`The encryption keys in ${join(folder, 'other.key')} are not those of this database`)
  expect(foreign.stderr).toContain(right)
  expect(foreign.stderr).not.toContain('While the service runs')
}, 240_000)
