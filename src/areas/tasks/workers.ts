import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../../database/database.ts'
import { shareNext } from '../../database/share-next.ts'
import { claimTasks, reclaimTasks, renewTaskLeases } from './queue.ts'
import { TASKS_DUE } from './task.ts'
import { executeTask, type TaskWorkplace } from './work.ts'

/**
 * The task workers of a process. Disposing them stops claiming, and returns running tasks to the queue after their
 * step.
 */
export interface TaskWorkers extends AsyncDisposable {
  /** The number of tasks that this process is executing. */
  readonly running: () => number
}

/** What the workers of tasks need. */
export interface TaskWorkerOptions extends Omit<TaskWorkplace, 'db' | 'worker'> {
  readonly database: Database
  /** Called after a number of ended tasks, whose writes have left lines in `table_changes`. */
  readonly afterTasks: () => Promise<void>
  readonly timing?: Partial<TaskTiming>
}

/** Times in milliseconds. A dead worker is noticed after lease plus poll at the latest. */
export interface TaskTiming {
  readonly lease: number
  /** Interval of looking for tasks that were not announced, and for dead workers. */
  readonly poll: number
}

const TIMING: TaskTiming = { lease: 30_000, poll: 15_000 }

/** The most tasks at a time in this process: few, because tasks are long and not urgent. */
const MOST = 2

/** The number of ended tasks for each call of `afterTasks`. */
const TASKS_PER_CALL = 8

/** Starts the task workers (docs/decisions/0008-config-runs.md). Errors are logged. */
export async function openTaskWorkers({ database, ...options }: TaskWorkerOptions): Promise<TaskWorkers> {
  const { log } = options
  const { db } = database
  const timing = { ...TIMING, ...options.timing }
  const worker = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const place: TaskWorkplace = { ...options, db, worker }
  const kinds = Object.keys(options.kinds)
  const running = new Map<number, Promise<void>>()
  const stopping = new AbortController()
  let ended = 0
  const claim = shareNext(claimDue)

  await database.listen(TASKS_DUE, fill, fill)
  // A data directory has one process: tasks that are running when it is opened belong to a process that has died.
  await takeAllBack(database.kind === 'bundled')
  const polls = setInterval(() => void poll(), timing.poll)
  const renewals = setInterval(() => void renewAll(), timing.lease / 3)
  fill()

  return {
    running: () => running.size,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      clearInterval(polls)
      await claim()
      await Promise.all(running.values())
      clearInterval(renewals)
    },
  }

  /** Claims as many tasks as there are free slots; when called while claiming, it claims once more. */
  function fill(): void {
    void claim()
  }

  async function claimDue(): Promise<void> {
    const room = MOST - running.size
    if (room <= 0 || stopping.signal.aborted) return
    const claimed = await withFailureLogged(() => claimTasks(db, worker, kinds, room, timing.lease), 'no task claimed')
    for (const task of claimed ?? []) {
      const done = withFailureLogged(() => executeTask(place, task, stopping.signal), 'work on a task failed').then(
        () => {
          running.delete(task.id)
          if (++ended % TASKS_PER_CALL === 0) void withFailureLogged(options.afterTasks, 'nothing was done after tasks')
          if (!stopping.signal.aborted) fill()
        },
      )
      running.set(task.id, done)
    }
  }

  async function poll(): Promise<void> {
    await takeAllBack(false)
    fill()
  }

  async function takeAllBack(everybody: boolean): Promise<void> {
    const taken = await withFailureLogged(
      () => reclaimTasks(db, [...running.keys()], { everybody }),
      'dead workers not looked for',
    )
    if (taken) log.warn({ tasks: taken }, 'tasks of dead workers taken back')
  }

  async function renewAll(): Promise<void> {
    const ids = [...running.keys()]
    if (ids.length > 0)
      await withFailureLogged(() => renewTaskLeases(db, worker, ids, timing.lease), 'leases of tasks not renewed')
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
