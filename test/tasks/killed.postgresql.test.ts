import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { planTask } from '../../src/areas/tasks/task.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import { rows } from '../../src/database/sql.ts'
import { openApi } from '../../src/service.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { spawn } from '../support/processes.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { ADMIN, counting, doneSteps, LOCK, prepareDone, testKinds } from './kinds.ts'

const TASKS = 6
const STEPS = 8

test('kill -9 in the middle of tasks: another process goes on with them, and does each step exactly once', async () => {
  const place = await testDatabaseUrl()
  const url = place?.url ?? ''
  await using stack = new AsyncDisposableStack()
  stack.defer(() => place?.drop())
  const database = stack.use(await connect(testConfig({ url }), quiet))
  const { db } = database
  const directory = await mkdtemp(join(tmpdir(), 'millwright-tasks-'))
  stack.defer(() => rm(directory, { recursive: true }))
  const { startTaskWorkers } = await openApi(
    database,
    readConfig([], { MILLWRIGHT_DATA_DIR: directory, MILLWRIGHT_ADMIN_PASSWORD: 'x'.repeat(12) }, () => ''),
    quiet,
  )
  await prepareDone(db)
  for (let n = 1; n <= TASKS; n++)
    await planTask({ db, user: await admin() }, counting({ to: STEPS, waits: n % 2 ? 5 : 2 }))

  const child = spawn(resolve('node_modules/.bin/node'), [resolve('test/tasks/worker-process.ts')], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, MILLWRIGHT_DATA_DIR: directory },
    stdio: 'inherit',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await db.connection().execute(async (holding) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(holding)
    await expect.poll(() => rows(holding, WAITING), { timeout: 30_000 }).toHaveLength(2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await sql`select pg_advisory_unlock(${LOCK})`.execute(holding)
  })
  expect((await doneSteps(db)).length).toBeLessThan(TASKS * STEPS)
  expect(await rows(db, sql`select from tasks where state = 'running'`)).toHaveLength(2)

  stack.use(await startTaskWorkers({ kinds: testKinds, timing: { poll: 100 } }))
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

  async function admin() {
    return (
      (await rows<{ id: number; login: string }>(db, sql`select id, login from users order by id limit 1`))[0] ?? ADMIN
    )
  }
}, 60_000)

const WAITING = sql`select from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory' and datname = current_database()`
