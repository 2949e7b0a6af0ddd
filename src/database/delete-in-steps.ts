import { sql } from '../sql.ts'
import type { ArchivedRow, ArchiveRows } from './archive-rows.ts'
import { type Db, rows, type Sql } from './sql.ts'

/** Rows deleted by one statement, to keep statements short. */
const STEP = 1000

/** Options of `deleteInSteps`. */
export interface Steps {
  /** The column that names a row. */
  readonly key?: string
  /** How many rows go with one of these, called `known`: they count as rows of a step. */
  readonly parts?: Sql
  readonly signal?: AbortSignal
  /** Stores the rows of a step before they are gone. */
  readonly archive?: ArchiveRows | undefined
}

/**
 * Deletes the rows of a table, called `known`, that a condition fits, in short statements that wait for nobody: rows that
 * somebody else has locked stay until the next time. Yields how many. It can be interrupted at any time.
 */
export async function deleteInSteps(
  db: Db,
  table: string,
  condition: Sql,
  { key = 'id', parts, signal, archive }: Steps = {},
): Promise<number> {
  const id = sql.ref(key)
  const size = parts ? sql`1 + (${parts})` : sql`1`
  // A row goes in one piece: the last one of a step may bring more parts than there was room for.
  const step = sql`
    with found as materialized (
      select ${id} as id, ${size} as size from ${sql.table(table)} known where ${condition} limit ${STEP} for update skip locked
    ), counted as (
      select id, sum(size) over (order by id) - size as before from found
    )
    delete from ${sql.table(table)} where ${id} = any (array(select id from counted where before < ${STEP}))
    returning ${archive ? sql`to_jsonb(${sql.table(table)}) as row` : sql`1`}`
  let deleted = 0
  while (signal?.aborted !== true) {
    const gone = archive ? await deleteArchived(db, step, archive) : await rows(db, step)
    if (gone.length === 0) break
    deleted += gone.length
  }
  return deleted
}

/** Deletes the rows of a step once they are stored elsewhere: a failure keeps them. */
function deleteArchived(db: Db, step: Sql, archive: ArchiveRows): Promise<readonly unknown[]> {
  return db.transaction(async (tx) => {
    const gone = await rows<{ row: ArchivedRow }>(tx, step)
    await archive(gone.map(({ row }) => row))
    return gone
  })
}
