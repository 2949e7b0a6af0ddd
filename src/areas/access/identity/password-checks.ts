import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { type PasswordCheck, verifyPassword } from './passwords.ts'
import { createFingerprint } from './secrets.ts'
import { createTurns } from './turns.ts'

/** One attempt: whose (the client's address takes turns with others), and a last question before it costs anything. */
export interface Attempt {
  readonly client: string
  /** Throws when the attempt is no longer allowed, e.g. because of what happened while it waited. */
  readonly stillAllowed: () => Promise<void>
}

export type CheckPassword = (stored: string | null, password: string, attempt: Attempt) => Promise<PasswordCheck>

const REMEMBERED_MS = 5 * 60_000

/**
 * Password checks of one process that cannot starve it: few at a time, clients in turns. That a password fits a stored
 * hash stays true whatever else changes, so it is remembered (keyed and hashed, for minutes) and costs nothing again;
 * a changed password has another hash.
 */
export function createPasswordChecks(memoryMiB?: number, slots = defaultSlots()): CheckPassword {
  const fingerprint = createFingerprint()
  const fitting = new LRUCache<string, true>({ max: 10_000, ttl: REMEMBERED_MS, ttlResolution: 1000 })
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

/** Each check keeps one core and one of the four threads of the runtime's pool busy: most of both stay free for others. */
function defaultSlots(): number {
  return Math.max(1, Math.min(2, availableParallelism() - 1))
}
