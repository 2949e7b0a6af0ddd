import { sql } from 'kysely'
import type { ReadableKey, SharedRow } from '../kernel/definition.ts'

/** How a key takes a column of a row that others take columns of as well. */
export function columnOf(row: SharedRow, column: string): Pick<ReadableKey, 'sql' | 'shared'> {
  const value = sql.ref(`${row.name}.${column}`)
  return {
    sql: (alias) => sql`(select ${value} from (${row.select(alias)}) ${sql.ref(row.name)})`,
    shared: { row, value },
  }
}
