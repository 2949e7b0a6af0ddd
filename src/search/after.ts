import { sql } from 'kysely'
import type { Sql } from './sql.ts'

/** What an order compares, of the record under the alias of the search. */
export interface OrderKey {
  readonly value: Sql
  /** The value where the joins of the order are: a statement without them has the value alone. */
  readonly compared: Sql
  readonly descending: boolean
  /** Where records without a value stand; null where all have one. */
  readonly nulls: 'first' | 'last' | null
}

/** Where a record stands in an order: its value as text, and its id, which decides between equals. */
export interface Position {
  readonly value: string | null
  readonly id: number
}

/**
 * The condition that a record stands behind a position, whether or not a record stands there still. The first comparison
 * alone bounds what is read of an index. What type the value is of the database finds out from what it is compared with.
 */
export function compileAfter({ compared, descending, nulls }: OrderKey, { value, id }: Position, root: string): Sql {
  const tied = sql`${sql.ref(`${root}.id`)} > ${id}::bigint`
  if (value === null) {
    const tiedWithout = sql`${compared} is null and ${tied}`
    return nulls === 'first' ? sql`(${compared} is not null or ${tiedWithout})` : sql`(${tiedWithout})`
  }
  const further = descending ? sql.raw('<') : sql.raw('>')
  const behind = sql`${compared} ${further}= ${value} and (${compared} ${further} ${value} or ${tied})`
  return nulls === 'last' ? sql`((${behind}) or ${compared} is null)` : sql`(${behind})`
}

/** What is read of each record beside what is shown, to know its position: `_value` and `_id`. */
export function markOf({ value }: OrderKey, root: string): Sql {
  return sql`, (${value})::text as _value, ${sql.ref(`${root}.id`)} as _id`
}

/** How many records there are, before and after the search. */
export interface Counts {
  readonly total: number
  readonly subtotal: number
}

/** A list that is read from its beginning to its end, page by page, by what its records are sorted by. */
export interface Walk {
  /** The condition that records are behind the page before; null on the first page. */
  readonly behind: (key: OrderKey, root: string, order: string) => Sql | null
  /** What the first page counted, which is not counted again. */
  readonly counts: Counts | null
  /** Told the last record of a page that others may follow. */
  readonly goOn: (last: Readonly<Record<string, unknown>> | undefined, counts: Counts, order: string) => void
}
