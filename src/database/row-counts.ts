import { LRUCache } from 'lru-cache'
import { sql } from '../sql.ts'
import { APPENDED, type Base, countAppended, countInPortions, estimateRows, type Question } from './appended-rows.ts'
import { openBackground } from './background.ts'
import { isStopped } from './failures.ts'
import { type Db, keyOf, row } from './sql.ts'
import { selectVersion } from './versions.ts'

/** A number of rows; where it takes long to count them, an estimate until they are counted. */
export interface Count {
  readonly count: number
  readonly isEstimate?: boolean
}

/**
 * Numbers of rows by condition, each with the version of the tables at which it was counted
 * (docs/decisions/0003-exact-totals.md). Audits have so many rows that their numbers are kept up, and may be estimates
 * (docs/decisions/0069-totals-of-audits.md).
 */
export interface RowCounts extends AsyncDisposable {
  /** Counts rows at a version of the tables, once for each version. */
  readonly count: (db: Db, question: Question, version: number) => Promise<Count>
  readonly clear: () => void
}

interface Known extends Count {
  readonly version: number
  /** From where on rows are counted that were added since; absent where all are counted again. */
  readonly base?: Base
  /** Rows took too long to count for a request that waits. */
  readonly isSlow?: boolean
  /** When rows may be counted again in the background, so that one condition does not occupy the database. */
  readonly again?: number
}

/** Opens the counts of a process, for at most so many conditions. {@param fail} is called with errors in the background. */
export function openRowCounts(max: number, fail: (error: unknown) => void = () => undefined): RowCounts {
  const known = new LRUCache<string, Known>({ max })
  const background = openBackground(fail)
  return {
    async count(db, question, version) {
      const key = `${question.table} ${keyOf(question.where)}`
      // In a transaction the version covers writes that may be rolled back: remembered counts are neither used nor added.
      if (db.isTransaction) return countAll(db, question, version)
      const found = known.get(key)
      if (found?.version === version) return found
      if (question.table === APPENDED) return countOrEstimate(db, question, key)
      const counted = await countAll(db, question, version)
      known.set(key, counted)
      return counted
    },
    clear: () => known.clear(),
    [Symbol.asyncDispose]: () => background[Symbol.asyncDispose](),
  }

  async function countOrEstimate(db: Db, question: Question, key: string): Promise<Count> {
    const found = known.get(key)
    const counted = await countAppended(db, question, found).catch((error: unknown) => {
      if (!isStopped(error)) throw error
    })
    if (counted) {
      known.set(key, { ...counted, isSlow: found?.isSlow === true })
      return counted
    }
    const count = found?.count ?? (await estimateRows(db, question))
    known.set(key, { version: NEVER, ...found, count, isSlow: true })
    if ((found?.again ?? 0) <= performance.now())
      background.start(key, (signal) => countLater(db, question, key, signal))
    return { count, isEstimate: true }
  }

  async function countLater(db: Db, question: Question, key: string, signal: AbortSignal): Promise<void> {
    const began = performance.now()
    const counted = await countInPortions(db, question, signal)
    const ended = performance.now()
    if (counted) known.set(key, { ...counted, isSlow: true, again: ended + REST * (ended - began) })
  }
}

/** The version of no table: it has more. */
const NEVER = -1

/** After a count in the background its condition rests so many times as long as the count took. */
const REST = 4

async function countAll(db: Db, { table, where, tables }: Question, version: number): Promise<Known> {
  const { version: current } = selectVersion(table, tables)
  const statement = sql`select count(*) as count, ${current} as version from ${sql.table(table)} t where ${where}`
  return (await row<Known>(db, statement)) ?? { count: 0, version }
}
