import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { ready, run, start } from '../cli/program.ts'
import { emptyDatabaseUrl, testDatabaseUrl } from '../support/database.ts'
import { startDirectory } from '../support/directories/index.ts'
import { unusedPort } from '../support/peers/listener.ts'
import { execFileSync } from '../support/processes.ts'
import { quiet, testConfig } from '../support/settings.ts'

// What doctor says of a database that a service has used, and that is unwell since.

const folder = mkdtempSync(join(tmpdir(), 'millwright-doctor-'))
const keys = join(folder, 'data/encryption.key')
const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }
let server: Awaited<ReturnType<typeof testDatabaseUrl>>
let env: Record<string, string>
beforeAll(async () => {
  server = await testDatabaseUrl()
  env = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', DATABASE_URL: server.url }
}, 120_000)
afterAll(async () => {
  await server?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const doctor = async (around = env) => {
  const examined = await run(['doctor', '--data-dir', 'data'], folder, around)
  await expectAccepted(examined.stdout, around)
  return examined
}
/** Whatever doctor says is to be typed is accepted as it stands: by the shell, the program and the database. */
const expectAccepted = async (stdout: string, around: Record<string, string>) => {
  const inLines = Array.from(stdout.matchAll(/^ +Run: (.*)$/gm), ([, command = '']) => command)
  const inText = Array.from(
    stdout.replace(/\s+/g, ' ').matchAll(/`(millwright [^`]*)`/g),
    ([, command = '']) => command,
  )
  for (const command of [...inLines, ...inText]) {
    const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    if (words[0] === 'millwright') await expectTaken(words.slice(1), around)
    else execFileSync('sh', ['-c', command], { cwd: folder })
  }
  const statements = Array.from(stdout.matchAll(/^ +Run in psql: (.*)$/gm), ([, statement = '']) => statement)
  if (statements.length > 0) await onDatabase(...statements)
  // All that is to be typed stands in such lines or between such marks.
  const rest = stdout.replace(/^ +Run: .*$/gm, '').replace(/`[^`]*`/g, '')
  expect(rest).not.toMatch(/\bmillwright\s+[a-z]|\bRun: /)
}
const expectTaken = async (words: readonly string[], around: Record<string, string>) => {
  if (words[0] === 'doctor') {
    const { code, stderr } = await run(words, folder, around)
    return expect({ words, code, stderr }).toEqual({ words, code: 1, stderr: '' })
  }
  // Whatever else it would do is not done, for the sake of a flag that there is not: nothing else is wrong with it.
  const { code, stderr } = await run(['--no-such-flag', ...words], folder, around)
  expect({ words, code, problems: stderr.match(/^ {2}.*$/gm) }).toEqual({
    words,
    code: 2,
    problems: [expect.stringMatching(/^ {2}--no-such-flag is not a flag/)],
  })
}
const serve = async (work: (address: string) => Promise<void>) => {
  const program = start(['--port', '0', '--data-dir', 'data'], folder, env)
  try {
    await work(await ready(program))
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  } finally {
    program.process.kill('SIGKILL')
  }
}
const onDatabase = async (...statements: string[]) => {
  await using database = await connect(testConfig({ url: server.url }), quiet)
  for (const statement of statements) await sql.raw(statement).execute(database.db)
}
/** Whether the findings say this about a subject, however the lines are broken. */
const finding = (mark: string, about: string, words: string) =>
  new RegExp(`^${mark} +${about}\\n +${words.replaceAll(' ', '\\s+')}`, 'm')

test('doctor says whether the encryption keys are those of the database, and makes none', async () => {
  await serve(async () => undefined)
  expect((await doctor()).stdout).toMatch(
    finding('ok', 'Encryption keys', 'Those in \\S+encryption.key are the keys of'),
  )
  chmodSync(keys, 0o644)
  const open = await doctor()
  expect(open.stdout).toMatch(finding('warning', 'Encryption keys', 'Others than its owner may read'))
  expect(open.stdout).toMatch(/^ +Run: chmod 600 \S+encryption\.key$/m)
  expect(open.code).toBe(0)

  renameSync(keys, join(folder, 'away'))
  const gone = await doctor()
  expect(gone.stdout).toMatch(
    finding('FAILED', 'Encryption keys', 'There is no file \\S+encryption.key of encryption keys'),
  )
  expect(gone.stdout).toMatch(/backup with keys has\s+them/)
  expect(gone.code).toBe(1)
  expect(existsSync(keys)).toBe(false)
  writeFileSync(keys, `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
  expect((await doctor()).stdout).toMatch(
    finding('FAILED', 'Encryption keys', 'The encryption keys in \\S+ are not those of this database'),
  )
  writeFileSync(keys, 'something else\n')
  expect((await doctor()).stdout).toMatch(finding('FAILED', 'Encryption keys', '\\S+ is not a file of encryption keys'))
  expect(readFileSync(keys, 'utf8')).toBe('something else\n')
  rmSync(keys)
  renameSync(join(folder, 'away'), keys)
}, 240_000)

const NAMES = ['Acme AD', `it's "$HOME"; *`, '--data-dir']

test('doctor asks each directory, and says where it fails and what to do', async () => {
  await using directory = await startDirectory('slapd')
  const port = await unusedPort()
  await serve(async (address) => {
    const store = async (source: object) => {
      const body = JSON.stringify({ tls: true, onthefly_register: false, ...source })
      const { status } = await fetch(`${address}/api/auth_source_ldaps`, { method: 'POST', headers, body })
      expect(status).toBe(201)
    }
    for (const name of NAMES) await store({ name, host: '127.0.0.1', port, base_dn: 'dc=example,dc=test' })
    const { stdout } = await doctor() // beside the service
    expect(stdout).toContain("Run: millwright doctor directory 'Acme AD' --data-dir data\n")
    if (!directory) return
    const { dn, password } = directory.serviceAccount
    const account = { account: dn, account_password: password, ca_certificate: directory.ca }
    const bases = { base_dn: directory.usersBase, groups_base: directory.groupsBase }
    await store({ name: 'open', host: 'localhost', port: directory.tlsPort, ...account, ...bases })
    // Beside the service too.
    expect((await doctor()).stdout).toMatch(finding('ok', 'Directory open', 'People can log in'))
  })
  const { code, stdout } = await doctor()
  expect(code).toBe(1)
  expect(stdout).toMatch(finding('FAILED', 'Directory Acme AD', 'TCP connection: '))
  expect(Array.from(stdout.matchAll(/^ +Run: (.*)$/gm), ([, command]) => command)).toHaveLength(NAMES.length)
  if (directory) expect(stdout).toMatch(finding('ok', 'Directory open', 'People can log in'))
  // What is stored in records is not for support.
  expect(await run(['support', 'report.json', '--data-dir', 'data'], folder, env)).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).not.toMatch(/Acme|Directory/)
  await onDatabase(`delete from auth_sources where type = 'AuthSourceLdap'`)
}, 240_000)

test('doctor names indexes that are much larger than their rows need, and tables of dead rows', async () => {
  expect((await doctor()).stdout).toMatch(finding('ok', 'Indexes', 'All are there and valid, and none is much larger'))
  await onDatabase(
    'create table "swollen rows" (word text)',
    'alter table "swollen rows" set (autovacuum_enabled = false)',
    'create index "swollen ""word""" on "swollen rows" (word)',
    `insert into "swollen rows" select repeat(md5(number::text), 10) from generate_series(1, 50000) as number`,
    `create table slim (word text)`,
    'create index slim_word_idx on slim (word)',
    `insert into slim select word from "swollen rows"`,
    'analyze slim',
    'delete from "swollen rows" where ctid in (select ctid from "swollen rows" offset 100)',
    'analyze "swollen rows"',
  )
  const dead = await doctor()
  expect(dead.stdout).toMatch(finding('warning', 'Dead rows', 'More dead rows than live ones: "swollen rows".'))
  expect(dead.stdout).toMatch(
    finding('warning', 'Indexes', 'Much larger than their rows need: "swollen ""word""" \\(\\d+ MiB for 0\\)\\.'),
  )
  const remedies = ['reindex index concurrently "swollen ""word""";', 'vacuum (analyze) "swollen rows";']
  for (const one of remedies) expect(dead.stdout).toContain(` Run in psql: ${one}\n`)
  expect(dead.code).toBe(0)
  const well = await doctor()
  expect(well.stdout).toMatch(finding('ok', 'Dead rows', 'No table has more'))
  expect(well.stdout).toMatch(finding('ok', 'Indexes', 'All are there and valid'))
  await onDatabase('drop table "swollen rows", slim')
}, 240_000)

test('doctor names indexes that are missing, and what makes them anew', async () => {
  await onDatabase('drop index tasks_ended_at_idx', 'alter table models drop constraint models_name_key')
  const missing = await doctor()
  expect(missing.stdout).toMatch(
    finding('FAILED', 'Indexes', 'These are missing: models_name_key, tasks_ended_at_idx\\.'),
  )
  expect(missing.code).toBe(1)
  expect((await doctor()).stdout).toMatch(finding('ok', 'Indexes', 'All are there and valid'))
}, 240_000)

test('doctor says that a schema is newer, and of which version; or older, and what to do', async () => {
  await onDatabase(
    `insert into schema_migrations (number, name, checksum, version)
      select max(number) + 1, '9999-x.sql', 'x', '77.0.0' from schema_migrations`,
  )
  expect(await run(['--port', '0', '--data-dir', 'data'], folder, env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('newer than this program: version 77.0.0 has applied 9999-x.sql'),
  })
  const newer = await doctor()
  expect(newer.code).toBe(1)
  expect(newer.stdout).toMatch(
    finding(
      'FAILED',
      'Schema',
      'It has \\d+ migrations, this program \\d+\\. The last one was applied by version 77.0.0.',
    ),
  )
  expect(newer.stdout).toMatch(/What to do: Run version 77\.0\.0 of the program/)
  await onDatabase("delete from schema_migrations where name = '9999-x.sql'")
  await using empty = server ? await emptyDatabaseUrl() : null
  const older = await doctor(empty ? { DATABASE_URL: empty.url } : env)
  expect(older.code).toBe(0)
  if (empty)
    expect(older.stdout).toMatch(
      finding('warning', 'Schema', 'It has 0 migrations, this program \\d+\\. What to do: Start the service, or:'),
    )
  else expect(older.stdout).toMatch(/^ok +Schema$/m)
}, 240_000)
