import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { advanceRollout, lockRollouts } from '../../src/areas/runs/advance.ts'
import { type ClaimedRun, cancelRun, concludeRun, enqueueRun, runQueue } from '../../src/areas/runs/queue.ts'
import { cancelRollout, createRollout } from '../../src/areas/runs/requests.ts'
import type { Database } from '../../src/database/database.ts'
import { type Db, row, rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { claim } from '../../src/queue/queue.ts'
import { sql } from '../../src/sql.ts'
import { type Program, ready, start } from '../cli/program.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { callerOf, makeHosts, type RunShown } from './program-world.ts'
import { allRuns, commandProxy, eventually, hostProgram, insertHosts, proxy, startWorkers } from './queue-world.ts'

const place = await testDatabaseUrl()
const directory = mkdtempSync(join(tmpdir(), 'millwright-processes-'))
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await place?.drop()
})

test('two processes share the runs and the limit of a rollout; one that is killed gives its runs back within a minute', async () => {
  using program = hostProgram()
  const env = {
    DATABASE_URL: place?.url ?? '',
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
    MILLWRIGHT_RUN_COMMANDS: program.path,
    MILLWRIGHT_RUN_WORKERS: '3',
  }
  const [first, second] = [started(env), started(env)]
  const caller = callerOf(await ready(first))
  const other = callerOf(await ready(second))
  await makeHosts(caller, program.path, 12, 'wait')
  const rollout = await caller.post('/api/config_rollouts', { config_rollout: { search: 'has name', parallel: 4 } })
  const path = `/api/config_rollouts/${rollout.id}`
  await eventually(() => program.hosts('started').length).toBe(4)
  expect(await other.get(path)).toMatchObject({ running: 4, queued: 8 })
  expect(new Set((await runs(other)).flatMap(({ worker }) => worker ?? [])).size).toBe(2)

  first.process.kill('SIGKILL')
  await first.ended
  const died = performance.now() - LEASE_PASSED_MS
  await passLeases(first.process.pid ?? 0)
  program.letGo()
  await expect.poll(async () => (await other.get(path)).finished_at, { timeout: 60_000 }).not.toBeNull()
  expect(performance.now() - died).toBeLessThan(60_000)
  const ended = await runs(other)
  const failed = ended.filter(({ status }) => status === 'failed')
  expect(ended.filter(({ status }) => status === 'succeeded')).toHaveLength(12 - failed.length)
  expect(failed.length).toBeGreaterThan(0)
  expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['worker_died']))
  const hosts = program.hosts('started')
  expect(hosts.length).toBe(12)
  expect(new Set(hosts).size).toBe(12)
}, 120_000)

/** The part of a lease that the test does not wait for, in milliseconds. */
const LEASE_PASSED_MS = 25_000

/** Moves the leases of a process that has died into the past, as if the time had passed. */
async function passLeases(pid: number): Promise<void> {
  await using database = await connect(testConfig({ url: place?.url ?? '' }), quiet)
  const moved = await rows(
    database.db,
    sql`update config_runs set lease_expires_at = lease_expires_at - ${LEASE_PASSED_MS} * interval '1 millisecond'
      where worker like ${`%:${pid}:%`} returning id`,
  )
  expect(moved.length).toBeGreaterThan(0)
}

async function runs(
  caller: ReturnType<typeof callerOf>,
): Promise<(RunShown & { worker: string | null; reason: string | null })[]> {
  const { results } = await caller.get('/api/config_runs?per_page=all')
  return Promise.all(results.map(({ id }: RunShown) => caller.get(`/api/config_runs/${id}`)))
}

test('processes that claim at the same moment never claim the same run', async () => {
  const { databases } = await several(4)
  const [{ db }] = databases
  await sql`insert into hosts (name) select 'host-' || n || '.test' from generate_series(1, 200) n`.execute(db)
  await sql`insert into config_runs (host_id, host_name, next_attempt_at) select id, name, now() from hosts`.execute(db)
  const claims = databases.flatMap((database, n) =>
    Array.from({ length: 10 }, () => claim<ClaimedRun>(database.db, runQueue, `worker ${n}`, 5, 60_000)),
  )
  const claimed = (await Promise.all(claims)).flat().map(({ id }) => id)
  expect(new Set(claimed).size).toBe(claimed.length)
  const held = await rows(db, sql`select id from config_runs where status = 'running'`)
  expect(held).toHaveLength(claimed.length)
  expect(claimed.length).toBeGreaterThan(20)
})

test('rollouts of the same hosts, cancelled and worked on by everybody at once, end, and keep to their limits', async () => {
  const { databases, logged } = await several(4)
  const [{ db }] = databases
  using program = hostProgram('sleep 0.02')
  const proxyId = await commandProxy(databases[0], program.path)
  await insertHosts(
    db,
    proxyId,
    Array.from({ length: 120 }, (_, n) => `${n % 9 === 0 ? 'fail' : 'good'}-${n}.test`),
  )
  await insertAda(db)
  for (const database of databases) {
    await startWorkers(database, { commands: [program.path] }, { most: 5, log: logged.log, timing: { poll: 200 } })
  }
  const all = sql`true`
  const create = (n: number) =>
    databases[n % 4]?.db.transaction((tx) =>
      createRollout(tx, all, { search: 'x', parallel: 3, stopAfterFailures: n === 2 ? 4 : null }, ADA),
    )
  const made = await Promise.all([0, 1, 2, 3, 4, 5].map(create))
  const ids = made.map((rollout) => (rollout && 'id' in rollout ? rollout.id : 0))
  const hostIds = (await rows<{ id: number }>(db, sql`select id from hosts`)).map(({ id }) => id)
  const disturb = async () => {
    for (const [n, host] of hostIds.entries()) {
      const other = databases[n % 4]?.db ?? db
      const active = sql`select id from config_runs where host_id = ${host} and status in ('queued', 'running')`
      const run = await row<{ id: number }>(other, active)
      if (n % 3 === 0 && run) await cancelRun(other, run.id, 'ada')
    }
    await db.transaction((tx) => cancelRollout(tx, ids[3] ?? 0, 'ada'))
  }
  const [most] = await Promise.all([mostAtOnce(db, ids), disturb()])
  expect(most).toBeLessThanOrEqual(3)
  expect(logged.lines.filter(({ level }) => level >= 40)).toEqual([])
  const rollouts = await rows<{ finished_at: string | null }>(db, sql`select * from config_rollouts`)
  expect(rollouts.filter(({ finished_at }) => finished_at === null)).toEqual([])
  const active = sql`select from config_runs where status in ('queued', 'running') and rollout_id is not null`
  expect(await rows(db, active)).toEqual([])
}, 60_000)

test('the last two runs of a rollout that end at the same moment end it', async () => {
  const { databases } = await several(2)
  const [{ db }, other] = databases
  await insertHosts(db, await proxy(db, {}), ['a.test', 'b.test'])
  await insertAda(db)
  const rollout = await db.transaction((tx) =>
    createRollout(tx, sql`true`, { search: 'x', parallel: 2, stopAfterFailures: null }, ADA),
  )
  const id = 'id' in rollout ? rollout.id : 0
  const [first, second] = await claim<ClaimedRun>(db, runQueue, 'worker', 2, 60_000)
  if (!first || !second || !other) throw new Error('two runs were to be claimed')
  const succeeded = { status: 'succeeded', reason: null, exitStatus: 0, message: null } as const
  const after = await db.transaction(async (tx) => {
    await lockRollouts(tx, [id])
    await sql`
      update config_runs set status = 'succeeded', worker = null, lease_expires_at = null, finished_at = now()
      where id = ${first.id}`.execute(tx)
    await advanceRollout(tx, id)
    const ending = concludeRun(other.db, second, 'worker', succeeded, null, { size: 0, leftOut: 0 })
    await eventually(async () => (await rows(tx, WAITING)).length).toBe(1)
    return { ending }
  })
  expect(await after.ending).toBe(true)
  expect(await rows(db, sql`select status from config_rollouts where finished_at is not null`)).toEqual([
    { status: 'finished' },
  ])
})

const WAITING = sql`
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Yields how many runs of one rollout ran concurrently at most, until all rollouts have ended. */
async function mostAtOnce(db: Db, ids: readonly number[]): Promise<number> {
  let most = 0
  for (;;) {
    const found = await rows<{ running: number; open: number }>(
      db,
      sql`
        select (select count(*) from config_runs where rollout_id = o.id and status = 'running') as running,
          (o.finished_at is null)::integer as open
        from config_rollouts o where o.id = any (${ids}::bigint[])`,
    )
    most = Math.max(most, ...found.map(({ running }) => running))
    if (found.every(({ open }) => open === 0)) return most
    await sleep(5)
  }
}

test('connections that break in the middle of runs lose neither output nor outcome', async () => {
  const { databases } = await several(2)
  const [database, other] = databases
  using program = hostProgram()
  await insertHosts(database.db, await commandProxy(database, program.path), ['wait-1.test', 'wait-2.test'])
  await insertAda(database.db)
  const hosts = await rows<{ id: number }>(database.db, sql`select id from hosts`)
  for (const { id } of hosts) await enqueueRun(database.db, id, ADA)
  await startWorkers(database, { commands: [program.path] })
  await eventually(() => program.hosts('started').length).toBe(2)
  const breaking = async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other?.db ?? database.db)
  }
  await breaking()
  program.letGo()
  await breaking()
  const read = () => allRuns({ db: other?.db ?? database.db })
  await expect
    .poll(async () => (await read()).map(({ status }) => status), { timeout: 20_000 })
    .toEqual(['succeeded', 'succeeded'])
  expect((await read()).map(({ output }) => output)).toEqual([
    'configuring wait-1.test\ndone\n',
    'configuring wait-2.test\ndone\n',
  ])
}, 60_000)

const ADA = { id: 1, login: 'ada' }

async function insertAda(db: Db): Promise<void> {
  await sql`insert into auth_sources (id, type, name) values (1, 'AuthSourceInternal', 'Internal')`.execute(db)
  await sql`insert into users (id, login, auth_source_id) values (1, 'ada', 1)`.execute(db)
}

interface Several {
  readonly databases: [Database, ...Database[]]
  readonly logged: { readonly log: Logger; readonly lines: { level: number; msg: string }[] }
}

/** Opens connections of several processes to a database of the test. */
async function several(count: number): Promise<Several> {
  const own = await testDatabaseUrl()
  const open = () => connect(testConfig({ url: own?.url ?? null }), quiet)
  const databases: [Database, ...Database[]] = [await open()]
  while (databases.length < count) databases.push(await open())
  onTestFinished(async () => {
    for (const database of databases) await database[Symbol.asyncDispose]()
    await own?.drop()
  })
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { databases, logged: { log, lines } }
}

function started(env: Record<string, string>): Program {
  const program = start(['--port', '0'], directory, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  return program
}
