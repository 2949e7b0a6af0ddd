import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { postgresqlBinaries, startTestServer } from '../support/postgresql.ts'
import { HEADERS, post, startWriting } from './writers.ts'

// Two servers and two processes are started.
const LONG = 240_000

test(
  'a standby that takes over is found by processes that know both servers, and nothing acknowledged is lost',
  async () => {
    const binaries = postgresqlBinaries()
    if (!binaries) throw new Error('This test makes a primary and a standby: it needs the PostgreSQL binaries')
    const settings = ['max_connections=100', 'synchronous_commit=on']
    await using primary = await startTestServer({
      settings: [...settings, 'synchronous_standby_names=*'],
    })
    await using standby = await startTestServer({ settings, primary })
    const folder = mkdtempSync(join(tmpdir(), 'millwright-failover-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // The standby is first in the list: it answers, but is not the primary.
    const servers = `host=${standby.folder},${primary.folder}&target_session_attrs=read-write`
    const env = {
      DATABASE_URL: `postgresql://postgres@/postgres?${servers}`,
      MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
      MILLWRIGHT_PASSWORD_MEMORY: '8',
    }
    const programs = [1, 2].map(() => start(['--port', '0', '--data-dir', '.'], folder, env))
    onTestFinished(() => {
      for (const program of programs) program.process.kill('SIGKILL')
    })
    const [one = '', other = ''] = await Promise.all(programs.map(ready))
    const writers = startWriting(one, other)
    await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(40), 60_000)
    await primary.stop('crash')
    await vi.waitFor(() => expect(writers.refused.size).toBeGreaterThan(0), 60_000)
    standby.promote()
    const before = writers.acknowledged.length
    await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(before + 40), 60_000)
    await writers.stop()

    // The processes exchange notifications through the new server: a cached user is dropped when the other process deletes
    // it.
    const user = { login: 'eve', password: 'a password of eve', auth_source_name: 'Internal', admin: true }
    expect((await post(one, '/api/users', { user })).status).toBe(201)
    const authorization = `Basic ${btoa('eve:a password of eve')}`
    const asEve = async () => (await fetch(`${other}/api/status`, { headers: { authorization } })).status
    await vi.waitFor(async () => expect(await asEve()).toBe(200), 20_000)
    expect((await fetch(`${one}/api/users/eve`, { method: 'DELETE', headers: HEADERS })).status).toBe(200)
    await vi.waitFor(async () => expect(await asEve()).toBe(401), 40_000)
  },
  LONG,
)

test.each([
  ['postgresql://m@a,b/m?target_session_attrs=any', 'several hosts are separated by commas'],
  ['postgresql://m@a:5432,b:x/m', 'several hosts are separated by commas'],
])('%s is refused', async (url, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-failover-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = start(['--port', '0'], folder, { DATABASE_URL: url })
  expect(await program.ended).not.toBe(0)
  expect(program.stderr()).toContain(said)
})
