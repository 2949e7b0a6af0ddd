import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAM, type Program, ready } from '../cli/program.ts'
import { postgresqlBinaries, startTestServer, type TestServer } from '../support/postgresql.ts'
import { unpackBefore, versionBefore } from '../support/version-before.ts'
import { blocksOf, openTerminal, type Terminal } from './terminal.ts'

// Follows docs/install.md from the version before to this one and back, and docs/backup.md, on a cluster of its own.
const history = versionBefore()
if (!history) console.log('skipped: going back to the version before (there is no history in this checkout)')

const binaries = postgresqlBinaries() ?? ''
const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }
const QUICKLY = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_PASSWORD_MEMORY: '8' }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

/** Puts the test server in the place of the one that the guides name. */
function placed(block: string): string {
  return block.replaceAll(/postgresql:\/\/millwright@db\.example\.test\/(\w+)/g, (_, name) => quoted(urlOf(name)))
}

const quoted = (text: string) => `'${text}'`
const urlOf = (database: string) => server.urlOf(database).replace('postgres@', 'millwright@')
const asSuperuser = () => ({ PGHOST: server.folder, PGUSER: 'postgres' })

async function ask(address: string, path: string, body?: object): Promise<number> {
  const sent = body && { method: 'POST', body: JSON.stringify(body) }
  return (await fetch(`${address}${path}`, { ...sent, headers })).status
}

/** Stores a record, and one with a secret. */
async function fill(address: string): Promise<void> {
  expect(await ask(address, '/api/architectures', { name: 'kept' })).toBe(201)
  const secret = { name: 'corp', host: 'ldap.example.test', account: 'svc', account_password: 'hush-hush' }
  expect(await ask(address, '/api/auth_source_ldaps', secret)).toBe(201)
}

async function stop(program: Program): Promise<void> {
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}

/** Runs lines that have to succeed. */
async function follow(terminal: Terminal, lines: string, env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await terminal.run(placed(lines), env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const [backup = '', ...noMore] = blocksOf(readFileSync('docs/install.md', 'utf8'), 'Upgrade')
const [inDirectory = '', onServer = '', ...noOther] = blocksOf(readFileSync('docs/install.md', 'utf8'), 'Go back')

test.skipIf(!history).for([
  { kind: 'bundled', back: inDirectory, where: { MILLWRIGHT_DATA_DIR: './before' } },
  { kind: 'PostgreSQL', back: onServer, where: null },
])(
  'the guide leads from the version before to this one and back: $kind',
  { timeout: 400_000 },
  async ({ kind, back, where }) => {
    expect([...noMore, ...noOther]).toEqual([])
    const old = join(server.folder, `old-${kind}`)
    unpackBefore(history ?? '', old)
    const before = join(old, 'src/main.ts')
    using terminal = openTerminal(before, binaries)
    const env: Record<string, string> = { ...QUICKLY }
    if (kind === 'PostgreSQL') {
      await follow(terminal, 'createuser millwright; createdb --owner=millwright millwright', asSuperuser())
      env.DATABASE_URL = urlOf('millwright')
    }

    const first = terminal.start('millwright serve', env)
    await fill(await ready(first))
    await follow(terminal, backup, env)
    await stop(first)

    terminal.install(PROGRAM)
    const upgraded = terminal.start('millwright serve', env)
    const address = await ready(upgraded)
    expect(await ask(address, '/api/architectures/kept')).toBe(200)
    expect(await ask(address, '/api/architectures', { name: 'since' })).toBe(201)
    await stop(upgraded)

    terminal.install(before)
    const refused = await terminal.run('millwright serve', env)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/newer than this program: version \d+\.\d+\.\d+ has applied \d{4}-/)
    const restored = terminal.start(placed(back), { ...env, ...asSuperuser() })
    const again = await ready(restored)
    expect(await ask(again, '/api/architectures/kept')).toBe(200)
    expect(await ask(again, '/api/architectures/since')).toBe(404)
    await stop(restored)
    // What was encrypted can be read there: a rotation reads all of it.
    const there: Record<string, string> = where ?? { DATABASE_URL: urlOf('before') }
    expect(await follow(terminal, 'millwright keys rotate', { ...env, ...there })).toContain('1 stored secrets')
    // The other database has what was written since.
    terminal.install(PROGRAM)
    if (kind === 'PostgreSQL') return
    const forward = terminal.start('millwright serve', env)
    expect(await ask(await ready(forward), '/api/architectures/since')).toBe(200)
    await stop(forward)
  },
)

test('the lines of the guide of backups make one, verify it, restore it into both kinds of database, and move', async () => {
  const [lines = '', ...more] = blocksOf(readFileSync('docs/backup.md', 'utf8'), 'Back up, restore, move')
  expect(more).toEqual([])
  const [passphrase = '', ...commands] = lines.trim().split('\n')
  expect(commands).toHaveLength(5)
  const [made = '', verify = '', restore = '', intoServer = '', move = ''] = commands.map(
    (line) => `${passphrase}\n${line}`,
  )
  using terminal = openTerminal(PROGRAM, binaries)
  const create = (name: string) => `createdb --owner=guided ${name}`
  await follow(terminal, `createuser guided; ${create('other')}; ${create('moved')}`, asSuperuser())
  const onOurs = (line: string) => placed(line).replaceAll('millwright@', 'guided@').replace('/millwright?', '/moved?')
  const serving = terminal.start('millwright serve', QUICKLY)
  await fill(await ready(serving))
  await follow(terminal, made)
  expect(await follow(terminal, verify)).toContain('all as they were')
  await follow(terminal, restore)
  // The keys are there already, and stay.
  await follow(terminal, onOurs(intoServer))
  const refused = await terminal.run(onOurs(move))
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('in use') })
  await stop(serving)
  await follow(terminal, onOurs(move))
  rmSync(join(terminal.folder, 'data/postgresql'), { recursive: true })
  const guided = (name: string) => server.urlOf(name).replace('postgres@', 'guided@')
  for (const name of ['other', 'moved'])
    copyFileSync(join(terminal.folder, 'data/encryption.key'), join(terminal.folder, `${name}.key`))
  const places: Record<string, string>[] = [
    { MILLWRIGHT_DATA_DIR: './other' },
    { DATABASE_URL: guided('other'), MILLWRIGHT_ENCRYPTION_KEY_FILE: 'other.key' },
    { DATABASE_URL: guided('moved'), MILLWRIGHT_ENCRYPTION_KEY_FILE: 'moved.key' },
  ]
  for (const place of places) {
    const there = terminal.start('millwright serve', { ...QUICKLY, ...place })
    expect(await ask(await ready(there), '/api/architectures/kept')).toBe(200)
    await stop(there)
    expect(await follow(terminal, 'millwright keys rotate', place)).toContain('1 stored secrets')
  }
}, 400_000)
