import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import type { Outcome } from '../sql.ts'
import { type Beginning, withInnerSpan } from '../tracing/tracing.ts'

/** A statement whose values are text already. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** A statement that is sent ahead of another one, and the handler of its outcome. */
export interface AheadStatement extends Statement {
  readonly succeed: (outcome: Outcome) => void
}

/** A statement that waits to be sent, and its outcome. */
export interface QueuedStatement extends AheadStatement {
  readonly fail: (error: unknown) => void
  readonly outcome: Promise<Outcome>
}

/** Runs one statement, and those before it that are sent with it. When one of them fails, so does all of it. */
export type StatementRunner = (
  text: string,
  values: Statement['values'],
  ahead?: readonly AheadStatement[],
) => Promise<Outcome>

/** Counts the statements of one piece of work while it runs, without those that begin and end transactions. */
export interface Tally {
  count: number
  milliseconds: number
  /** Collects the texts of the statements, without bound values, where somebody wants to see them. */
  readonly texts?: string[]
  /** Set by work that is known to take long, so that it is not logged as slow. */
  readonly mayBeSlow?: boolean
  /** Set by work whose statements have no time limit, such as a migration. */
  readonly unlimited?: boolean
}

const tallies = new AsyncLocalStorage<readonly Tally[]>()

/**
 * Runs `work` so that every statement that it causes, also asynchronously, is added to `tally` and to the tallies of
 * enclosing work.
 */
export function tallyStatements<Result>(tally: Tally, work: () => Result): Result {
  const around = tallies.getStore()
  return tallies.run(around ? [...around, tally] : [tally], work)
}

/** Tells whether statements of the current work have no time limit. */
export function mayTakeForever(): boolean {
  return tallies.getStore()?.some(({ unlimited }) => unlimited) ?? false
}

/** Runs `work` and yields its result with the number and the texts of its statements. */
export async function countStatements<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; count: number; texts: readonly string[] }> {
  const texts: string[] = []
  const tally: Tally = { count: 0, milliseconds: 0, texts }
  const result = await tallyStatements(tally, work)
  return { result, count: tally.count, texts }
}

/** Wraps `run` so that every statement is counted and traced, and logged when it took `slowQueryMs` or longer. */
export function withObservation(run: StatementRunner, slowQueryMs: number, log: Logger): StatementRunner {
  return async (text, values, ahead = []) => {
    const start = performance.now()
    let outcome: Outcome | undefined
    try {
      outcome = await withInnerSpan(
        () => beginningOf(text),
        () => run(text, values, ahead),
      )
      return outcome
    } finally {
      // The time of what was sent together is that of the last.
      for (const one of ahead) record(one.text, 0, outcome)
      record(text, performance.now() - start, outcome)
    }
  }

  function record(text: string, milliseconds: number, outcome: Outcome | undefined): void {
    const counting = tallies.getStore() ?? []
    for (const tally of TRANSACTION_CONTROL.test(text) ? [] : counting) {
      tally.count++
      tally.milliseconds += milliseconds
      tally.texts?.push(text)
    }
    if (log.isLevelEnabled('trace'))
      log.trace({ milliseconds, statement: text.slice(0, LONGEST_LOGGED), failed: !outcome }, 'statement')
    if (milliseconds < slowQueryMs || counting.some((tally) => tally.mayBeSlow)) return
    const fields = { milliseconds: Math.round(milliseconds), rows: outcome?.rowCount ?? null, failed: !outcome }
    log.warn({ ...fields, statement: text.slice(0, LONGEST_LOGGED) }, 'slow statement')
  }
}

/** Describes the span of a statement by its text; bound values are left out, because they may be secret. */
function beginningOf(text: string): Beginning {
  const [operation = ''] = text.trim().split(/\W/, 1)
  const facts = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, LONGEST_LOGGED),
  }
  return { name: operation, kind: 'asks', facts }
}

const TRANSACTION_CONTROL = /^(?:begin\b.*|commit|rollback|select)$/
const LONGEST_LOGGED = 2000
