import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type Db, rows } from '../../src/database/sql.ts'
import { randomFrom } from '../fuzz/random.ts'
import { seedOfRun } from '../support/seed.ts'
import { MIGRATIONS, quiet, testConfig } from '../support/settings.ts'
import { listening } from './listening.ts'

// The thread of the embedded database ends at moments that nobody chose: from outside, and by faults inside PGlite.
// docs/decisions/0021-embedded-thread.md

let dataDir: string
const threads: Worker[] = []
const remember = (thread: Worker) => void threads.push(thread)
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'millwright-killed-'))
  process.on('worker', remember)
})
afterEach(() => {
  process.off('worker', remember)
  threads.length = 0
  rmSync(dataDir, { recursive: true, force: true })
})

const open = () => connect(testConfig({ dataDir, statementTimeoutMs: 60_000 }), quiet)
const killThread = () => threads.at(-1)?.terminate()

describe('killed at random moments', () => {
  // It stands in the names of the tests, and repeats their moments as far as the machine is equally quick.
  const seed = seedOfRun()
  const random = randomFrom(seed)
  const KILLS = 10
  const PARTS = 3000

  test(`in writes and in commits, nothing acknowledged is lost and nothing is half done (TEST_SEED=${seed})`, async () => {
    await using database = await open()
    const { db } = database
    await sql`create table totals (number int primary key)`.execute(db)
    // Checked by the commit, which so has something to do that can be interrupted.
    await sql`create table parts (number int references totals deferrable initially deferred, part int)`.execute(db)
    await store(db, 0)
    const acknowledged = [0]
    const interrupted = { write: 0, commit: 0 }
    for (let kill = 1; kill <= KILLS; kill++) {
      const during = kill % 2 === 0 ? 'write' : 'commit'
      const stored = await Promise.allSettled([store(db, kill, during)])
      for (const result of stored) {
        if (result.status === 'fulfilled') acknowledged.push(kill)
        else {
          expect(result.reason).toMatchObject({ code: 'unavailable', status: 503 })
          interrupted[during]++
        }
      }
      await store(db, 1000 + kill)
      acknowledged.push(1000 + kill)
    }
    const found = await rows<{ number: number; parts: number }>(
      db,
      sql`select number, (select count(*) from parts where parts.number = totals.number) as parts from totals`,
    )
    expect(found.filter(({ parts }) => parts !== PARTS)).toEqual([])
    const orphans = sql`select distinct number from parts where number not in (select number from totals)`
    expect(await rows(db, orphans)).toEqual([])
    expect(acknowledged.filter((number) => !found.some((one) => one.number === number))).toEqual([])
    expect(interrupted.write).toBeGreaterThan(0)
    expect(interrupted.commit).toBeGreaterThan(0)
  }, 180_000)

  const took = { write: 0, commit: 0 }

  /** Stores a total and its parts in one transaction; the thread is killed in the middle of the write or of the commit. */
  function store(db: Db, number: number, kill?: 'write' | 'commit'): Promise<void> {
    return db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      const parts = sql`insert into parts select ${number}, n from generate_series(1, ${PARTS}::int) n`
      await killedIn('write', () => parts.execute(connection), kill)
      await sql`insert into totals values (${number})`.execute(connection)
      await killedIn('commit', () => sql`commit`.execute(connection), kill)
    })
  }

  async function killedIn(what: 'write' | 'commit', work: () => Promise<unknown>, kill?: string): Promise<void> {
    const start = performance.now()
    const done = work()
    if (kill === what) {
      done.catch(() => undefined)
      await turn()
      // A timer would come at full milliseconds only.
      const moment = performance.now() + (took[what] * random.below(1000)) / 1000
      while (performance.now() < moment);
      await killThread()
    }
    await done
    took[what] = performance.now() - start
  }

  test(`requests in flight get 503 and when to come again, the others their answers (TEST_SEED=${seed})`, async () => {
    await using database = await open()
    await migrate(database, MIGRATIONS)
    await using api = await listening(database, dataDir)
    const created: string[] = []
    let refused = 0
    for (let kill = 1; kill <= 4; kill++) {
      const names = Array.from({ length: 30 }, (_, index) => `of_${kill}_${index}`)
      const answers = names.map(async (name) => {
        const { status, headers } = await api.fetch('/api/architectures', {
          method: 'POST',
          body: JSON.stringify({ name }),
        })
        return { name, status, after: headers.get('retry-after') }
      })
      await Promise.race(answers.slice(random.below(25)))
      const killed = killThread()
      expect((await api.fetch('/livez')).status).toBe(200)
      await killed
      for (const { name, status, after } of await Promise.all(answers)) {
        expect([`201 null`, '503 2']).toContain(`${status} ${after}`)
        if (status === 201) created.push(name)
        else refused++
      }
      await vi.waitFor(async () => expect((await api.fetch('/readyz')).status).toBe(200), 20_000)
    }
    expect(refused).toBeGreaterThan(0)
    const found = await named(api, '/api/architectures?per_page=all', 'name')
    expect(created.filter((name) => !found.includes(name))).toEqual([])
    const audits = '/api/audits?per_page=all&search=type%20%3D%20architecture%20and%20action%20%3D%20create'
    expect(await named(api, audits, 'auditable_name')).toEqual(found.filter((name) => name.startsWith('of_')))
  }, 120_000)
})

describe('a fault inside PGlite', () => {
  test('that overflows its stack ends the thread; the service lives, and goes on with what was committed', async () => {
    await using database = await open()
    await migrate(database, MIGRATIONS)
    await using api = await listening(database, dataDir)
    expect(await create(api, 'kept')).toEqual([201, null])
    const fault = rows(database.db, sql`select repeat('[', 3000000)::jsonb`).catch((error: unknown) => error)
    await turn()
    const inFlight = create(api, 'lost')
    expect((await api.fetch('/livez')).status).toBe(200)
    expect(await fault).toMatchObject({ code: 'unavailable', cause: { message: expect.stringContaining('stack') } })
    expect(await inFlight).toEqual([503, '2'])
    expect(threads).toHaveLength(2)
    expect(await create(api, 'kept')).toEqual([422, null])
    expect(await create(api, 'lost')).toEqual([201, null])
  }, 120_000)

  test('whose log is away for a while is tried again until it is back', async () => {
    await using database = await open()
    await migrate(database, MIGRATIONS)
    await using api = await listening(database, dataDir)
    expect(await create(api, 'kept')).toEqual([201, null])
    const log = join(dataDir, 'database/pg_wal')
    renameSync(log, `${log}.away`)
    await rows(database.db, sql`select pg_switch_wal()`)
    expect(await create(api, 'lost')).toEqual([503, '2'])
    expect((await api.fetch('/readyz')).status).toBe(503)
    expect((await api.fetch('/livez')).status).toBe(200)
    renameSync(`${log}.away`, log)
    await vi.waitFor(async () => expect((await api.fetch('/readyz')).status).toBe(200), 20_000)
    expect(await create(api, 'kept')).toEqual([422, null])
    expect(await create(api, 'lost')).toEqual([201, null])
  }, 120_000)
})

type Api = Awaited<ReturnType<typeof listening>>

async function create({ fetch }: Api, name: string): Promise<[number, string | null]> {
  const { status, headers } = await fetch('/api/architectures', { method: 'POST', body: JSON.stringify({ name }) })
  return [status, headers.get('retry-after')]
}

/** What the records of a list are called, in order. */
async function named({ fetch }: Api, path: string, key: string): Promise<string[]> {
  const { results } = (await (await fetch(path)).json()) as { results: Record<string, string>[] } // a list
  return results.map((one) => one[key] ?? '').sort()
}
