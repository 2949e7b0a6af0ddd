import type { ReadableKey, SharedRow } from '../kernel/index.ts'
import { sql } from '../sql.ts'

/** The SQL of a key that takes a column of a row which other keys share. */
export function columnOf(row: SharedRow, column: string): Pick<ReadableKey, 'sql' | 'shared'> {
  const value = sql.ref(`${row.name}.${column}`)
  return {
    sql: (alias) => sql`(select ${value} from (${row.select(alias)}) ${sql.ref(row.name)})`,
    shared: { row, value },
  }
}
