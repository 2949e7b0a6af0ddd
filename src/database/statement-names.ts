import { createHash } from 'node:crypto'
import { databaseError } from './failures.ts'

/** Names that let a database keep the parsed form of a statement (docs/decisions/0002-prepared-statements.md). */
export interface StatementNames {
  /** The name of a statement; undefined where one does not pay. */
  of(text: string): string | undefined
  /** The statement is not named again. */
  retire(text: string): void
}

/**
 * Names for statements that come again. Their number is limited because every connection keeps each; texts that came
 * once are forgotten in bulk.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string | undefined>()
  let seenOnce = new Set<string>()
  return {
    of(text) {
      if (names.has(text) || names.size >= MOST_NAMES || !pays(text)) return names.get(text)
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

/** No names: for poolers that hand each transaction to another connection of the server. */
export const NO_NAMES: StatementNames = { of: () => undefined, retire: () => undefined }

/**
 * Runs a statement under its name, and once more without when the tables have changed since the server parsed it. A
 * transaction in which that happens is lost, and fails with what the server said first.
 */
export async function underName<Result>(
  names: StatementNames,
  text: string,
  run: (name: string | undefined) => Promise<Result>,
): Promise<Result> {
  const name = names.of(text)
  try {
    return await run(name)
  } catch (error) {
    if (!name || databaseError(error)?.routine !== 'RevalidateCachedQuery') throw error
    names.retire(text)
    return run(undefined).catch((second) => {
      throw databaseError(second)?.code === TRANSACTION_ABORTED ? error : second
    })
  }
}

/**
 * The best plan for a pattern depends on the pattern, but PostgreSQL may settle on one for all under a name: a search that
 * takes 30 ms then took two seconds. Without a name it plans each time.
 */
function pays(text: string): boolean {
  return text.length <= LONGEST_NAMED && !text.includes(' like ')
}

const MOST_NAMES = 400
const LONGEST_NAMED = 32_000
const TRANSACTION_ABORTED = '25P02'
