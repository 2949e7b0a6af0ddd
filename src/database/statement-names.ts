import { createHash } from 'node:crypto'
import { toDatabaseError } from './failures.ts'
import type { NamedStatement } from './messages.ts'
import type { Statement } from './statements.ts'

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
 * Tells whether naming pays. It does not for statements with a search pattern: the best plan depends on the pattern, but
 * PostgreSQL may choose a generic plan for a named statement, which made a search of 30 ms take two seconds.
 */
function isWorthNaming(text: string): boolean {
  return text.length <= LONGEST_NAMED && !text.includes(' like ') && !text.includes(PLANNED_ANEW)
}

/**
 * Stands in a statement that is planned each time, where the plan of a named one would suit neither all values, nor its tables once
 * they have grown: it is kept, and may read all of a table for each row of another, until somebody analyzes that.
 */
export const PLANNED_ANEW = '/* planned anew */'

const MOST_NAMES = 400
const LONGEST_NAMED = 32_000
const TRANSACTION_ABORTED = '25P02'
