import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { postgresqlBinaries, startTestServer } from '../support/postgresql.ts'
import { spawnSync } from '../support/processes.ts'
import { fill } from './disks.ts'

// The server runs as another user than root, which only root can arrange on a disk of its own.
const namespaces = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true'], {}).status === 0
if (!namespaces) console.log('skipped: a server with a small disk (only root can mount one)')

test.skipIf(!namespaces)(
  'a server whose disk is full refuses what cannot be stored, whole, and goes on by itself once there is room',
  async () => {
    const binaries = postgresqlBinaries()
    if (!binaries) throw new Error('This test fills the disk of a server: it needs the PostgreSQL binaries')
    // The log has its files beforehand: what lacks room is what is stored.
    const settings = ['max_connections=50', 'shared_buffers=16MB', 'min_wal_size=128MB', 'max_wal_size=128MB']
    await using server = await startTestServer(binaries, { settings, diskMiB: 400 })
    const folder = mkdtempSync(join(tmpdir(), 'millwright-full-disk-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const env = { DATABASE_URL: server.urlOf('postgres'), MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
    const program = start(['--port', '0'], folder, env)
    onTestFinished(() => void program.process.kill('SIGKILL'))
    const address = await ready(program)
    const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }
    const stored: string[] = []
    const store = async (name: string) => {
      const ptable = { name, layout: randomBytes(100_000).toString('hex') }
      const answer = await fetch(`${address}/api/ptables`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ptable }),
      })
      if (answer.status === 201) stored.push(name)
      return answer
    }
    const names = async (path: string, key: string) => {
      const list = await fetch(`${address}/api/${path}`, { headers })
      const { results } = (await list.json()) as { results: Record<string, string>[] } // a list
      return results.map((record) => record[key])
    }
    expect((await store('before')).status).toBe(201)

    const filler = join(server.dataOutside(), 'filler')
    fill(filler)
    const refused = await vi.waitUntil(async () => {
      const answer = await store(`full ${stored.length}`)
      return answer.status === 201 ? null : answer
    }, 60_000)
    expect({ status: refused.status, again: refused.headers.get('retry-after') }).toEqual({ status: 503, again: '2' })
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringMatching(/disk of .* is full/) } })
    // Four at once, none of which leaves anything: neither the record nor what tells of it.
    const more = await Promise.all([1, 2, 3, 4].map((at) => store(`more ${at}`)))
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([503]))
    expect((await fetch(`${address}/livez`)).status).toBe(200)
    expect((await names('ptables?per_page=all', 'name')).filter((name) => /before|full|more/.test(name ?? ''))).toEqual(
      stored,
    )
    const audits = 'audits?per_page=all&search=type+%3D+ptable+and+action+%3D+create'
    expect(
      (await names(audits, 'auditable_name')).filter((name) => /before|full|more/.test(name ?? '')).sort(),
    ).toEqual([...stored].sort())

    rmSync(filler)
    await vi.waitFor(async () => expect((await store('after')).status).toBe(201), 60_000)
    expect(await names('ptables?per_page=all', 'name')).toEqual(expect.arrayContaining(stored))
  },
  240_000,
)
