import { sql } from 'kysely'
import { type Db, rows, type Sql } from './sql.ts'

/** Rows deleted by one statement, to keep statements short. */
const STEP = 1000

/**
 * Deletes the rows of a table, called `known`, that a condition fits, in short statements that wait for nobody: rows that
 * somebody else has locked stay until the next time. Yields how many. It can be interrupted at any time.
 */
export async function deleteInSteps(
  db: Db,
  table: string,
  condition: Sql,
  { key = 'id', signal }: { readonly key?: string; readonly signal?: AbortSignal } = {},
): Promise<number> {
  const keys = sql`select ${sql.ref(key)} from ${sql.table(table)} known where ${condition} limit ${STEP} for update skip locked`
  let deleted = 0
  for (let some = STEP; some === STEP && signal?.aborted !== true; deleted += some) {
    const gone = await rows(db, sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${keys}) returning 1`)
    some = gone.length
  }
  return deleted
}
