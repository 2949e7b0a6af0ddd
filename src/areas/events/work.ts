import type { Database } from '../../database/database.ts'
import { foldChanges } from '../../database/fold-changes.ts'
import { openWorkers, type QueueTiming, type Workers } from '../../queue/workers.ts'
import { openNumbering } from './feed/numbering.ts'
import { createAddressCheck } from './webhook/addresses.ts'
import { executeDelivery, type Sending } from './webhook/deliver.ts'
import { type ClaimedDelivery, deliveryQueue } from './webhook/deliveries.ts'
import { dispatchEvents } from './webhook/dispatch.ts'

/** The dependencies of the work on events. */
export interface EventWorkOptions extends Omit<Sending, 'addresses' | 'db' | 'timeoutMs' | 'pace'> {
  readonly database: Database
  /** Private networks that webhooks may send to. */
  readonly allowed: readonly string[]
  readonly timing?: EventTiming
}

/** Times in milliseconds, which tests shorten. */
export interface EventTiming extends Partial<QueueTiming> {
  /** How long an answer is waited for. */
  readonly timeout?: number
  readonly pace?: number
}

/** The most requests at a time in this process: each waits for a receiver, and costs hardly anything meanwhile. */
const MOST = 64

const TIMEOUT_MS = 15_000

/** Starts to give events their numbers, to plan deliveries of them, and to send these. */
export async function openEventWork({ database, allowed, timing = {}, ...given }: EventWorkOptions): Promise<Workers> {
  const { db } = database
  const { timeout = TIMEOUT_MS, pace = 1, ...queueTiming } = timing
  const sending: Sending = { ...given, db, addresses: createAddressCheck(allowed), timeoutMs: timeout, pace }
  const numbering = openNumbering({ database, log: given.log, afterwards: () => dispatchEvents(sending) })
  const workers = await openWorkers<ClaimedDelivery>(deliveryQueue, {
    database,
    log: given.log,
    most: MOST,
    graceMs: 1000,
    afterEvery: 32,
    afterwards: () => foldChanges(db),
    timing: queueTiming,
    execute: (delivery, lease) => executeDelivery(sending, delivery, lease),
  })
  return {
    running: workers.running,
    async [Symbol.asyncDispose]() {
      await numbering[Symbol.asyncDispose]()
      await workers[Symbol.asyncDispose]()
    },
  }
}
