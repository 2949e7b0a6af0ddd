import { sql } from 'kysely'
import { sendRowWithNext, sendWithNext } from './ahead.ts'
import { writeAudits } from './audits.ts'
import { buildRowsUpdate, buildRowUpdate, type RowUpdate, selectOrderedColumns } from './row-updates.ts'
import { inSavepoint } from './savepoints.ts'
import { arrayOfIds, type Db, keyOf, row, rows, type Sql } from './sql.ts'

/** What several operations of a transaction have in common while they are done together. */
interface Together {
  /** Ids of which a condition has to hold in the end, by what tells the condition from others. */
  readonly awaited: Map<string, { readonly condition: Condition; readonly ids: number[] }>
  /** Rows that were looked up, by the statement. */
  readonly known: Map<string, Promise<unknown[]>>
  /** The ids of the records that the operations name. */
  readonly ids: readonly number[]
}

/** What has to hold of a record, given its id. */
type Condition = (id: Sql) => Sql

const together = new WeakMap<Db, Together>()

/**
 * Does operations that do not concern each other as one part of a transaction. Conditions on their records are checked
 * at the end, for all records at once, and what they look up is looked up once; the records that they name by these ids are
 * locked and read at once. If anything fails, all of it is undone and the result is null: doing the operations one by one
 * then shows which failed.
 */
export async function doTogether<Result>(
  tx: Db,
  ids: readonly number[],
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await inSavepoint(tx, async () => {
      const state: Together = { awaited: new Map(), known: new Map(), ids }
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

/** Which rows of a table, alias `t`, are to be locked, and what to read of them. */
export interface Lookup {
  readonly table: string
  readonly columns: Sql
  readonly condition: Sql
  /** Whether the row is called by one of these words, where its id is not the only name. */
  readonly isCalled: (words: Sql) => Sql
}

/**
 * Locks and reads the record that a word names, at once with all others that the operations name. Yields undefined when it
 * is not found, and null where it has to be looked for alone: outside of operations that are done together, or where one of
 * the ids is also the name of a record.
 */
export async function lockTogether<Row extends { readonly id: number }>(
  tx: Db,
  word: string | number,
  lookup: Lookup,
): Promise<Row | undefined | null> {
  const state = together.get(tx)
  const id = Number(word)
  if (!state?.ids.includes(id) || String(id) !== word) return null
  const key = `lock ${lookup.table} ${keyOf(lookup.condition)}`
  const found = state.known.get(key) ?? lockAll(tx, lookup, state.ids)
  state.known.set(key, found)
  const [records] = (await found) as [ReadonlyMap<number, Row> | undefined] // as `lockAll` read them
  return records ? records.get(id) : null
}

/** Yields the rows by id in a list of one, or nothing where ids are names of records. */
async function lockAll(tx: Db, { table, columns, condition, isCalled }: Lookup, ids: readonly number[]) {
  const from = sql`from ${sql.table(table)} t`
  const named = sendWithNext(tx, sql`select ${from} where ${isCalled(sql`any (${ids.map(String)}::text[])`)} limit 1`)
  const locking = sendWithNext<{ readonly id: number }>(
    tx,
    sql`select t.id ${from} where t.id = any (${arrayOfIds(ids)}) and ${condition} order by t.id for no key update of t`,
  )
  const found = await rows<{ readonly id: number }>(
    tx,
    sql`select ${columns} ${from} where t.id = any (${arrayOfIds(ids)})`,
  )
  const locked = new Set((await locking()).map(({ id }) => id))
  if ((await named()).length > 0) return []
  return [new Map(found.filter(({ id }) => locked.has(id)).map((one) => [one.id, one]))]
}

/**
 * Sends new values of a row with the next statement, in one with those of other rows where nothing tells in which order the
 * rows got them. False where no operations are done together: nothing is sent then, and the caller has to execute it, to learn
 * which operation fails.
 */
export async function isUpdatedTogether(tx: Db, update: RowUpdate): Promise<boolean> {
  if (!together.has(tx)) return false
  const ordered = await loadOnce<{ readonly name: string }>(tx, selectOrderedColumns(update.table))
  const isAlone = update.values.some(
    ({ name, type }) => type.endsWith('[]') || ordered.some((one) => one.name === name),
  )
  if (isAlone) void sendWithNext(tx, buildRowUpdate(update))
  else sendRowWithNext(tx, buildRowsUpdate(update))
  return true
}
