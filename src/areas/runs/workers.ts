import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Actor, hasPermission } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { shareNext } from '../../database/share-next.ts'
import { RUN_PERMISSION } from './config-run/running.ts'
import {
  type ClaimedRun,
  claimRuns,
  computeTimeUntilDue,
  MOST_RECLAIMED,
  reclaimRuns,
  renewRunLeases,
} from './queue.ts'
import type { RunnerSettings } from './runner-of.ts'
import { removeForgottenSshFiles } from './runners/ssh-files.ts'
import { executeRun, type Interruption } from './work.ts'

/**
 * The run workers of a process. Disposing them stops claiming, waits some time for running runs, and then interrupts
 * them.
 */
export interface RunWorkers extends AsyncDisposable {
  /** The number of runs that this process is executing. */
  readonly running: () => number
}

/** What the workers of runs need. */
export interface RunWorkerOptions {
  readonly database: Database
  readonly log: Logger
  /** Called at the launch of each run. */
  readonly settings: () => RunnerSettings
  /** Yields the user who asked for a run, as they are now; undefined when they are gone. */
  readonly actor: (user: number) => Promise<Actor | undefined>
  /** The most runs at a time in this process; 0: the process executes none. */
  readonly most: number
  /** Milliseconds for which runs may continue after the service was asked to stop. */
  readonly graceMs: number
  /** Called after a number of ended runs, whose writes have left lines in `table_changes`. */
  readonly afterRuns: () => Promise<void>
  readonly timing?: Partial<Timing>
}

/** Times in milliseconds. A dead worker is noticed after lease plus poll at the latest. */
export interface Timing {
  readonly lease: number
  /** Interval of looking for runs that were not announced, and for dead workers. */
  readonly poll: number
  /** The delay before the second attempt. */
  readonly backOff: number
}

const TIMING: Timing = { lease: 30_000, poll: 15_000, backOff: 5_000 }

/** Milliseconds between removals of temporary keys that killed processes left behind. */
const SWEEP_MS = 3_600_000

/** The number of ended runs for each call of `afterRuns`. */
const RUNS_PER_CALL = 32

/** Starts the run workers (docs/decisions/0008-config-runs.md). Errors are logged. */
export async function openRunWorkers(options: RunWorkerOptions): Promise<RunWorkers> {
  const { database, log, most } = options
  const timing = { ...TIMING, ...options.timing }
  const worker = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const { settings, actor } = options
  const refuses = (user: number | null) => explainRefusal(actor, user)
  const place = { db: database.db, log, worker, settings, refuses, backOffMs: timing.backOff }
  const running = new Map<number, Running>()
  let closing = false
  let ended = 0
  const claim = shareNext(claimDue)
  let dueTimer: NodeJS.Timeout | undefined

  await database.listen('config_runs_due', fill, fill)
  await database.listen('config_runs_cancelled', (payload) => running.get(Number(payload))?.interrupt('cancelled'))
  // A data directory has one process: runs that are running when it is opened belong to a process that has died.
  await takeAllBack(database.kind === 'bundled')
  const polls = setInterval(() => void poll(), timing.poll)
  const renewals = setInterval(() => void renewAll(), timing.lease / 3)
  const checks = setInterval(endLost, timing.lease / 10)
  const sweeps = setInterval(sweep, SWEEP_MS)
  sweep()
  fill()

  return {
    running: () => running.size,
    async [Symbol.asyncDispose]() {
      closing = true
      clearInterval(polls)
      clearTimeout(dueTimer)
      await claim()
      await endAll()
      clearInterval(renewals)
      clearInterval(checks)
      clearInterval(sweeps)
    },
  }

  function sweep(): void {
    void withFailureLogged(removeForgottenSshFiles, 'forgotten keys not removed')
  }

  /** Claims as many runs as there are free slots; when called while claiming, it claims once more. */
  function fill(): void {
    void claim()
  }

  async function claimDue(): Promise<void> {
    const room = most - running.size
    if (room <= 0 || closing) return
    const claimedAt = performance.now()
    const claimed = await withFailureLogged(
      () => claimRuns(database.db, worker, room, timing.lease),
      'no configuration run claimed',
    )
    for (const run of claimed ?? []) begin(run, claimedAt)
    if ((claimed?.length ?? 0) < room) await lookAhead()
  }

  /** Sets a timer for the next run that becomes due, because no notification announces when a run is due. */
  async function lookAhead(): Promise<void> {
    const milliseconds = await withFailureLogged(() => computeTimeUntilDue(database.db), 'queue not looked at')
    clearTimeout(dueTimer)
    if (typeof milliseconds === 'number' && milliseconds < timing.poll && !closing) {
      dueTimer = setTimeout(fill, Math.max(milliseconds, 10))
    }
  }

  function begin(run: ClaimedRun, claimedAt: number): void {
    const stop = new AbortController()
    const done = executeRun(place, run, stop.signal)
      .catch((err) => log.error({ err, configRun: run.id }, 'work on a configuration run failed'))
      .then(() => {
        running.delete(run.id)
        if (++ended % RUNS_PER_CALL === 0)
          void withFailureLogged(options.afterRuns, 'nothing was done after configuration runs')
        if (!closing) fill()
      })
    running.set(run.id, { done, renewedAt: claimedAt, interrupt: (why) => stop.abort(why) })
  }

  async function poll(): Promise<void> {
    await takeAllBack(false)
    fill()
  }

  async function takeAllBack(everybody: boolean): Promise<void> {
    for (;;) {
      const taken = await withFailureLogged(
        () => reclaimRuns(database.db, [...running.keys()], { everybody }),
        'dead workers not looked for',
      )
      if (taken) log.warn({ runs: taken }, 'configuration runs of dead workers taken back')
      if ((taken ?? 0) < MOST_RECLAIMED) return
    }
  }

  async function renewAll(): Promise<void> {
    const ids = [...running.keys()]
    if (ids.length === 0) return
    const renewedAt = performance.now()
    const held = await withFailureLogged(
      () => renewRunLeases(database.db, worker, ids, timing.lease),
      'leases not renewed',
    )
    if (!held) return
    const ours = new Map(held.map(({ id, cancelled }) => [id, cancelled]))
    for (const id of ids) {
      const one = running.get(id)
      if (ours.has(id) && one) one.renewedAt = renewedAt
      if (ours.get(id)) one?.interrupt('cancelled')
      if (!ours.has(id)) one?.interrupt('lost')
    }
  }

  /** Interrupts runs whose lease could not be renewed, before another process may reclaim them. */
  function endLost(): void {
    const now = performance.now()
    for (const one of running.values()) if (now - one.renewedAt > timing.lease * 0.8) one.interrupt('lost')
  }

  async function endAll(): Promise<void> {
    const all = Promise.all([...running.values()].map(({ done }) => done))
    const grace = new AbortController()
    await Promise.race([all, sleep(options.graceMs, undefined, { signal: grace.signal }).catch(() => undefined)])
    grace.abort()
    for (const one of running.values()) one.interrupt('stopping')
    await all
  }

  async function withFailureLogged<Result>(step: () => Promise<Result>, failure: string): Promise<Result | undefined> {
    try {
      return await step()
    } catch (err) {
      log.warn({ err }, failure)
      return undefined
    }
  }
}

/** Explains why no run may begin for a user: each begins with the rights of that moment, also of a rollout and after a failure. */
async function explainRefusal(actor: RunWorkerOptions['actor'], user: number | null): Promise<string | null> {
  const found = user === null ? undefined : await actor(user)
  if (!found) return 'the user who asked for it is gone'
  if (found.disabled) return 'the account of the user who asked for it is disabled'
  return hasPermission({ user: found }, RUN_PERMISSION)
    ? null
    : 'the user who asked for it may no longer run configurations'
}

interface Running {
  readonly done: Promise<void>
  renewedAt: number
  readonly interrupt: (why: Interruption) => void
}
