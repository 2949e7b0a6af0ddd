import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { lockDirectory } from '../../src/database/lock.ts'
import { row } from '../../src/database/sql.ts'
import { spawn } from '../support/processes.ts'
import { quiet, testConfig } from '../support/settings.ts'

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
async function started(file: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
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

describe('the embedded database', () => {
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

  test('begins anew when making it was interrupted', async () => {
    mkdirSync(join(directory, 'database'), { recursive: true })
    mkdirSync(join(directory, 'database.unfinished'))
    writeFileSync(join(directory, 'database', 'PG_VERSION'), 'half')
    await using database = await connect(testConfig({ dataDir: directory }), quiet)
    expect(await row(database.db, sql`select 1 as one`)).toEqual({ one: 1 })
    expect(existsSync(join(directory, 'database.unfinished'))).toBe(false)
    expect(statSync(join(directory, 'database')).mode & 0o777).toBe(0o700)
    await expect(connect(testConfig({ dataDir: directory }), quiet)).rejects.toThrow('is in use by process')
  })
})

test('a database that cannot be started is named, and its directory is given back', async () => {
  mkdirSync(join(directory, 'database'), { recursive: true })
  writeFileSync(join(directory, 'database', 'PG_VERSION'), '9.6\n')
  await expect(connect(testConfig({ dataDir: directory }), quiet)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`The database in ${directory} cannot be started: `),
  })
  ;(await lockDirectory(directory))[Symbol.dispose]()
})

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
