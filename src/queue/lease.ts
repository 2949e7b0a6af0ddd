import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isRace } from '../database/failures.ts'
import { Failure } from '../errors.ts'

/** Why work is interrupted. */
export type Interruption =
  /** Its cancellation was asked for. */
  | 'cancelled'
  /** The lease has expired, so that this worker must not conclude the work. */
  | 'lost'
  /** The service stops. */
  | 'stopping'

/** A claim, as whoever does the work knows it. */
export interface Lease {
  /** The name under which this process has claimed. */
  readonly worker: string
  /** Its reason is the first `Interruption`. */
  readonly signal: AbortSignal
  /** Tells whether the lease has expired, also after another interruption. */
  readonly isLost: () => boolean
}

/** Milliseconds between attempts while the database is away. */
const RETRY_MS = 1000

/**
 * Stores how work ended: while the database is away, or another transaction was in its way, it keeps trying until the lease
 * is lost. False when this worker has lost the work; nothing is stored then.
 */
export async function storeWhileHeld({ isLost }: Lease, log: Logger, store: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    try {
      return await store()
    } catch (err) {
      if (!isRace(err) && !(err instanceof Failure && err.code === 'unavailable')) throw err
      log.warn({ err }, 'the end of claimed work could not be stored yet')
      await sleep(RETRY_MS)
      if (isLost()) return false
    }
  }
}
