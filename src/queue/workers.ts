import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { coalesce } from '../lib/coalesce.ts'
import type { Interruption, Lease } from './lease.ts'
import { type Claimed, claim, MOST_RECLAIMED, type Queue, reclaim, renew } from './queue.ts'

/** The workers of a process on one queue. Disposing them stops claiming, and ends when nothing is being done any more. */
export interface Workers extends AsyncDisposable {
  /** The number of rows that this process is working on. */
  readonly running: () => number
}

/** What the workers of a queue need. */
export interface WorkerOptions<Work extends Claimed> {
  readonly database: Database
  readonly log: Logger
  /** Does the work and stores how it ended. */
  readonly execute: (work: Work, lease: Lease) => Promise<void>
  /** The most rows at a time in this process; 0: it claims none. */
  readonly most: number
  /** Milliseconds for which work may continue after the service was asked to stop; then it is interrupted. */
  readonly graceMs: number
  /** Called after so many ended rows, whose writes have left lines in `table_changes`. */
  readonly afterEvery: number
  readonly afterwards: () => Promise<void>
  readonly timing?: Partial<QueueTiming>
}

/** Times in milliseconds. A dead worker is noticed after lease plus poll at the latest. */
export interface QueueTiming {
  readonly lease: number
  /** Interval of looking for work that was not announced, and for dead workers. */
  readonly poll: number
}

const TIMING: QueueTiming = { lease: 30_000, poll: 15_000 }

interface ClaimedJob {
  readonly done: Promise<void>
  readonly interrupt: (why: Interruption) => void
  renewedAt: number
}

/** Starts the workers of a queue (docs/decisions/0008-config-runs.md). Errors are logged. */
export async function openWorkers<Work extends Claimed>(queue: Queue, options: WorkerOptions<Work>): Promise<Workers> {
  const { database, log, most, graceMs } = options
  const { db } = database
  const timing = { ...TIMING, ...options.timing }
  const worker = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const held = new Map<number, ClaimedJob>()
  const fillOnce = coalesce(claimDue)
  let stage: 'open' | 'closing' | 'interrupting' = 'open'
  let ended = 0
  let dueTimer: NodeJS.Timeout | undefined

  await database.listen(queue.dueChannel, fill, fill)
  if (queue.cancelChannel)
    await database.listen(queue.cancelChannel, (id) => held.get(Number(id))?.interrupt('cancelled'))
  // A data directory has one process: what is claimed when it is opened was claimed by a process that has died.
  await reclaimAll(database.kind === 'bundled')
  const polls = setInterval(() => void poll(), timing.poll)
  const renewals = setInterval(() => void renewAll(), timing.lease / 3)
  const checks = setInterval(interruptLost, timing.lease / 10)
  fill()

  return {
    running: () => held.size,
    async [Symbol.asyncDispose]() {
      stage = 'closing'
      clearInterval(polls)
      clearTimeout(dueTimer)
      const grace = graceMs > 0 ? setTimeout(interruptAll, graceMs) : interruptAll()
      await fillOnce()
      await Promise.all([...held.values()].map(({ done }) => done))
      clearTimeout(grace)
      clearInterval(renewals)
      clearInterval(checks)
    },
  }

  function interruptAll(): undefined {
    stage = 'interrupting'
    for (const one of held.values()) one.interrupt('stopping')
  }

  /** Claims as much as there is room for; when called while claiming, it claims once more. */
  function fill(): void {
    void fillOnce()
  }

  async function claimDue(): Promise<void> {
    const room = most - held.size
    if (room <= 0 || stage !== 'open') return
    const claimedAt = performance.now()
    const claimed = await withFailureLogged('nothing claimed', () =>
      claim<Work>(db, queue, worker, room, timing.lease, [...held.keys()]),
    )
    for (const work of claimed ?? []) begin(work, claimedAt)
    if ((claimed?.length ?? 0) < room) await lookAhead()
  }

  /** Sets a timer for the next row that becomes due, because no notification announces when one is due. */
  async function lookAhead(): Promise<void> {
    const milliseconds = await withFailureLogged('queue not looked at', async () => queue.computeTimeUntilDue?.(db))
    clearTimeout(dueTimer)
    if (typeof milliseconds === 'number' && milliseconds < timing.poll && stage === 'open') {
      dueTimer = setTimeout(fill, Math.max(milliseconds, 10))
    }
  }

  function begin(work: Work, claimedAt: number): void {
    const stop = new AbortController()
    let isLost = false
    const interrupt = (why: Interruption) => {
      isLost ||= why === 'lost'
      stop.abort(why)
    }
    if (stage === 'interrupting') interrupt('stopping')
    const done = options
      .execute(work, { worker, signal: stop.signal, isLost: () => isLost })
      .catch((err) => log.error({ err, id: work.id }, 'claimed work failed'))
      .then(() => {
        held.delete(work.id)
        if (++ended % options.afterEvery === 0)
          void withFailureLogged('nothing was done after work', options.afterwards)
        fill()
      })
    held.set(work.id, { done, interrupt, renewedAt: claimedAt })
  }

  async function poll(): Promise<void> {
    await reclaimAll(false)
    fill()
  }

  async function reclaimAll(everybody: boolean): Promise<void> {
    for (;;) {
      const found = await withFailureLogged('dead workers not looked for', () =>
        reclaim(db, queue, [...held.keys()], { everybody }),
      )
      if (found) log.warn({ reclaimed: found }, 'work of dead workers taken back')
      if ((found ?? 0) < MOST_RECLAIMED) return
    }
  }

  async function renewAll(): Promise<void> {
    const all = [...held]
    if (all.length === 0) return
    const renewedAt = performance.now()
    const ids = all.map(([id]) => id)
    const renewed = await withFailureLogged('leases not renewed', () => renew(db, queue, worker, ids, timing.lease))
    if (!renewed) return
    const ours = new Map(renewed.map(({ id, cancelled }) => [id, cancelled]))
    for (const [id, one] of all) {
      const cancelled = ours.get(id)
      if (cancelled === undefined) one.interrupt('lost')
      else one.renewedAt = renewedAt
      if (cancelled) one.interrupt('cancelled')
    }
  }

  /** Interrupts work whose lease could not be renewed, before another process may reclaim it. */
  function interruptLost(): void {
    const now = performance.now()
    for (const one of held.values()) if (now - one.renewedAt > timing.lease * 0.8) one.interrupt('lost')
  }

  async function withFailureLogged<Result>(failure: string, step: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await step()
    } catch (err) {
      log.warn({ err }, failure)
      return undefined
    }
  }
}
