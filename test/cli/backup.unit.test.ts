import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawn } from '../support/processes.ts'
import { openFeedReader } from './feed-reader.ts'
import { PROGRAM, type Program, programOf, ready, run, start } from './program.ts'

const PASSWORD = 'a password for the test'
const PASSPHRASE = { MILLWRIGHT_BACKUP_PASSPHRASE: 'correct horse battery' }
const quietly = { MILLWRIGHT_LOG_LEVEL: 'error', MILLWRIGHT_ADMIN_PASSWORD: PASSWORD }
const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`
let folder: string
let program: Program
let address: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-backup-'))
  program = start(['--port', '0'], folder, quietly)
  address = await ready(program)
  const { status } = await fetch(`${address}/api/auth_source_ldaps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ name: 'corp', host: 'ldap.example.test', account: 'svc', account_password: 'hush-hush' }),
  })
  expect(status).toBe(201)
}, 120_000)
afterAll(async () => {
  program?.process.kill('SIGTERM')
  await program?.ended
  rmSync(folder, { recursive: true, force: true })
})

const done = async (words: string[], env = {}) => {
  const { code, stdout, stderr } = await run(words, folder, { ...quietly, ...env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}
const refused = async (words: string[], env = {}) => {
  const { code, stdout, stderr } = await run(words, folder, { ...quietly, ...env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr
}

test('a backup of a running service is restored elsewhere, with keys that a passphrase opens; readers of events go on', async () => {
  const reader = await openFeedReader(address, authorization)
  for (const name of ['read-here', 'not-yet-read']) await reader.write(address, name)
  expect(await reader.read(address, 1)).toEqual(['read-here'])
  expect(await refused(['backup', 'all.backup'])).toContain('set MILLWRIGHT_BACKUP_PASSPHRASE')
  expect(await done(['backup', 'all.backup'], PASSPHRASE)).toBe('The backup is in all.backup.\n')
  expect(statSync(join(folder, 'all.backup')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(folder, 'data/snapshot'))).toBe(false)
  expect(await refused(['backup', 'all.backup'], PASSPHRASE)).toContain('all.backup exists already')
  expect(await done(['backup', 'verify', 'all.backup'])).toMatch(
    /^\d+ rows of \d+ tables, made by .*: all as they were/,
  )

  expect(await refused(['restore', 'no.backup', '--data-dir', 'other'])).toBe(
    'millwright: there is no file no.backup\n',
  )
  expect(await refused(['backup', 'no/all.backup'], PASSPHRASE)).toContain(`there is no folder ${join(folder, 'no')}`)

  const there = ['restore', 'all.backup', '--data-dir', 'other']
  const wrong = { MILLWRIGHT_BACKUP_PASSPHRASE: 'another passphrase' }
  expect(await refused(there, wrong)).toContain('The passphrase is not the one that the backup was made with')
  expect(existsSync(join(folder, 'other'))).toBe(false)
  expect(await done(there, PASSPHRASE)).toContain('restored')
  const keys = (directory: string) => readFileSync(join(folder, directory, 'encryption.key'), 'utf8')
  expect(keys('other')).toBe(keys('data'))
  expect(await refused(there, PASSPHRASE)).toContain('The database to restore into is not empty')
  expect((await run(['doctor', 'directory', 'corp', '--data-dir', 'other'], folder, quietly)).stdout).toContain('corp')
  const restored = start(['--port', '0', '--data-dir', 'other'], folder, quietly)
  const newAddress = await ready(restored)
  await reader.write(newAddress, 'written-there')
  expect(await reader.read(newAddress, 2)).toEqual(['not-yet-read', 'written-there'])
  restored.process.kill('SIGTERM')
  expect(await restored.ended).toBe(0)
}, 240_000)

test('verify ends with 1 and a sentence for a backup that was changed, wherever, and for one that is cut off', async () => {
  await done(['backup', 'whole.backup', '--without-keys'])
  const whole = readFileSync(join(folder, 'whole.backup'))
  const changedAt = (part: number) => {
    const bytes = Buffer.from(whole)
    const at = Math.floor(bytes.length * part)
    bytes[at] = (bytes[at] ?? 0) ^ 0x55
    return bytes
  }
  const text = gunzipSync(whole).toString('utf8')
  const broken: readonly [Buffer, string][] = [
    ...[0.2, 0.5, 0.9].map((part): [Buffer, string] => [
      changedAt(part),
      'The backup is not as it was made: its checksum',
    ]),
    [gzipSync(text.replace('x86_64', 'x86_65')), 'The backup is not as it was made: its checksum differs'],
    [whole.subarray(0, whole.length * 0.7), 'The backup ends before its end: it is cut off'],
    [Buffer.from('something else'), 'This is no backup that this program has made'],
  ]
  for (const [bytes, sentence] of broken) {
    writeFileSync(join(folder, 'broken.backup'), bytes)
    expect(await refused(['backup', 'verify', 'broken.backup'])).toContain(sentence)
  }
}, 240_000)

test('a line that is longer than a row can be is refused before all of it is read, and nothing is restored', async () => {
  await done(['backup', 'lines.backup', '--without-keys'])
  const [header, table] = gunzipSync(readFileSync(join(folder, 'lines.backup')))
    .toString('utf8')
    .split('\n', 2)
  let offered = 0
  function* longLine() {
    yield `${header}\n${table}\n["`
    for (; offered < 700; offered++) yield 'x'.repeat(1024 * 1024)
  }
  // A pipe, so that it can be counted how much the program takes of it. Nothing is compressed.
  const words = [resolve('node_modules/.bin/node'), PROGRAM, 'restore', '/dev/stdin', '--data-dir', 'from-a-pipe']
  const child = spawn('/bin/sh', ['-c', 'cat | "$@"', 'sh', ...words], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const program = programOf(child)
  await pipeline(longLine, createGzip({ level: 0 }), child.stdin).catch(() => undefined) // its end is nobody's fault
  expect(await program.ended).toBe(1)
  expect(program.stderr()).toContain('The backup has a line of more than 268435455 characters')
  expect(offered).toBeLessThan(260)
  expect(existsSync(join(folder, 'from-a-pipe'))).toBe(false)
}, 60_000)

test('a file that cannot grow is no backup, and nothing is left of it', async () => {
  const words = [resolve('node_modules/.bin/node'), PROGRAM, 'backup', 'small.backup', '--without-keys']
  const child = spawn('/bin/sh', ['-c', 'ulimit -f 4; exec "$@"', 'sh', ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (part) => {
    said += part
  })
  expect(await once(child, 'close')).toEqual([1, null])
  expect(said).toContain('The backup could not be made: the file may not become so large')
  expect(existsSync(join(folder, 'small.backup')) || existsSync(join(folder, 'small.backup.unfinished'))).toBe(false)
}, 60_000)
