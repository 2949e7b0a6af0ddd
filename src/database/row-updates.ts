import { sql } from 'kysely'
import type { Sql } from './sql.ts'

/** New values of one row. */
export interface RowUpdate {
  readonly table: string
  readonly id: number
  readonly values: readonly ColumnValue[]
}

/** A value as it is bound, and the type that the column has. */
export interface ColumnValue {
  readonly name: string
  readonly type: string
  readonly value: unknown
}

/** Builds the statement that stores new values of one row, and sets `updated_at`. */
export function buildRowUpdate({ table, id, values }: RowUpdate): Sql {
  const assignments = values.map(({ name, type, value }) => sql`${sql.ref(name)} = ${value}::${sql.raw(type)}`)
  return sql`update ${sql.table(table)} set ${sql.join([...assignments, sql`updated_at = now()`])} where id = ${id}`
}

/**
 * Builds the statement that does this to any number of rows: each of its bound values is a list, of the ids first, then of the
 * values of each column. The planner does not see how long they are: it looks for each row by its id.
 */
export function buildRowsUpdate({ table, id, values }: RowUpdate): Sql {
  const columns = [{ name: 'id', type: 'bigint', value: id }, ...values]
  const lists = columns.map(({ type, value }) => sql`(select ${[value]}::${sql.raw(`${type}[]`)})`)
  const names = columns.map((_, index) => sql.ref(`v${index}`))
  const assignments = values.map(({ name }, index) => sql`${sql.ref(name)} = ${sql.ref(`each.v${index + 1}`)}`)
  return sql`update ${sql.table(table)} t set ${sql.join([...assignments, sql`updated_at = now()`])}
    from unnest(${sql.join(lists)}) as each (${sql.join(names)}) where t.id = each.v0`
}

/**
 * Selects the columns of a table whose new values may be refused, or have effects, depending on the order in which rows get
 * them: those of unique keys, which also other tables may refer to, and all of them where a trigger looks at single rows.
 */
export function selectOrderedColumns(table: string): Sql {
  return sql`
    select a.attname as name from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and (
      exists (
        select from pg_index i where i.indrelid = a.attrelid and (i.indisunique or i.indisexclusion) and (
          a.attnum = any (i.indkey) or exists (
            select from pg_depend d where d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid = a.attnum
              and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
          )
        )
      )
      or exists (
        select from pg_trigger g where g.tgrelid = a.attrelid and not g.tgisinternal and g.tgtype & ${EACH_ROW} = ${EACH_ROW}
      )
    )`
}

/** The bits of `pg_trigger.tgtype` for a trigger of each row, after or before an update. */
const EACH_ROW = 17
