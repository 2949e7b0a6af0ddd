import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { lockDirectory } from '../../src/postgresql/directory-lock.ts'
import { migrate } from '../../src/postgresql/migrate.ts'
import { sql } from '../../src/sql.ts'
import { postgresqlBinaries } from '../support/postgresql.ts'
import { spawn } from '../support/processes.ts'
import { MIGRATIONS, quiet, testConfig } from '../support/settings.ts'
import { listening } from './listening.ts'

const server = postgresqlBinaries()
if (!server && process.env.CI === 'true') throw new Error('PostgreSQL is not installed (.ci/run installs it)')
if (!server) console.log('skipped: other programs of PostgreSQL (there are none on this machine)')

let directory: string
const children: ChildProcess[] = []

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'millwright-data-')), 'new', 'data')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(join(directory, '../..'), { recursive: true })
})

/** A process of its own that runs a file beside this one with arguments, once it has printed its first line. */
function started(file: string, ...args: string[]): Promise<ChildProcess> {
  return startedBy([process.execPath], {}, file, ...args)
}

/** As above, where words begin the command and the process has an account. */
async function startedBy(
  [program = '', ...words]: readonly string[],
  account: { readonly uid?: number; readonly gid?: number },
  file: string,
  ...args: string[]
): Promise<ChildProcess> {
  const child = spawn(program, [...words, join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  })
  children.push(child)
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

describe('the lock of a data directory', () => {
  test('keeps another process out, whose message names the directory and the process', async () => {
    const child = await started('hold-lock.ts', directory)
    await expect(lockDirectory(directory)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The data directory ${directory} is in use by process ${child.pid}: stop it first, or choose another directory`,
    })
  })

  test('goes with its process, however that ends', async () => {
    const child = await started('hold-lock.ts', directory)
    child.kill('SIGKILL')
    await once(child, 'exit')
    using lock = await lockDirectory(directory)
    expect(readFileSync(join(lock.directory, 'owner'), 'utf8')).toBe(`${process.pid}\n`)
  })

  test('keeps the same process out too, until it is given back', async () => {
    const lock = await lockDirectory(directory)
    await expect(lockDirectory(directory)).rejects.toThrow(`is in use by process ${process.pid}`)
    lock[Symbol.dispose]()
    ;(await lockDirectory(directory))[Symbol.dispose]()
  })

  test('makes a directory that nobody else can read', async () => {
    using _ = await lockDirectory(directory)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test('says what is wrong with a path that cannot be one', async () => {
    mkdirSync(join(directory, '..'), { recursive: true })
    writeFileSync(directory, '')
    await expect(lockDirectory(directory)).rejects.toThrow(`The data directory ${directory} cannot be used: EEXIST`)
  })
})

describe('the bundled database', () => {
  test('keeps what was committed when its process is killed, thirty times', async () => {
    // Two places at a time, each killed again and again at a number of writes that differs.
    const lane = async (place: string) => {
      const dataDir = join(directory, place)
      let committed = 0
      for (let round = 1; round <= 15; round++) {
        const child = await started('write-forever.ts', dataDir)
        committed = Number(await lineAfter(child, 1 + ((round * 7) % 23)))
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await using database = await connect(testConfig({ dataDir }), quiet)
      const found = await row<{ count: number; last: number }>(
        database.db,
        sql`select count(*), max(number) as last from written`,
      )
      expect(found?.last).toBeGreaterThanOrEqual(committed)
      expect(found?.count).toBe(found?.last)
    }
    await Promise.all(['one', 'other'].map(lane))
  }, 600_000)

  test('goes on within seconds when it is killed, and loses nothing that was acknowledged', async () => {
    await using database = await open()
    await migrate(database, MIGRATIONS)
    await using api = await listening(database, directory)
    const created: string[] = []
    let refused = 0
    for (let kill = 1; kill <= 5; kill++) {
      const names = Array.from({ length: 30 }, (_, at) => `of_${kill}_${at}`)
      const answers = names.map(async (name) => {
        const { status, headers } = await api.fetch('/api/architectures', {
          method: 'POST',
          body: JSON.stringify({ name }),
        })
        return { name, status, after: headers.get('retry-after') }
      })
      await Promise.race(answers.slice(kill * 5 - 5))
      process.kill(readPostmaster(), 'SIGKILL')
      for (const { name, status, after } of await Promise.all(answers)) {
        expect(['201 null', '503 2']).toContain(`${status} ${after}`)
        if (status === 201) created.push(name)
        else refused++
      }
      expect((await api.fetch('/livez')).status).toBe(200)
      await vi.waitFor(async () => {
        expect(isRunning(readPostmaster())).toBe(true) // all may have been answered before the kill
        expect((await api.fetch('/readyz')).status).toBe(200)
      }, 20_000)
    }
    expect(refused).toBeGreaterThan(0)
    const list = await (await api.fetch('/api/architectures?per_page=all')).json()
    const found = new Set((list as { results: { name: string }[] }).results.map(({ name }) => name)) // a list
    expect(created.filter((name) => !found.has(name))).toEqual([])
  }, 240_000)

  test('ends with its process, also where that is killed', async () => {
    const child = await started('write-forever.ts', directory)
    const pid = readPostmaster()
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000)
    await using database = await open()
    expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
    const next = readPostmaster()
    await database[Symbol.asyncDispose]()
    expect(isRunning(next)).toBe(false)
  }, 60_000)

  test('is begun again beside one that nobody stopped, and where its number is that of another process', async () => {
    const child = await started('write-forever.ts', directory)
    const left = readPostmaster()
    const shell = readParent(left)
    const helpers = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ').map(Number)
    for (const pid of [...helpers.filter((pid) => pid !== left), shell]) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isRunning(left)).toBe(true)
    {
      // By another path to the same folder.
      symlinkSync(directory, join(directory, '../alias'))
      await using database = await connect(testConfig({ dataDir: join(directory, '../alias') }), quiet)
      const counted = await row<{ count: number }>(database.db, sql`select count(*) from written`)
      expect(counted?.count).toBeGreaterThan(0)
      expect(isRunning(left)).toBe(false)
    }
    writeFileSync(join(directory, 'postgresql/postmaster.pid'), `${process.pid}\n`)
    await using database = await open()
    expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
  }, 60_000)

  test('is reached by its owner alone', async () => {
    await using database = await open()
    expect(await row(database.db, sql`select current_setting('listen_addresses') as addresses`)).toEqual({
      addresses: '',
    })
    for (const name of ['.', '.s.PGSQL.5432', 'postgresql'])
      expect(statSync(join(directory, name)).mode & 0o77, name).toBe(0)
  })

  test('has its socket elsewhere where the path of its directory is long', async () => {
    directory = join(directory, 'x'.repeat(100))
    await using database = await open()
    expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
    directory = join(directory, '..')
  })

  test('runs as the owner of its directory where root starts it', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('this is about root')
    mkdirSync(directory, { recursive: true })
    for (const folder of ['../..', '..']) chmodSync(join(directory, folder), 0o755)
    chownSync(directory, 65534, 65534)
    await using database = await open()
    expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
    expect(readFileSync(`/proc/${readPostmaster()}/status`, 'utf8')).toMatch(/^Uid:\t65534\t/m)
    expect(statSync(join(directory, 'libraries')).uid).toBe(65534)
  })

  test('runs as nobody where root starts it and user namespaces are forbidden', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('this is about root')
    mkdirSync(directory, { recursive: true })
    for (const folder of ['../..', '..']) chmodSync(join(directory, folder), 0o755)
    // A database whose files still belong to root goes on.
    await (await open())[Symbol.asyncDispose]()
    const changedRoot = ['unshare', '--mount', 'sh', '-c', 'mount --rbind / /mnt && exec chroot /mnt "$@"', 'sh']
    await startedBy([...changedRoot, process.execPath], {}, 'write-forever.ts', directory)
    expect(readFileSync(`/proc/${readPostmaster()}/status`, 'utf8')).toMatch(/^Uid:\t65534\t/m)
  }, 60_000)

  test('is made and runs where the account of the service has no name', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root starts processes of other accounts')
    mkdirSync(directory, { recursive: true })
    for (const folder of ['../..', '..']) chmodSync(join(directory, folder), 0o755)
    chownSync(directory, 54321, 54321)
    await startedBy([process.execPath], { uid: 54321, gid: 54321 }, 'write-forever.ts', directory)
    expect(readFileSync(`/proc/${readPostmaster()}/status`, 'utf8')).toMatch(/^Uid:\t54321\t/m)
  }, 60_000)

  test.skipIf(!server)('is served by the programs that the configuration names', async () => {
    const postgresqlBin = server
    await using database = await connect(testConfig({ dataDir: directory, postgresqlBin }), quiet)
    const found = await row<{ version: string }>(database.db, sql`select current_setting('server_version') as version`)
    expect(server).toContain(`/${Number.parseInt(found?.version ?? '', 10)}/`)
    await database[Symbol.asyncDispose]()
  })

  test('is refused without programs that can be run', async () => {
    const attempt = (postgresqlBin: string) => connect(testConfig({ dataDir: directory, postgresqlBin }), quiet)
    await expect(attempt('/no/such')).rejects.toThrow('There is no program postgres in /no/such')
    const broken = join(directory, '../broken')
    mkdirSync(broken, { recursive: true })
    writeFileSync(join(broken, 'postgres'), '#!/bin/sh\necho no library >&2; exit 1\n', { mode: 0o755 })
    await expect(attempt(broken)).rejects.toThrow(
      `The PostgreSQL in ${broken} cannot be run (no library): name the folder of another PostgreSQL with --postgresql-bin`,
    )
  })

  test('begins anew when making it was interrupted', async () => {
    mkdirSync(join(directory, 'postgresql.unfinished'), { recursive: true })
    writeFileSync(join(directory, 'postgresql.unfinished/PG_VERSION'), 'half')
    // Links to programs that were somewhere else before.
    const libraries = join(directory, 'libraries')
    mkdirSync(libraries)
    symlinkSync('/no/such/library', join(libraries, 'libpq.so.5'))
    await using database = await open()
    expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
    expect(existsSync(join(libraries, 'libpq.so.5'))).toBe(true)
    expect(existsSync(join(directory, 'postgresql.unfinished'))).toBe(false)
    await expect(open()).rejects.toThrow('is in use by process')
  })

  test('is refused where a former version or another PostgreSQL has made it', async () => {
    mkdirSync(join(directory, 'database'), { recursive: true })
    writeFileSync(join(directory, 'database/PG_VERSION'), '17\n')
    await expect(open()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /holds an embedded database of a former version.*millwright backup .*millwright restore /,
      ),
    })
    mkdirSync(join(directory, 'postgresql'))
    writeFileSync(join(directory, 'postgresql/PG_VERSION'), '17\n')
    await expect(open()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /is one of PostgreSQL 17, and the programs here are version 18.*upgrade-database.*--postgresql-bin/,
      ),
    })
    ;(await lockDirectory(directory))[Symbol.dispose]()
  })
})

test('a database that cannot be started is named, with the reason, and its directory is given back', async () => {
  mkdirSync(join(directory, 'postgresql'), { recursive: true })
  writeFileSync(join(directory, 'postgresql/PG_VERSION'), '18\n')
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(`^The database in ${directory} cannot be started: .*No such file`),
  })
  ;(await lockDirectory(directory))[Symbol.dispose]()
})

const open = () => connect(testConfig({ dataDir: directory }), quiet)

/** The number of the process that is PostgreSQL in the directory. */
function readPostmaster(): number {
  return Number.parseInt(readFileSync(join(directory, 'postgresql/postmaster.pid'), 'utf8'), 10)
}

function readParent(pid: number): number {
  return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** What has ended may stay in the list of processes until somebody asks for its end. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/exe`)
}

/** What the child printed last, once it has printed so many whole lines. */
async function lineAfter(child: ChildProcess, count: number): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    const lines = output.split('\n').slice(0, -1)
    if (lines.length >= count) return lines.at(-1) ?? ''
  }
  throw new Error(`The process ended after ${output}`)
}
