import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { type Program, ready, run, start } from '../cli/program.ts'
import { callerOf, makeHosts, type RunShown } from '../runs/program-world.ts'
import { postgresqlBinaries, startTestServer } from '../support/postgresql.ts'
import { quiet, testConfig } from '../support/settings.ts'

const library = findLibrary()
if (!library && process.env.CI) throw new Error('clocks that jump take libfaketime, of the Debian package faketime')
if (!library) console.log('skipped: clocks that jump (they take libfaketime, of the Debian package faketime)')

const hosts = ['host-0.example.test', 'host-1.example.test'] as const

test('a clock that was a year ahead leaves nobody locked out, no session without end, and no run that waits for ever', async (context) => {
  if (!library) return context.skip()
  await using world = await startWorld()
  const { folder, set, begin } = world
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`admin:${password}`)}` })
  const status = async (address: string, headers: Record<string, string>) =>
    (await fetch(`${address}/api/status`, { headers })).status
  const newSession = async (address: string) => {
    const headers = { ...basic('correct horse'), 'content-type': 'application/json' }
    const answer = await fetch(`${address}/api/session`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(201)
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }

  const first = await begin()
  const asked = callerOf(first.address)
  await makeHosts(asked, join(folder, 'run'), 2)
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const token = await asked.post('/api/users/admin/personal_access_tokens', { name: 'day', expires_at: tomorrow })
  const bearer = { authorization: `Bearer ${token.token_value}` }
  const before = await newSession(first.address)

  set('+365d')
  await vi.waitFor(async () => expect(await status(first.address, before)).toBe(401), 60_000)
  expect(await status(first.address, bearer)).toBe(401)
  const [used, unused] = [await newSession(first.address), await newSession(first.address)]
  await asked.put(`/api/hosts/${hosts[0]}/configrun`, {})
  await vi.waitFor(async () => expect(await stateOf(first.address, hosts[0])).toBe('running'), 20_000)
  await asked.put(`/api/hosts/${hosts[1]}/configrun`, {})
  expect(await stateOf(first.address, hosts[1])).toBe('queued')
  for (let at = 0; at < 40; at++) await status(first.address, basic('wrong'))
  expect(await status(first.address, basic('correct horse'))).toBe(401)
  first.program.process.kill('SIGKILL')
  await first.program.ended

  set('+0d')
  rmSync(join(folder, 'hold'))
  const { address } = await begin()
  expect(await status(address, basic('correct horse'))).toBe(200)
  expect(await status(address, bearer)).toBe(200)
  expect(await status(address, used)).toBe(200)
  await vi.waitFor(async () => expect(await stateOf(address, hosts[1])).toBe('succeeded'), 60_000)
  await vi.waitFor(async () => expect(await stateOf(address, hosts[0])).toBe('failed'), 60_000)
  // A login makes sessions that were used in the future count as idle from now on.
  await newSession(address)
  set('+3h')
  const user = { login: 'eve', password: 'a password of eve', auth_source_id: 1 }
  await callerOf(address).post('/api/users', { user }) // clears the caches of identities
  expect([await status(address, used), await status(address, unused)]).toEqual([401, 401])
}, 300_000)

test('a clock that jumps ahead and back while a run is done ends neither it nor what waits behind it', async (context) => {
  if (!library) return context.skip()
  await using world = await startWorld()
  const { folder, set, begin } = world
  const { address } = await begin()
  const { put } = callerOf(address)
  await makeHosts(callerOf(address), join(folder, 'run'), 2)
  await put(`/api/hosts/${hosts[0]}/configrun`, {})
  await vi.waitFor(async () => expect(await stateOf(address, hosts[0])).toBe('running'), 20_000)
  await put(`/api/hosts/${hosts[1]}/configrun`, {})
  await using database = await connect(testConfig({ url: world.url }), quiet)
  const held = sql`select from config_runs where status = 'running' and lease_expires_at between now() and now() + interval '1 minute'`
  for (const offset of ['+1h', '+0d', '+9000h', '+0d']) {
    set(offset)
    // The process has said by that clock that it is still at the run.
    await vi.waitFor(async () => expect(await rows(database.db, held)).toHaveLength(1), 40_000)
  }
  expect(await stateOf(address, hosts[1])).toBe('queued')
  rmSync(join(folder, 'hold'))
  for (const host of hosts) await vi.waitFor(async () => expect(await stateOf(address, host)).toBe('succeeded'), 60_000)
}, 300_000)

test('doctor says that its clock and that of the database are apart', async (context) => {
  if (!library) return context.skip()
  await using server = await startTestServer()
  const folder = mkdtempSync(join(tmpdir(), 'millwright-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: server.urlOf('postgres') }
  const ahead = { LD_PRELOAD: library, FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  expect((await run(['doctor'], folder, env)).stdout).toMatch(/^ok +Clock$/m)
  expect((await run(['doctor'], folder, { ...env, ...ahead })).stdout).toMatch(
    /^warning +Clock\n +It is 3[56]\d\d\.\d seconds apart from that of the database\.\n +What to do: Have both machines/m,
  )
}, 120_000)

/** Starts a server whose clock a file sets; `begin` starts a process with the same clock, that does one run at a time. */
async function startWorld() {
  const binaries = postgresqlBinaries()
  if (!library || !binaries) throw new Error('These tests need libfaketime and the PostgreSQL binaries')
  const folder = mkdtempSync(join(tmpdir(), 'millwright-clock-'))
  const stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755) // the server reads the clock as another user
  const clock = join(folder, 'clock')
  const set = (offset: string) => writeFileSync(clock, offset)
  const env = {
    ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1' },
    FAKETIME_DONT_FAKE_MONOTONIC: '1', // setting the clock does not change this one
  }
  set('+0d')
  const server = stack.use(await startTestServer({ env }))
  const programs: Program[] = []
  stack.defer(async () => {
    for (const program of programs) program.process.kill('SIGKILL')
    await Promise.all(programs.map(({ ended }) => ended))
  })
  // A run lasts as long as the first file exists.
  writeFileSync(join(folder, 'hold'), '')
  const script = `#!/bin/sh\nwhile [ -e ${join(folder, 'hold')} ]; do sleep 0.1; done\n`
  writeFileSync(join(folder, 'run'), script, { mode: 0o755 })
  const begin = async () => {
    const own = { DATABASE_URL: server.urlOf('postgres'), MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
    const args = ['--port', '0', '--run-commands', join(folder, 'run'), '--run-workers', '1']
    const program = start(args, folder, { ...env, ...own })
    programs.push(program)
    return { program, address: await ready(program) }
  }
  return { folder, url: server.urlOf('postgres'), set, begin, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function stateOf(address: string, host: string): Promise<string | undefined> {
  const { results }: { results: RunShown[] } = await callerOf(address).get('/api/config_runs')
  return results.find(({ host_name }) => host_name === host)?.status
}

function findLibrary(): string | null {
  const folders = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'))
    : []
  return folders.map((each) => join(each, 'libfaketimeMT.so.1')).find((path) => existsSync(path)) ?? null
}
