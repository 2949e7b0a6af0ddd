import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { spawn, spawnSync } from './processes.ts'

/** A PostgreSQL server of our own in a temporary folder, reached through a socket in it. */
export interface TestServer extends AsyncDisposable {
  urlOf(database: string): string
  start(): Promise<void>
  stop(): Promise<void>
}

/** The folder with `initdb` and `postgres`: Debian's newest, else the first in PATH; null when there is none. */
export function postgresqlBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

/** Makes a server and starts it. Durability is off: it lives as long as one run. `settings` are lines `name=value`. */
export async function startTestServer(binaries: string, settings: readonly string[] = FOR_TESTS): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-postgresql-'))
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, ...user }
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8']
  const made = spawnSync(join(binaries, 'initdb'), initdb, { ...options, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)

  let server: ReturnType<typeof spawn> | null = null
  const killAtExit = () => {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', killAtExit)

  async function start(): Promise<void> {
    const fixed = ['listen_addresses=', `unix_socket_directories=${folder}`, ...NOT_DURABLE]
    const flags = [...fixed, ...settings].flatMap((each) => ['-c', each])
    const child = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = child
    await new Promise<void>((ready, failed) => {
      let output = ''
      child.once('error', failed)
      child.once('exit', (code) => failed(new Error(`postgres ended with ${code}: ${output}`)))
      child.stderr?.on('data', (chunk) => {
        if (output.length > 100_000) return
        output += chunk
        if (output.includes('ready to accept connections')) ready()
      })
    })
  }

  async function stop(): Promise<void> {
    const child = server
    server = null
    if (!child || child.exitCode !== null) return
    child.kill('SIGINT') // the fast shutdown: connections are ended
    await once(child, 'exit')
  }

  await start()
  return {
    urlOf: (database) => `postgresql://postgres@/${database}?host=${encodeURIComponent(folder)}`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
const FOR_TESTS = ['max_connections=200', 'shared_buffers=64MB']

/** PostgreSQL refuses to run as root; null when we are somebody else. */
export function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].map((name) => accounts.find(([login]) => login === name)).find(Boolean)
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}
