import { sql } from 'kysely'
import { writeAudits } from './audits.ts'
import { inSavepoint } from './savepoints.ts'
import { type Db, keyOf, row, rows, type Sql } from './sql.ts'

/** What several operations of a transaction have in common while they are done together. */
interface Together {
  /** Ids of which a condition has to hold in the end, by what tells the condition from others. */
  readonly awaited: Map<string, { readonly condition: Condition; readonly ids: number[] }>
  /** Rows that were looked up, by the statement. */
  readonly known: Map<string, Promise<unknown[]>>
}

/** What has to hold of a record, given its id. */
type Condition = (id: Sql) => Sql

const together = new WeakMap<Db, Together>()

/**
 * Does operations that do not concern each other as one part of a transaction. Conditions on their records are checked
 * at the end, for all records at once, and what they look up is looked up once. If anything fails, all of it is undone
 * and the result is null: doing the operations one by one then shows which failed.
 */
export async function doTogether<Result>(tx: Db, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await inSavepoint(tx, async () => {
      const state: Together = { awaited: new Map(), known: new Map() }
      together.set(tx, state)
      const result = await work()
      together.delete(tx)
      await requireAwaited(tx, state)
      return result
    })
  } catch {
    return null
  } finally {
    together.delete(tx)
  }
}

/**
 * Defers a condition on a record to the end of the operations that are done together. False where none are: the caller
 * then has to check it.
 */
export function isAwaited(tx: Db, id: number, condition: Condition): boolean {
  const state = together.get(tx)
  if (!state) return false
  const key = keyOf(condition(EACH))
  const known = state.awaited.get(key)
  if (known) known.ids.push(id)
  else state.awaited.set(key, { condition, ids: [id] })
  return true
}

const EACH = sql`each.id`

async function requireAwaited(tx: Db, { awaited }: Together): Promise<void> {
  await writeAudits(tx)
  for (const { condition, ids } of awaited.values()) {
    const failing = await row(
      tx,
      sql`select from unnest(${ids}::bigint[]) as each (id) where (${condition(EACH)}) is not true limit 1`,
    )
    if (failing) throw new Error('a record is not as it has to be')
  }
}

/**
 * Loads the rows of a statement, once for all operations that are done together. None of these may change its result.
 */
export async function loadOnce<Row>(db: Db, statement: Sql): Promise<readonly Row[]> {
  const state = together.get(db)
  if (!state) return rows<Row>(db, statement)
  const key = keyOf(statement)
  const known = state.known.get(key) ?? rows<Row>(db, statement)
  state.known.set(key, known)
  return (await known) as Row[] // the same statement has the same columns
}
