import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../../database/connect.ts'
import { claimTasks, reclaimTasks, renewTaskLeases } from './queue.ts'
import { TASKS_DUE } from './task.ts'
import { executeTask, type TaskWorkplace } from './work.ts'

/** The workers of one process. Disposing them stops claiming, and hands back what runs after the step it is at. */
export interface TaskWorkers extends AsyncDisposable {
  /** How many tasks this process is at. */
  readonly running: () => number
}

export interface TaskWorkerOptions extends Omit<TaskWorkplace, 'db' | 'worker'> {
  readonly database: Database
  /** Called after every so many tasks that ended, because their changes have been counted. */
  readonly afterTasks: () => Promise<void>
  readonly timing?: Partial<TaskTiming>
}

/** In milliseconds. A worker that died is noticed after lease and poll at the latest. */
export interface TaskTiming {
  readonly lease: number
  /** Between two looks for tasks that nobody told of, and for workers that died. */
  readonly poll: number
}

const TIMING: TaskTiming = { lease: 30_000, poll: 15_000 }
/** Tasks at once in this process: they are long, but nobody waits for them. */
const MOST = 2
/** How many ended tasks make one call of `afterTasks`. */
const TASKS_PER_CALL = 8

/** Begins to work on tasks: the table is the queue (docs/decisions/0008-config-runs.md). What goes wrong is logged. */
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
  let claiming: Promise<void> | null = null
  let asked = false

  await database.listen(TASKS_DUE, fill, fill)
  // The embedded database belongs to one process, so that whatever runs in it belongs to a dead one.
  await takeAllBack(database.kind === 'pglite')
  const polls = setInterval(() => void poll(), timing.poll)
  const renewals = setInterval(() => void renewAll(), timing.lease / 3)
  fill()

  return {
    running: () => running.size,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      clearInterval(polls)
      await claiming
      await Promise.all(running.values())
      clearInterval(renewals)
    },
  }

  /** Claims as many tasks as there is room for. Asked again meanwhile, it looks again. */
  function fill(): void {
    asked = true
    claiming ??= claimAll().finally(() => {
      claiming = null
      if (asked) fill()
    })
  }

  async function claimAll(): Promise<void> {
    while (asked && !stopping.signal.aborted) {
      asked = false
      const room = MOST - running.size
      if (room <= 0) return
      const claimed = await quietly(() => claimTasks(db, worker, kinds, room, timing.lease), 'no task claimed')
      for (const task of claimed ?? []) {
        const done = quietly(() => executeTask(place, task, stopping.signal), 'work on a task failed').then(() => {
          running.delete(task.id)
          if (++ended % TASKS_PER_CALL === 0) void quietly(options.afterTasks, 'nothing was done after tasks')
          if (!stopping.signal.aborted) fill()
        })
        running.set(task.id, done)
      }
    }
    asked = false
  }

  async function poll(): Promise<void> {
    await takeAllBack(false)
    fill()
  }

  async function takeAllBack(everybody: boolean): Promise<void> {
    const taken = await quietly(
      () => reclaimTasks(db, [...running.keys()], { everybody }),
      'dead workers not looked for',
    )
    if (taken) log.warn({ tasks: taken }, 'tasks of dead workers taken back')
  }

  async function renewAll(): Promise<void> {
    const ids = [...running.keys()]
    if (ids.length > 0)
      await quietly(() => renewTaskLeases(db, worker, ids, timing.lease), 'leases of tasks not renewed')
  }

  async function quietly<Result>(step: () => Promise<Result>, failure: string): Promise<Result | undefined> {
    try {
      return await step()
    } catch (err) {
      log.warn({ err }, failure)
      return undefined
    }
  }
}
