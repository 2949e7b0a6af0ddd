import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { startTestServer, unprivilegedUser } from '../support/postgresql.ts'
import { spawn } from '../support/processes.ts'

const pgbouncer = existsSync('/usr/sbin/pgbouncer')
if (!pgbouncer && process.env.CI === 'true') throw new Error('pgbouncer is not installed (.ci/run installs it)')
if (!pgbouncer) console.log('skipped: behind a pooler (it takes the package pgbouncer)')
const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }

test.skipIf(!pgbouncer)(
  'two processes behind a pooler that shares connections between transactions hear of each other',
  async () => {
    await using server = await startTestServer()
    const direct = server.urlOf('postgres')
    const pooled = await startPooler(direct)
    const env = {
      DATABASE_URL: pooled,
      MILLWRIGHT_DATABASE_DIRECT_URL: direct,
      MILLWRIGHT_PREPARED_STATEMENTS: 'off',
      MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
      MILLWRIGHT_PASSWORD_MEMORY: '8',
    }
    const folder = temporary()
    const programs = [1, 2].map(() => start(['--port', '0', '--data-dir', '.'], folder, env))
    onTestFinished(() => {
      for (const program of programs) program.process.kill('SIGKILL')
    })
    const [one, other] = await Promise.all(programs.map(ready))

    // Many more than the three connections of the pooler to the server.
    const post = (address: string | undefined, path: string, body: object) =>
      fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const written = await Promise.all(
      Array.from({ length: 40 }, (_, at) => post(at % 2 ? one : other, '/api/architectures', { name: `arch-${at}` })),
    )
    expect(new Set(written.map(({ status }) => status))).toEqual(new Set([201]))
    const found = await fetch(`${one}/api/architectures?search=name~arch-&per_page=1`, { headers })
    expect(await found.json()).toMatchObject({ subtotal: 40 })

    // A user cached by one process is dropped when the other one deletes it, long before the cache expires.
    const user = { login: 'eve', password: 'a password of eve', auth_source_name: 'Internal', admin: true }
    expect((await post(one, '/api/users', { user })).status).toBe(201)
    const asEve = async () =>
      (await fetch(`${other}/api/status`, { headers: { authorization: `Basic ${btoa('eve:a password of eve')}` } }))
        .status
    expect(await asEve()).toBe(200)
    expect((await fetch(`${one}/api/users/eve`, { method: 'DELETE', headers })).status).toBe(200)
    await vi.waitFor(async () => expect(await asEve()).toBe(401), 40_000)
  },
  240_000,
)

/** Starts PgBouncer in front of the server of a URL, on a socket in a folder; yields the URL of the database there. */
async function startPooler(url: string): Promise<string> {
  const folder = temporary()
  const host = decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? '')
  const user = unprivilegedUser()
  const settings = [
    `[databases]\n* = host=${host} user=postgres`,
    `[pgbouncer]\npool_mode = transaction\nauth_type = any\nlisten_port = 6432\nunix_socket_dir = ${folder}`,
    'default_pool_size = 3\nmax_client_conn = 200\n',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings.join('\n'))
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  const child = spawn('/usr/sbin/pgbouncer', [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let said = ''
  child.stderr.on('data', (part) => {
    said += part
  })
  await vi.waitFor(() => expect(said).toContain('process up'), 60_000)
  const database = /\/([^/?]+)\?/.exec(url)?.[1]
  return `postgresql://postgres@/${database}?host=${encodeURIComponent(folder)}&port=6432`
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-pooler-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
