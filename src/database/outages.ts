import type { Logger } from 'pino'
import { Outage } from './failures.ts'
import type { Outcome, Run } from './statements.ts'

/** Tells once that a database cannot be used, however many ask meanwhile, and once that it can again. */
export interface Outages {
  /** Tells of it where that is new; yields what is to be thrown. */
  notice(error: unknown): unknown
  /** The run with its failures noticed, and its answers. */
  watched(run: Run): Run
}

/** Nothing is told before the first answer: whoever opens the database says then why that failed. */
export function tellOutages(log: Logger): Outages {
  let outage: { readonly since: number; readonly last: number; readonly ofWrites: boolean } | null = null
  let hasAnswered = false
  const notice = (error: unknown) => {
    if (!(error instanceof Outage) || !hasAnswered) return error
    const now = performance.now()
    if (!outage) log.error({ reason: error.message, err: error.cause }, 'the database cannot be used')
    outage = { since: outage?.since ?? now, last: now, ofWrites: error.ofWrites }
    return error
  }
  return {
    notice,
    watched: (run) => async (text, values) => {
      try {
        const outcome = await run(text, values)
        noticeAnswer(outcome)
        return outcome
      } catch (error) {
        throw notice(error)
      }
    },
  }

  /** Some connections may be good while others break, and some writes need no room: then it is not over. */
  function noticeAnswer({ command }: Outcome): void {
    hasAnswered = true
    const now = performance.now()
    if (!outage || now - outage.last < CALM_MS || (outage.ofWrites && !WRITES.has(command ?? ''))) return
    log.info({ milliseconds: Math.round(now - outage.since) }, 'the database can be used again')
    outage = null
  }
}

/** Of what somebody else tells. */
export const UNTOLD: Outages = { notice: (error) => error, watched: (run) => run }

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE'])
const CALM_MS = 2000
