import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deleteOldRuns } from '../../src/areas/runs/old-runs.ts'
import { type ClaimedRun, cancelRun, concludeRun, enqueueRun, launchRun, runQueue } from '../../src/areas/runs/queue.ts'
import { createRollout } from '../../src/areas/runs/requests.ts'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { claim } from '../../src/queue/queue.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'
import { unusedPort } from '../support/peers/listener.ts'
import { BEHAVIOURS, startProxy } from '../support/peers/proxy.ts'
import {
  allRuns,
  commandProxy,
  eventually,
  type HostProgram,
  hostProgram,
  insertHosts,
  proxy,
  startWorkers,
} from './queue-world.ts'

const SOMEBODY = { id: 1, login: 'ada' }

let database: Database
let program: HostProgram
beforeAll(async () => {
  database = await openTestDatabase()
})
afterEach(() => truncateAll(database))
afterEach(() => program?.[Symbol.dispose]())
afterAll(() => database?.[Symbol.asyncDispose]())

/** Inserts runs of new hosts with these names, which execute the program. */
async function asked(names: readonly string[], columns: Record<string, unknown> = {}): Promise<number[]> {
  program = hostProgram()
  await insertSomebody()
  const hosts = await insertHosts(database.db, await commandProxy(database, program.path, columns), names)
  const ids: number[] = []
  for (const id of hosts) ids.push((await enqueueRun(database.db, id, SOMEBODY))?.id ?? 0)
  return ids
}

async function insertSomebody(): Promise<void> {
  await sql`insert into auth_sources (id, type, name) values (1, 'AuthSourceInternal', 'Internal')`.execute(database.db)
  await sql`insert into users (id, login, auth_source_id) values (1, 'ada', 1)`.execute(database.db)
}

async function ended(): Promise<Awaited<ReturnType<typeof allRuns>>> {
  await expect
    .poll(async () => (await allRuns(database)).filter(({ status }) => ['queued', 'running'].includes(status)), {
      timeout: 15_000,
    })
    .toEqual([])
  return allRuns(database)
}

async function statusOf(id: number): Promise<string | undefined> {
  return (await allRuns(database)).find((run) => run.id === id)?.status
}

test('a run succeeds or fails as its command does, with its output and exit status', async () => {
  await asked(['good.example.test', 'fail-1.example.test'])
  await startWorkers(database, { commands: [program.path] })
  const [good, bad] = await ended()
  expect(good).toMatchObject({
    status: 'succeeded',
    runner: 'command',
    attempt: 1,
    exit_status: 0,
    message: null,
    worker: null,
    output: 'configuring good.example.test\ndone\n',
  })
  expect(bad).toMatchObject({
    status: 'failed',
    exit_status: 3,
    reason: 'exited',
    message: expect.stringContaining('3'),
  })
  expect(bad?.output).toContain('no catalog')
})

test('a second request joins the run that is queued or running, never one that has ended', async () => {
  const [first] = await asked(['wait-1.example.test'])
  const [host] = await rows<{ id: number }>(database.db, sql`select id from hosts`)
  const again = () => enqueueRun(database.db, host?.id ?? 0, SOMEBODY)
  expect(await again()).toEqual({ id: first, joined: true })
  await startWorkers(database, { commands: [program.path] })
  await eventually(() => statusOf(first ?? 0)).toBe('running')
  expect(await again()).toEqual({ id: first, joined: true })
  program.letGo()
  await ended()
  expect(await again()).toMatchObject({ joined: false })
})

test('requests at the same moment make one run', async () => {
  await asked([])
  const [host = 0] = await insertHosts(database.db, null, ['one.example.test'])
  const answers = await Promise.all(Array.from({ length: 20 }, () => enqueueRun(database.db, host, SOMEBODY)))
  expect(new Set(answers.map((answer) => answer?.id)).size).toBe(1)
  expect(answers.filter((answer) => !answer?.joined)).toHaveLength(1)
})

test('only so many runs go on at once in a process', async () => {
  await asked(['wait-1.test', 'wait-2.test', 'wait-3.test', 'wait-4.test', 'wait-5.test'])
  const workers = await startWorkers(database, { commands: [program.path] }, { most: 2 })
  await eventually(started).toHaveLength(2)
  expect(workers.running()).toBe(2)
  const runs = await allRuns(database)
  expect(runs.map(({ status }) => status)).toEqual(['running', 'running', 'queued', 'queued', 'queued'])
  program.letGo()
  expect((await ended()).map(({ status }) => status)).toEqual(Array(5).fill('succeeded'))
})

test('no more is claimed than there is room for, also where the planner takes the queue for one row', async () => {
  await asked(['first.test'])
  await sql`vacuum full config_runs`.execute(database.db)
  await sql`analyze config_runs`.execute(database.db)
  for (const host of await insertHosts(database.db, null, ['a.test', 'b.test', 'c.test', 'd.test']))
    await enqueueRun(database.db, host, SOMEBODY)
  await sql`update config_runs set next_attempt_at = now() - interval '1 second'`.execute(database.db)
  expect(await claim(database.db, runQueue, 'worker', 2, 60_000)).toHaveLength(2)
})

const started = () => program.hosts('started')

test('a host that could not be reached is tried again, three times in all', async () => {
  program = hostProgram()
  await insertSomebody()
  const away = await proxy(database.db, { url: `http://127.0.0.1:${await unusedPort()}` })
  const [host = 0] = await insertHosts(database.db, away, ['away.example.test'])
  await enqueueRun(database.db, host, SOMEBODY)
  await startWorkers(database, {}, { timing: { backOff: 20 } })
  const [run] = await ended()
  expect(run).toMatchObject({
    status: 'failed',
    attempt: 3,
    reason: 'refused',
    message: expect.stringContaining('127.0.0.1'),
  })
  expect(run?.output?.match(/trying again in/g)).toHaveLength(2)
})

test('a run that may have begun is not tried again', async () => {
  program = hostProgram()
  await insertSomebody()
  await using peer = await startProxy()
  peer.behave(BEHAVIOURS['resets at once'])
  const [host = 0] = await insertHosts(database.db, await proxy(database.db, { url: peer.url }), ['lost.example.test'])
  await enqueueRun(database.db, host, SOMEBODY)
  await startWorkers(database, {}, { timing: { backOff: 20 } })
  const [run] = await ended()
  expect(run).toMatchObject({ status: 'failed', attempt: 1, reason: 'connection_lost' })
  expect(peer.asked).toHaveLength(1)
})

test('a queued run is cancelled at once, and never begins', async () => {
  const [id = 0] = await asked(['good.example.test'])
  expect(await cancelRun(database.db, id, 'eve')).toBe('cancelled')
  await startWorkers(database, { commands: [program.path] })
  expect(await ended()).toMatchObject([{ status: 'cancelled', message: 'cancelled by eve', attempt: 0 }])
  expect(started()).toEqual([])
})

test('a running run is stopped, and cancelled then', async () => {
  const [id = 0] = await asked(['wait-1.example.test'])
  await startWorkers(database, { commands: [program.path] })
  await eventually(started).toHaveLength(1)
  expect(await cancelRun(database.db, id, 'eve')).toBe('stopping')
  expect(await ended()).toMatchObject([{ status: 'cancelled', message: 'cancelled' }])
  expect(await cancelRun(database.db, id, 'eve')).toBe('ended')
})

test('a worker that died gives its run back when its lease is over: queued again if it had not begun, else failed', async () => {
  await asked(['never-begun.example.test', 'begun.example.test', 'still-held.example.test'])
  const dead = await claim<ClaimedRun>(database.db, runQueue, 'dead', 2, -1)
  await launchRun(database.db, dead[1]?.id ?? 0, 'dead')
  const held = await claim<ClaimedRun>(database.db, runQueue, 'alive', 1, 60_000)
  await startWorkersOfMany({ commands: [program.path] })
  await expect
    .poll(async () => (await allRuns(database)).map(({ status }) => status))
    .toEqual(['succeeded', 'failed', 'running'])
  const [first, second, third] = await allRuns(database)
  expect(first).toMatchObject({ attempt: 2 })
  expect(second).toMatchObject({
    reason: 'worker_died',
    message: 'the process that ran it died; whether the run came to its end there is not known',
  })
  expect(third).toMatchObject({ id: held[0]?.id, worker: 'alive' })
  expect(started()).toEqual(['never-begun.example.test'])
})

/** Starts workers as on a server, where other processes may be alive. */
function startWorkersOfMany(settings: Parameters<typeof startWorkers>[1]) {
  return startWorkers({ ...database, kind: 'postgresql' }, settings)
}

test('a run that takes longer than its lease is held by renewals', async () => {
  const [id = 0] = await asked(['wait-1.example.test'])
  await startWorkers(database, { commands: [program.path] }, { timing: { lease: 3000, poll: 500 } })
  await eventually(started).toHaveLength(1)
  const leaseOf = async () => {
    const [found] = await rows<{ lease: string }>(
      database.db,
      sql`select lease_expires_at::text as lease from config_runs`,
    )
    return found?.lease
  }
  const leases = new Set<unknown>()
  await eventually(async () => leases.add(await leaseOf()).size).toBeGreaterThan(3)
  expect(await statusOf(id)).toBe('running')
  program.letGo()
  expect(await ended()).toMatchObject([{ status: 'succeeded', attempt: 1 }])
})

test('a run goes on when the clock of the database jumps, whatever that makes of its lease', async () => {
  await asked(['wait-1.example.test'])
  const workers = await startWorkers(
    { ...database, kind: 'postgresql' },
    { commands: [program.path] },
    { timing: { lease: 6000, poll: 100 } },
  )
  await eventually(started).toHaveLength(1)
  const isHeld = async () => {
    const soon = sql`lease_expires_at between now() and now() + interval '1 minute' as held, status`
    return (await rows(database.db, sql`select ${soon} from config_runs`))[0]
  }
  for (const jump of ['-1 hour', '1 hour', '1 year']) {
    await sql`update config_runs set lease_expires_at = lease_expires_at + ${jump}::interval`.execute(database.db)
    await eventually(isHeld).toEqual({ held: true, status: 'running' })
  }
  expect(workers.running()).toBe(1)
  program.letGo()
  expect(await ended()).toMatchObject([{ status: 'succeeded', attempt: 1 }])
})

test('runs that ended long ago are deleted, with their output and with rollouts of which nothing is left', async () => {
  await asked(['old.example.test', 'new.example.test'])
  await startWorkers(database, { commands: [program.path] })
  await ended()
  await sql`insert into config_rollouts (search, finished_at) values ('x', now() - interval '40 days'), ('y', now())`.execute(
    database.db,
  )
  await sql`update config_runs set finished_at = now() - interval '40 days' where host_name = 'old.example.test'`.execute(
    database.db,
  )
  expect(await deleteOldRuns(database.db, 41, new AbortController().signal)).toBe(0)
  expect(await deleteOldRuns(database.db, 39, new AbortController().signal)).toBe(1)
  expect((await allRuns(database)).map((run) => run.host_name)).toEqual(['new.example.test'])
  expect(await rows(database.db, sql`select distinct config_run_id from config_run_output`)).toHaveLength(1)
  expect(await rows(database.db, sql`select search from config_rollouts`)).toEqual([{ search: 'y' }])
})

test('a run that waits for its next attempt does not outlive its rollout', async () => {
  await insertSomebody()
  await insertHosts(database.db, await proxy(database.db, {}), ['a.test', 'b.test'])
  await database.db.transaction((tx) =>
    createRollout(tx, sql`true`, { search: 'x', parallel: 2, stopAfterFailures: 1 }, SOMEBODY),
  )
  // Equally old runs are claimed in any order.
  const claimed = await claim<ClaimedRun>(database.db, runQueue, 'worker', 2, 60_000)
  const [first, second] = claimed.toSorted((one, other) => one.id - other.id)
  if (!first || !second) throw new Error('two runs were to be claimed')
  const nothing = { size: 0, leftOut: 0 }
  const failed = { status: 'failed', reason: 'exited', exitStatus: 1, message: 'exited' } as const
  await concludeRun(database.db, first, 'worker', failed, null, nothing)
  const again = { status: 'queued', delayMs: 5000, counted: true, message: 'refused' } as const
  await concludeRun(database.db, second, 'worker', again, null, nothing)
  expect(await allRuns(database)).toMatchObject([
    { status: 'failed' },
    { status: 'cancelled', message: 'the rollout was stopped after one failed run' },
  ])
  expect(await rows(database.db, sql`select status from config_rollouts where finished_at is not null`)).toEqual([
    { status: 'stopped' },
  ])
})

test('a worker whose lease is gone ends its run, does not say how it ended, and only then begins it again', async () => {
  const [taken = 0, queued = 0] = await asked(['wait-1.example.test', 'wait-2.example.test'])
  await startWorkers(database, { commands: [program.path] }, { timing: { lease: 3000 } })
  await eventually(started).toHaveLength(2)
  const startedOnce = started()
  await sql`
    update config_runs
    set status = case id when ${taken} then 'running' else 'queued' end, worker = case id when ${taken} then 'another' end,
      lease_expires_at = case id when ${taken} then now() + interval '1 hour' end, next_attempt_at = now()`.execute(
    database.db,
  )
  await eventually(started).toEqual([...startedOnce, 'wait-2.example.test'])
  expect(countGroups('wait-2')).toBe(1)
  await eventually(() => countGroups('wait-1')).toBe(0)
  program.letGo()
  await eventually(() => statusOf(queued)).toBe('succeeded')
  expect(await statusOf(taken)).toBe('running')
})

test('the stop of the service hands a command back to the queue, once it is gone', async () => {
  await asked(['wait-1.example.test'])
  const workers = await startWorkers(database, { commands: [program.path] })
  await eventually(started).toHaveLength(1)
  await workers[Symbol.asyncDispose]()
  expect(running(program.path)).toBe(false)
  expect(await allRuns(database)).toMatchObject([{ status: 'queued', attempt: 0, worker: null }])
  program.letGo()
  await startWorkers(database, { commands: [program.path] })
  expect(await ended()).toMatchObject([{ status: 'succeeded', attempt: 1 }])
})

test('runs that end during the stop are waited for', async () => {
  await asked(['wait-1.example.test'])
  const workers = await startWorkers(database, { commands: [program.path] }, { graceMs: 20_000 })
  await eventually(started).toHaveLength(1)
  const stopped = workers[Symbol.asyncDispose]()
  program.letGo()
  await stopped
  expect(await allRuns(database)).toMatchObject([{ status: 'succeeded' }])
})

test('settings that cannot work are said, and nothing is started', async () => {
  program = hostProgram()
  await insertSomebody()
  const secret = 'not a key but a secret'
  const cases: [string, Record<string, unknown> | null][] = [
    ['no-proxy.test', null],
    ['forbidden.test', { runner: 'command', runner_command: [program.path] }],
    ['no-key.test', { runner: 'ssh' }],
    ['foreign-key.test', { runner: 'ssh', ssh_key: secret, ssh_known_hosts: 'x' }],
  ]
  for (const [name, columns] of cases) {
    const [host = 0] = await insertHosts(database.db, columns && (await proxy(database.db, columns)), [name])
    await enqueueRun(database.db, host, SOMEBODY)
  }
  await startWorkers(database, { commands: ['/usr/bin/true'] })
  const runs = await ended()
  expect(runs.map(({ status }) => status)).toEqual(Array(4).fill('failed'))
  expect(runs.map(({ message }) => message)).toEqual([
    'no config proxy defined - cant continue',
    expect.stringContaining('run-commands'),
    expect.stringContaining('ssh_key'),
    expect.stringContaining('decrypted'),
  ])
  expect(JSON.stringify(runs)).not.toContain(secret)
  expect(started()).toEqual([])
})

test('a host that was deleted meanwhile', async () => {
  await asked(['good.example.test'])
  await sql`delete from hosts`.execute(database.db)
  await startWorkers(database, { commands: [program.path] })
  expect(await ended()).toMatchObject([
    { status: 'failed', message: 'the host was deleted', host_name: 'good.example.test' },
  ])
})

test('of endless output the beginning, the end and the number of bytes between are kept', async () => {
  program = hostProgram()
  await insertSomebody()
  const yes = await commandProxy(database, '/bin/sh', {
    runner_command: ['/bin/sh', '-c', 'head -c 20000000 /dev/zero | tr "\\0" x; echo THE END', '%{host}'],
  })
  const [host = 0] = await insertHosts(database.db, yes, ['loud.example.test'])
  await enqueueRun(database.db, host, SOMEBODY)
  await startWorkers(database, { commands: ['/bin/sh'] })
  const [run] = await ended()
  const kept = run?.output ?? ''
  expect(kept).toMatch(/\nTHE END\n$|xTHE END\n$/)
  expect(kept.length).toBeLessThan(1024 * 1024 + 200)
  const [sizes] = await rows<{ output_size: number; output_left_out: number }>(
    database.db,
    sql`select output_size, output_left_out from config_runs`,
  )
  expect(sizes?.output_size).toBe(20_000_008)
  expect(kept).toContain(`[${sizes?.output_left_out} bytes of output were left out here]`)
  const marker = /\n\[\d+ bytes of output were left out here\]\n/
  expect(kept.replace(marker, '').length + (sizes?.output_left_out ?? 0)).toBe(20_000_008)
})

/** Tells whether a process of that program still runs. */
function running(path: string): boolean {
  return processes().some(({ line }) => line.includes(path))
}

/** Counts the process groups in which the program runs for this host. */
function countGroups(host: string): number {
  const own = processes().filter(({ line }) => line.includes(program.path) && line.includes(host))
  return new Set(own.map(({ group }) => group)).size
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, , group] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ')
        return [{ group, line: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }]
      } catch {
        return []
      }
    })
}
