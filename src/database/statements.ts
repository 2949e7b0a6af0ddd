import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Outcome } from '../sql.ts'
import { type Beginning, withInnerSpan } from '../tracing/tracing.ts'
import { toDatabaseError } from './failures.ts'

/** A statement whose values are text already. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** A statement, and the name under which the connection keeps it. */
export interface NamedStatement extends Statement {
  readonly name: string | undefined
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

/** Names under which a database keeps parsed statements (docs/decisions/0002-prepared-statements.md). */
export interface StatementNames {
  /** Yields the name of a statement; undefined where naming it does not pay. */
  of(text: string): string | undefined
  /** Never names this statement again. */
  retire(text: string): void
}

/**
 * Names statements that are repeated. The number of names is limited because every connection keeps each statement; texts
 * that occurred only once are forgotten in bulk.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string | undefined>()
  let seenOnce = new Set<string>()
  return {
    of(text) {
      if (names.has(text) || names.size >= MOST_NAMES || !isWorthNaming(text)) return names.get(text)
      if (seenOnce.delete(text)) {
        const name = `m_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
        names.set(text, name)
        return name
      }
      if (seenOnce.size >= MOST_NAMES * 4) seenOnce = new Set()
      seenOnce.add(text)
      return undefined
    },
    retire: (text) => names.set(text, undefined),
  }
}

/** Names no statements, for poolers in transaction mode. */
export const NO_NAMES: StatementNames = { of: () => undefined, retire: () => undefined }

/** Names statements that are sent in one message. */
export function nameAll(names: StatementNames, statements: readonly Statement[]): readonly NamedStatement[] {
  return statements.map((statement) => ({ ...statement, name: names.of(statement.text) }))
}

/**
 * Runs a statement under its name, and again without one when tables have changed since the server parsed it. A transaction
 * in which that happens is aborted, and fails with the first error of the server. Without values it has no name, because it may be
 * several statements.
 */
export async function runUnderName<Result>(
  names: StatementNames,
  statement: Statement,
  run: (named: NamedStatement) => Promise<Result>,
): Promise<Result> {
  const name = statement.values.length > 0 ? names.of(statement.text) : undefined
  try {
    return await run({ ...statement, name })
  } catch (error) {
    if (!name || toDatabaseError(error)?.routine !== 'RevalidateCachedQuery') throw error
    names.retire(statement.text)
    return run({ ...statement, name: undefined }).catch((second) => {
      throw toDatabaseError(second)?.code === TRANSACTION_ABORTED ? error : second
    })
  }
}

/**
 * Stands in a statement that is planned each time, where the plan of a named one would suit neither all values, nor its tables once
 * they have grown: it is kept, and may read all of a table for each row of another, until somebody analyzes that.
 */
export const PLANNED_ANEW = '/* planned anew */'

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

/**
 * Tells whether naming pays. It does not for statements with a search pattern: the best plan depends on the pattern, but
 * PostgreSQL may choose a generic plan for a named statement, which made a search of 30 ms take two seconds.
 */
function isWorthNaming(text: string): boolean {
  return text.length <= LONGEST_NAMED && !text.includes(' like ') && !text.includes(PLANNED_ANEW)
}

const MOST_NAMES = 400
const LONGEST_NAMED = 32_000
const TRANSACTION_ABORTED = '25P02'
