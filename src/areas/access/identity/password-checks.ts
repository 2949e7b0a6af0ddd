import { availableParallelism } from 'node:os'
import { createLruCache } from '../../../lib/lru-cache.ts'
import { createTurns } from './hash-queue.ts'
import { type PasswordCheck, verifyPassword } from './passwords.ts'
import { createFingerprint } from './secrets.ts'

/** A password to check: the client's address, and a last question before the check. */
export interface Attempt {
  readonly client: string
  /** Throws when the attempt is no longer allowed, e.g. because of failures while it waited. */
  readonly stillAllowed: () => Promise<void>
}

/** Checks a password against the stored hash; null, for an unknown login, takes as long and is wrong. */
export type CheckPassword = (stored: string | null, password: string, attempt: Attempt) => Promise<PasswordCheck>

const REMEMBERED_MS = 5 * 60_000

/**
 * Creates the password checks of one process: few at a time, clients take turns. A positive result is remembered for
 * minutes (keyed and hashed): it stays true until the stored hash changes, which then is another key.
 */
export function createPasswordChecks(memoryMiB?: number, slots = computeDefaultSlots()): CheckPassword {
  const fingerprint = createFingerprint()
  const fitting = createLruCache<string, true>(10_000, { ttl: REMEMBERED_MS, ttlResolution: 1000 })
  const takeTurn = createTurns(slots)

  return (stored, password, attempt) => {
    const pair = stored === null ? '' : fingerprint(stored, password)
    if (fitting.has(pair)) return Promise.resolve('right')
    return takeTurn(attempt.client, async () => {
      if (fitting.has(pair)) return 'right'
      await attempt.stillAllowed()
      const result = await verifyPassword(stored, password, memoryMiB)
      if (result === 'right') fitting.set(pair, true)
      return result
    })
  }
}

/** A check occupies a core and one of the runtime's four threads: two threads stay free, and a core where there are several. */
function computeDefaultSlots(): number {
  return Math.max(1, Math.min(2, availableParallelism() - 1))
}
