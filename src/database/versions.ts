import { sql } from '../sql.ts'
import { type Db, row, type Sql } from './sql.ts'

/**
 * Scalar subselects for the version of tables, and for the number of rows of the first. Both are sums over `table_changes`:
 * exact, transactional, and as fast for large tables.
 */
export function selectVersion(table: string, others: readonly string[]): { version: Sql; everything: Sql } {
  const tables = [...new Set([table, ...others])].sort()
  return {
    version: sql`(select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any (${tables}::text[]))`,
    everything: sql`(select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = ${table})`,
  }
}

/** Reads version and row count alone, when a page without rows could not carry them. */
export async function readVersion(db: Db, { version, everything }: ReturnType<typeof selectVersion>) {
  const found = await row<{ version: number; everything: number }>(
    db,
    sql`select ${version} as version, ${everything} as everything`,
  )
  return found ?? { version: 0, everything: 0 }
}

/** Reads the number of rows of a table, visible or not, without counting them. */
export async function readRowCount(db: Db, table: string): Promise<number> {
  const found = await row<{ records: number }>(
    db,
    sql`select coalesce(sum(row_count), 0)::bigint as records from table_changes where table_name = ${table}`,
  )
  return found?.records ?? 0
}
