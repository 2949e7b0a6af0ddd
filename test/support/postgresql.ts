import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findPrograms } from '../../src/postgresql/programs.ts'
import { type Disk, mountDisk } from './disks.ts'
import { spawn, spawnSync } from './processes.ts'

/** A PostgreSQL server in a temporary folder, reached through a socket in it. */
export interface TestServer extends AsyncDisposable {
  /** The folder of its socket. */
  readonly folder: string
  urlOf(database: string): string
  /** Yields what it keeps on a separate disk, as seen by processes outside of that disk. */
  diskOutside(): string
  start(): Promise<void>
  /** Stops it, by a shutdown or, at once, like a crash. */
  stop(how?: 'shutdown' | 'crash'): Promise<void>
  /** Resolves once it has ended by itself. */
  ended(): Promise<void>
  /** Promotes a standby. */
  promote(): void
}

/** Finds the folder with `initdb` and `postgres`: Debian's newest, otherwise the first in PATH; null when there is none. */
export function postgresqlBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

interface ServerOptions {
  /** Those that come with the service, or those of this machine where there are any. */
  readonly programs?: 'bundled' | 'installed'
  /** Lines `name=value` of its configuration. */
  readonly settings?: readonly string[]
  /** The primary that it follows. */
  readonly primary?: TestServer
  /** Environment variables of its process. */
  readonly env?: Readonly<Record<string, string>>
  /** What it keeps on a separate disk of this size in MiB, which only its processes see. */
  readonly disk?: { readonly holds: 'data' | 'data/pg_wal'; readonly mebibytes: number }
}

/** Creates and starts a server, or a standby of another one. Durability is off, because its data is temporary. */
export async function startTestServer({
  programs = 'installed',
  settings = FOR_TESTS,
  primary,
  env = {},
  disk,
}: ServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-postgresql-'))
  const installed = programs === 'installed' ? postgresqlBinaries() : null
  const user = installed ? unprivilegedUser() : null
  if (user) chownSync(folder, user.uid, user.gid)
  const bundled = installed ? null : findPrograms(folder, null)
  const prefix = bundled?.prefix ?? []
  const binaries = installed ?? bundled?.folder ?? ''
  const data = join(folder, 'data')
  const options = { cwd: folder, ...user, env: bundled?.env ?? process.env }
  const use = (program: string, ...args: string[]) => {
    const [first = '', ...rest] = [...prefix, join(binaries, program), '-D', data, ...args]
    const used = spawnSync(first, rest, { ...options, encoding: 'utf8' })
    if (used.status !== 0) throw new Error(`${program} failed: ${used.error ?? used.stderr}`)
  }
  if (primary) use('pg_basebackup', '-h', primary.folder, '-U', 'postgres', '-R', '--checkpoint=fast', '--no-sync')
  else
    use(
      'initdb',
      '-U',
      'postgres',
      '--auth=trust',
      '--no-sync',
      ...(bundled ? BUILT_IN : ['--encoding=UTF8', '--locale=C.UTF-8']),
    )

  const onDisk = join(folder, disk?.holds ?? '')
  const mounted: Disk | null = disk ? await mountDisk(onDisk, disk.mebibytes, user) : null
  let server: ReturnType<typeof spawn> | null = null
  const killAtExit = () => {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', killAtExit)

  async function start(): Promise<void> {
    const fixed = ['listen_addresses=', `unix_socket_directories=${folder}`, ...NOT_DURABLE]
    const flags = [...fixed, ...settings].flatMap((each) => ['-c', each])
    const command = [...prefix, join(binaries, 'postgres'), '-D', data, ...flags]
    const [program = '', ...args] = mounted ? [...mounted.enter, ...command] : command
    const child = spawn(program, args, {
      ...(mounted ? { cwd: folder } : options),
      env: { ...options.env, ...env },
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
        if (/ready to accept (read-only )?connections/.test(output)) ready()
      })
    })
  }

  async function stop(how: 'shutdown' | 'crash' = 'shutdown'): Promise<void> {
    const child = server
    server = null
    if (!child || child.exitCode !== null) return
    child.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT') // fast shutdown: connections are closed
    await once(child, 'exit')
  }

  await start()
  return {
    diskOutside: () => mounted?.outside(onDisk) ?? onDisk,
    urlOf: (database) => `postgresql://postgres@/${database}?host=${encodeURIComponent(folder)}`,
    folder,
    start,
    stop,
    async ended() {
      if (server && server.exitCode === null) await once(server, 'exit')
    },
    promote: () => use('pg_ctl', 'promote', '--silent'),
    async [Symbol.asyncDispose]() {
      await stop()
      await mounted?.[Symbol.asyncDispose]()
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The locale that comes with PostgreSQL since version 17. */
const BUILT_IN = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
const FOR_TESTS = ['max_connections=200', 'shared_buffers=64MB']

/** Yields an unprivileged user, because PostgreSQL refuses to run as root; null when this process is not root. */
export function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].map((name) => accounts.find(([login]) => login === name)).find(Boolean)
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}
