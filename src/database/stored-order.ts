import { printIfReordered } from '../lib/lossless-json.ts'
import { type Sql, sql } from '../sql.ts'
import type { Db } from './db.ts'

/** A table with a column of JSON that keeps the order of keys: what `jsonb` loses of it is in a second table (decision 0054). */
export type Ordered = keyof typeof ORDERED

/** The column of JSON of each such table. */
export const ORDERED = {
  parameters: 'value',
  smart_class_parameters: 'default_value',
  override_values: 'value',
  compute_attributes: 'vm_attrs',
  audits: 'audited_changes',
} as const

/** Selects the JSON of a row of such a table, by its alias, with the order of keys. */
export function selectInOrder(table: Ordered, alias: string): Sql {
  return sql`in_order(${sql.ref(`${alias}.${ORDERED[table]}`)}, (
    select k.ordered from ${sql.table(orderOf(table))} k where k.id = ${sql.ref(`${alias}.id`)}))`
}

/** Stores the order of keys of a value that is about to be stored, or was, and tells whether `jsonb` loses it. */
export async function storeOrder(
  db: Db,
  columns: readonly { readonly ordered?: Ordered }[],
  values: Readonly<Record<string, unknown>>,
  id: number,
  isUpdate = false,
): Promise<boolean> {
  const ordered = columns.find((column) => column.ordered !== undefined)?.ordered
  const value = ordered && values[ORDERED[ordered]]
  if (!ordered || value === undefined) return false
  const table = sql.table(orderOf(ordered))
  const text = printIfReordered(value)
  if (text !== null)
    await sql`insert into ${table} (id, ordered) values (${id}::bigint, ${text}::text)
      on conflict (id) do update set ordered = excluded.ordered`.execute(db)
  else if (isUpdate) await sql`delete from ${table} where id = ${id}::bigint`.execute(db)
  return text !== null
}

function orderOf(table: Ordered): string {
  return `${table}_order`
}
