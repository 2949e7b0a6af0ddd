import { type Actor, hasPermission } from '../../context.ts'
import { openWorkers, type QueueTiming, type WorkerOptions, type Workers } from '../../queue/workers.ts'
import { RUN_PERMISSION } from './config-run/running.ts'
import { type ClaimedRun, runQueue } from './queue.ts'
import type { RunnerSettings } from './runner-of.ts'
import { removeForgottenSshFiles } from './runners/ssh-files.ts'
import { executeRun } from './work.ts'

/** The dependencies of the workers of runs. */
export interface RunWorkerOptions
  extends Pick<WorkerOptions<ClaimedRun>, 'database' | 'log' | 'most' | 'graceMs' | 'afterwards'> {
  /** Called at the launch of each run. */
  readonly settings: () => RunnerSettings
  /** Yields the user who asked for a run, as they are now; undefined when they are gone. */
  readonly actor: (user: number) => Promise<Actor | undefined>
  readonly timing?: Partial<Timing>
}

/** Times in milliseconds. */
export interface Timing extends QueueTiming {
  /** The delay before the second attempt. */
  readonly backOff: number
}

const BACK_OFF_MS = 5_000

/** Milliseconds between removals of temporary keys that killed processes left behind. */
const SWEEP_MS = 3_600_000

/** Starts the run workers. When the service stops, runs may continue for some time before they are interrupted. */
export async function openRunWorkers({ settings, actor, timing, ...options }: RunWorkerOptions): Promise<Workers> {
  const { database, log } = options
  const refuses = (user: number | null) => explainRefusal(actor, user)
  const place = { db: database.db, log, settings, refuses, backOffMs: timing?.backOff ?? BACK_OFF_MS }
  const sweep = () => void removeForgottenSshFiles().catch((err) => log.warn({ err }, 'forgotten keys not removed'))
  const workers = await openWorkers<ClaimedRun>(runQueue, {
    ...options,
    timing,
    afterEvery: 32,
    execute: (run, lease) => executeRun(place, run, lease),
  })
  const sweeps = setInterval(sweep, SWEEP_MS)
  sweep()
  return {
    running: workers.running,
    async [Symbol.asyncDispose]() {
      await workers[Symbol.asyncDispose]()
      clearInterval(sweeps)
    },
  }
}

/** Explains why no run may begin for a user: each begins with the rights of that moment, also of a rollout and after a failure. */
async function explainRefusal(actor: RunWorkerOptions['actor'], user: number | null): Promise<string | null> {
  const found = user === null ? undefined : await actor(user)
  if (!found) return 'the user who requested it no longer exists'
  if (found.disabled) return 'the account of the user who requested it is disabled'
  return hasPermission({ user: found }, RUN_PERMISSION)
    ? null
    : 'the user who requested it may no longer run configurations'
}
