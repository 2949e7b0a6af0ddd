import { sql } from '../sql.ts'
import type { Db } from './sql.ts'

/** Replaces the lines of `table_changes` by one per table. Readers see equal sums before and after. */
export async function foldChanges(db: Db): Promise<void> {
  await sql`
    with gone as (delete from table_changes returning table_name, row_count, writes)
    insert into table_changes select table_name, sum(row_count), sum(writes) from gone group by table_name`.execute(db)
}

/** Vacuums what folding left: nobody else does for a minute at least, and until then each version is summed past all of it. */
export async function vacuumChanges(db: Db): Promise<void> {
  await sql`vacuum (truncate off) table_changes`.execute(db)
}
