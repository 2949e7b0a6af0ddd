import type { Logger } from 'pino'
import type { Outcome } from '../sql.ts'
import { Outage } from './failures.ts'
import type { Run } from './statements.ts'

/**
 * Logs once that a database cannot be used, however many requests fail meanwhile, and once that it can be used again.
 */
export interface Outages {
  /** Logs an outage unless it is logged already; yields the error, to be thrown. */
  notice(error: unknown): unknown
  /** Wraps the execution of statements so that outages and their ends are noticed. */
  watched(run: Run): Run
}

/**
 * Creates the log of outages of one database. Nothing is logged before its first answer: a failure to open it is
 * reported by whoever opens it. `explain` may know a better reason for an outage.
 */
export function tellOutages(log: Logger, explain: (outage: Outage) => Outage): Outages {
  let outage: { readonly since: number; readonly last: number; readonly ofWrites: boolean } | null = null
  let hasAnswered = false
  const notice = (met: unknown) => {
    if (!(met instanceof Outage) || !hasAnswered) return met
    const error = explain(met)
    const now = performance.now()
    if (!outage) log.error({ reason: error.message, err: error.cause }, 'the database cannot be used')
    outage = { since: outage?.since ?? now, last: now, ofWrites: error.ofWrites }
    return error
  }
  return {
    notice,
    watched: (run) => async (text, values, ahead) => {
      try {
        const outcome = await run(text, values, ahead)
        noticeAnswer(outcome)
        return outcome
      } catch (error) {
        throw notice(error)
      }
    },
  }

  /**
   * Notices an answer, which ends an outage only after a calm time, because some connections may be good while others
   * break; an outage of writes is ended by a write alone.
   */
  function noticeAnswer({ command }: Outcome): void {
    hasAnswered = true
    const now = performance.now()
    if (!outage || now - outage.last < CALM_MS || (outage.ofWrites && !WRITES.has(command ?? ''))) return
    log.info({ milliseconds: Math.round(now - outage.since) }, 'the database can be used again')
    outage = null
  }
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE'])
const CALM_MS = 2000
