import type { Logger } from 'pino'
import type { Outcome } from '../sql.ts'
import { Outage, unreachable } from './failures.ts'
import type { StatementRunner } from './statements.ts'

/**
 * Logs once that a database cannot be used, however many requests fail meanwhile, and once that it can be used again.
 */
export interface AvailabilityLog {
  /** Logs an outage unless it is logged already; yields the error, to be thrown. */
  notice(error: unknown): unknown
  /** Wraps the execution of statements so that outages and their ends are noticed. */
  watched(run: StatementRunner): StatementRunner
}

/**
 * Creates the log of outages of one database. Nothing is logged before its first answer: a failure to open it is
 * reported by whoever opens it. `explain` may know a better reason for an outage.
 */
export function createAvailabilityLog(log: Logger, explain: (outage: Outage) => Outage): AvailabilityLog {
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

/** Whether the server can be reached, as far as this process knows. */
export interface Reachability extends Disposable {
  /** {@throws Failure} 'unavailable' while the server does not answer */
  refuseWhileAway(): void
  /** Reports that a connection or a statement had no answer in time. */
  noticeSilence(cause: unknown): void
}

/**
 * Watches whether a server answers. A refused connection fails at once, but a silent server costs each request the
 * whole time-out. So the first time-out is reported here, and later requests fail without waiting until `probe`
 * succeeds again.
 */
export function watchReachability(
  probe: () => Promise<void>,
  onAway: () => void,
  outages: AvailabilityLog,
): Reachability {
  let away: { readonly cause: unknown } | null = null
  let timer: NodeJS.Timeout | null = null
  return {
    refuseWhileAway() {
      if (away) throw unreachable(away.cause)
    },
    noticeSilence(cause) {
      if (away) return
      away = { cause }
      outages.notice(unreachable(cause))
      onAway()
      lookAgain()
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      timer = null
      away = null
    },
  }

  function lookAgain(): void {
    timer = setTimeout(() => {
      void probe().then(
        () => {
          away = null
        },
        () => away && lookAgain(),
      )
    }, PROBE_MS).unref()
  }
}

const PROBE_MS = 500
