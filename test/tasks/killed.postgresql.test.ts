import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { planTask, type TaskHandler } from '../../src/areas/tasks/task.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Db, rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { openApi } from '../../src/service/service.ts'
import { sql } from '../../src/sql.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { spawn } from '../support/processes.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { ADMIN, counting, doneSteps, LOCK, prepareDone, testKinds } from './kinds.ts'

const TASKS = 6
const STEPS = 8

test('kill -9 in the middle of tasks: another process goes on with them, and does each step exactly once', async () => {
  await using world = await openWorld()
  const { db, url, directory, startTaskWorkers } = world
  for (let n = 1; n <= TASKS; n++)
    await planTask({ db, user: await admin(db) }, counting({ to: STEPS, waits: n % 2 ? 5 : 2 }))

  const child = spawn(resolve('node_modules/.bin/node'), [resolve('test/tasks/worker-process.ts')], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, MILLWRIGHT_DATA_DIR: directory },
    stdio: 'inherit',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [LOCK])
  await expect.poll(() => rows(db, WAITING), { timeout: 30_000 }).toHaveLength(2)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await holder.end()
  expect((await doneSteps(db)).length).toBeLessThan(TASKS * STEPS)
  expect(await rows(db, sql`select from tasks where state = 'running'`)).toHaveLength(2)

  await using _workers = await startTaskWorkers({ kinds: testKinds, timing: { poll: 100 } })
  await expect.poll(() => rows(db, sql`select from tasks where state <> 'stopped'`), { timeout: 30_000 }).toEqual([])
  const ended = await rows<{ id: number; result: string; seen: number[]; attempt: number }>(
    db,
    sql`select id, result, output -> 'seen' as seen, attempt from tasks order by id`,
  )
  const numbers = Array.from({ length: STEPS }, (_, n) => n + 1)
  for (const { id, result, seen } of ended) {
    expect({ result, seen }).toEqual({ result: 'success', seen: numbers.map((n) => n * 10) })
    expect(await doneSteps(db, id)).toEqual(numbers)
  }
  expect(ended.map(({ attempt }) => attempt).sort()).toEqual([1, 1, 1, 1, 2, 2])
  const pids = await rows<{ pid: number }>(db, sql`select distinct pid from done`)
  expect(pids.map(({ pid }) => pid).sort()).toEqual([process.pid, child.pid].sort())
}, 60_000)

test('a connection that breaks while the end of a task is stored does not have the task begun again', async () => {
  await using world = await openWorld()
  const { db, startTaskWorkers } = world
  const [begun, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: TaskHandler = async () => {
    begun.resolve()
    await letGo.promise
    return undefined
  }
  await using _workers = await startTaskWorkers({ kinds: { slow } })
  const { id } = await planTask({ db, user: await admin(db) }, counting({}, 'slow'))
  await begun.promise
  await db.transaction(async (tx) => {
    await sql`select from tasks where id = ${id} for no key update`.execute(tx)
    letGo.resolve()
    await expect.poll(() => breakWhoWaits(tx), { timeout: 10_000 }).toBe(1)
  })
  const read = () => rows(db, sql`select result, attempt from tasks`)
  await expect.poll(read, { timeout: 10_000 }).toEqual([{ result: 'success', attempt: 1 }])
}, 60_000)

/** Ends the connections that wait for a lock, and yields their number. */
async function breakWhoWaits(tx: Db): Promise<number> {
  await sql`select pg_stat_clear_snapshot()`.execute(tx)
  const broken = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await rows(tx, broken)).length
}

const WAITING = sql`select from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory' and datname = current_database()`

/** Opens the service on a database and a data directory of its own. */
async function openWorld() {
  const stack = new AsyncDisposableStack()
  const place = await testDatabaseUrl()
  stack.defer(() => place?.drop())
  const url = place?.url ?? ''
  const database = stack.use(await connect(testConfig({ url }), quiet))
  const directory = await mkdtemp(join(tmpdir(), 'millwright-tasks-'))
  stack.defer(() => rm(directory, { recursive: true }))
  const env = { MILLWRIGHT_DATA_DIR: directory, MILLWRIGHT_ADMIN_PASSWORD: 'x'.repeat(12) }
  const { startTaskWorkers } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  await prepareDone(database.db)
  return { db: database.db, url, directory, startTaskWorkers, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function admin(db: Db) {
  return (
    (await rows<{ id: number; login: string }>(db, sql`select id, login from users order by id limit 1`))[0] ?? ADMIN
  )
}
