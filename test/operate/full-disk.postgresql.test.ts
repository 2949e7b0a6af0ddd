import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start, troubles } from '../cli/program.ts'
import { canMount, fill } from '../support/disks.ts'
import { startTestServer, type TestServer } from '../support/postgresql.ts'

const namespaces = canMount('servers with small disks')
const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }

test.skipIf(!namespaces)(
  'a server whose disk is full refuses what cannot be stored, whole, and goes on by itself once there is room',
  async () => {
    // The log has its files beforehand: what lacks room is what is stored.
    const settings = ['max_connections=50', 'shared_buffers=16MB', 'min_wal_size=128MB', 'max_wal_size=128MB']
    await using server = await startTestServer({ settings, disk: { holds: 'data', mebibytes: 400 } })
    const { address, program, stored, store, names } = await serving(server)
    expect((await store('before')).status).toBe(201)

    const filler = join(server.diskOutside(), 'filler')
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
    const list = () => names('ptables?per_page=all', 'name')
    await vi.waitFor(async () => expect(await list()).toEqual(expect.arrayContaining(stored)), 60_000)
    await vi.waitFor(async () => {
      expect((await store('again')).status).not.toBe(503)
      expect(program.stderr()).toContain('"the database can be used again"')
    }, 60_000)

    await refusesFilesOf(server, address)
    await vi.waitFor(async () => expect(await list()).toEqual(expect.arrayContaining(stored)), 60_000)
    expect(troubles(program)).toEqual(['the database cannot be used', 'the database cannot be used'])
  },
  240_000,
)

/** Takes away a file of the database, then the right to read it: each time 503, and nothing else is refused. */
async function refusesFilesOf(server: TestServer, address: string): Promise<void> {
  // Connections have open what they have read, so that they have to be new.
  const statement = `select pg_relation_filepath('ptables') as path, pg_terminate_backend(pid) from pg_stat_activity
    where usename is not null and pid <> pg_backend_pid()`
  const renewConnections = async () => {
    const client = new pg.Client({ connectionString: server.urlOf('postgres') })
    await client.connect()
    const { rows } = await client.query<{ path: string }>(statement)
    await client.end()
    return rows[0]
  }
  const file = join(server.diskOutside(), (await renewConnections())?.path ?? '')
  const listed = async () => {
    const { status, headers: told } = await fetch(`${address}/api/ptables`, { headers })
    return [status, told.get('retry-after')]
  }
  const troubled = [
    [() => renameSync(file, `${file}.away`), () => renameSync(`${file}.away`, file)],
    [() => chmodSync(file, 0), () => chmodSync(file, 0o600)],
  ] as const
  for (const [take, giveBack] of troubled) {
    take()
    for (let request = 0; request < 5; request++) expect(await listed()).toEqual([503, '2'])
    expect((await fetch(`${address}/api/architectures`, { headers })).status).toBe(200)
    giveBack()
    expect(await listed()).toEqual([200, null])
    await renewConnections()
  }
}

test.skipIf(!namespaces)(
  'a server that ends because the disk of its log is full is one line and 503, and has all that was acknowledged once it is back',
  async () => {
    const settings = ['max_connections=50', 'shared_buffers=16MB', 'synchronous_commit=on', 'max_wal_size=64MB']
    await using server = await startTestServer({ settings, disk: { holds: 'data/pg_wal', mebibytes: 160 } })
    const { address, program, stored, store, names } = await serving(server)
    expect((await store('before')).status).toBe(201)

    const filler = join(server.diskOutside(), 'filler')
    fill(filler)
    // Four at a time: the server ends in the middle of writes.
    await vi.waitUntil(async () => {
      const answers = await Promise.all([1, 2, 3, 4].map((at) => store(`full ${stored.length} ${at}`)))
      return answers.some(({ status }) => status === 503)
    }, 120_000)
    await server.ended()
    for (let request = 0; request < 10; request++) {
      const refused = await store(`away ${request}`)
      expect({ status: refused.status, again: refused.headers.get('retry-after') }).toEqual({ status: 503, again: '2' })
    }
    expect((await fetch(`${address}/livez`)).status).toBe(200)
    expect((await fetch(`${address}/readyz`)).status).toBe(503)

    rmSync(filler)
    await server.start()
    await vi.waitFor(async () => expect((await store('after')).status).toBe(201), 60_000)
    expect(await names('ptables?per_page=all', 'name')).toEqual(expect.arrayContaining(stored))
    expect(troubles(program)).toEqual(['the database cannot be used'])
    await vi.waitFor(async () => {
      expect((await store('again')).status).not.toBe(503)
      expect(program.stderr()).toContain('"the database can be used again"')
    }, 60_000)
  },
  240_000,
)

/** The service on that server, and what stores a record of some size and remembers that it was acknowledged. */
async function serving(server: TestServer) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-full-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: server.urlOf('postgres'), MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
  const program = start(['--port', '0'], folder, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  const address = await ready(program)
  const stored: string[] = []
  const store = async (name: string) => {
    const ptable = { name, layout: randomBytes(100_000).toString('hex') }
    const answer = await fetch(`${address}/api/ptables`, { method: 'POST', headers, body: JSON.stringify({ ptable }) })
    if (answer.status === 201) stored.push(name)
    return answer
  }
  const names = async (path: string, key: string) => {
    const list = await fetch(`${address}/api/${path}`, { headers })
    const { results } = (await list.json()) as { results: Record<string, string>[] } // a list
    return results.map((record) => record[key])
  }
  return { address, program, stored, store, names }
}
