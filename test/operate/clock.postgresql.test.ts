import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Program, ready, run, start } from '../cli/program.ts'
import { callerOf, makeHosts, type RunShown } from '../runs/program-world.ts'
import { postgresqlBinaries, startTestServer } from '../support/postgresql.ts'

const library = findLibrary()
if (!library && process.env.CI) throw new Error('clocks that jump take libfaketime, of the Debian package faketime')
if (!library) console.log('skipped: clocks that jump (they take libfaketime, of the Debian package faketime)')

test('a clock that was a year ahead leaves nobody locked out, no session without end, and no run that waits for ever', async (context) => {
  if (!library) return context.skip()
  const binaries = postgresqlBinaries()
  if (!binaries) throw new Error('This test has a server with another clock: it needs the PostgreSQL binaries')
  const folder = mkdtempSync(join(tmpdir(), 'millwright-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755) // the server reads the clock as another user
  const clock = join(folder, 'clock')
  const set = (offset: string) => writeFileSync(clock, offset)
  const env = {
    ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1' },
    FAKETIME_DONT_FAKE_MONOTONIC: '1', // setting the clock does not change this one
  }
  set('+0d')
  await using server = await startTestServer(binaries, { env })
  const programs: Program[] = []
  onTestFinished(() => {
    for (const program of programs) program.process.kill('SIGKILL')
  })
  const begin = async () => {
    const own = { DATABASE_URL: server.urlOf('postgres'), MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
    const args = ['--port', '0', '--run-commands', join(folder, 'run'), '--run-workers', '1']
    const program = start(args, folder, { ...env, ...own })
    programs.push(program)
    return { program, address: await ready(program) }
  }
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`admin:${password}`)}` })
  const status = async (address: string, headers: Record<string, string>) =>
    (await fetch(`${address}/api/status`, { headers })).status
  const newSession = async (address: string) => {
    const headers = { ...basic('correct horse'), 'content-type': 'application/json' }
    const answer = await fetch(`${address}/api/session`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(201)
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }

  // A run lasts as long as this file exists.
  writeFileSync(join(folder, 'hold'), '')
  const script = `#!/bin/sh\nwhile [ -e ${join(folder, 'hold')} ]; do sleep 0.1; done\n`
  writeFileSync(join(folder, 'run'), script, { mode: 0o755 })
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
  const runs = async (address: string) => (await callerOf(address).get('/api/config_runs')).results as RunShown[]
  const stateOf = async (address: string, host: string) =>
    (await runs(address)).find(({ host_name }) => host_name === host)?.status
  const hosts = ['host-0.example.test', 'host-1.example.test'] as const
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

test('doctor says that its clock and that of the database are apart', async (context) => {
  if (!library) return context.skip()
  const binaries = postgresqlBinaries()
  if (!binaries) throw new Error('This test has a server with another clock: it needs the PostgreSQL binaries')
  await using server = await startTestServer(binaries)
  const folder = mkdtempSync(join(tmpdir(), 'millwright-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: server.urlOf('postgres') }
  const ahead = { LD_PRELOAD: library, FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  expect((await run(['doctor'], folder, env)).stdout).toMatch(/^ok +Clock$/m)
  expect((await run(['doctor'], folder, { ...env, ...ahead })).stdout).toMatch(
    /^warning +Clock\n +It is 3[56]\d\d\.\d seconds apart from that of the database\.\n +What to do: Have both machines/m,
  )
}, 120_000)

function findLibrary(): string | null {
  const folders = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'))
    : []
  return folders.map((each) => join(each, 'libfaketimeMT.so.1')).find((path) => existsSync(path)) ?? null
}
