import { type Sql, sql } from '../sql.ts'

/** What an order compares, as expressions over the record under the alias of the search. */
export interface OrderKey {
  readonly value: Sql
  /** The compared value where the joins of the order are part of the statement; otherwise `value` is used. */
  readonly compared: Sql
  readonly descending: boolean
  /** Where records without a value stand; null where every record has one. */
  readonly nulls: 'first' | 'last' | null
}

/** The position of a record in an order: its value as text, and its id, which decides between equal values. */
export interface Position {
  readonly value: string | null
  readonly id: number
}

/**
 * Builds the condition that a record stands behind a position, whether or not that record still exists. The first comparison
 * alone bounds what is read of an index. The database infers the type of the value from what it is compared with.
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

/** Selects what is needed of each record to know its position: `_value` and `_id`. */
export function markOf({ value }: OrderKey, root: string): Sql {
  return sql`, (${value})::text as _value, ${sql.ref(`${root}.id`)} as _id`
}

/** The number of records before and after the search. */
export interface Counts {
  readonly total: number
  readonly subtotal: number
  /** Which of them are estimates, because counting takes long (docs/decisions/0069-totals-of-audits.md); absent: none. */
  readonly estimated?: readonly ('total' | 'subtotal')[]
}

/** A count, which may be an estimate. */
type Counted = { readonly count: number; readonly isEstimate?: boolean }

/** Combines both counts of a page with `onPage` records behind `offset`: no estimate contradicts the page or the other count. */
export function combineCounts(total: Counted, found: Counted, offset: number, onPage: number): Counts {
  const fitPage = (count: number) => (onPage > 0 ? Math.max(count, offset + onPage) : Math.min(count, offset))
  const subtotal = found.isEstimate ? fitPage(found.count) : found.count
  const counts = total.isEstimate
    ? { total: Math.max(total.count, subtotal), subtotal }
    : { total: total.count, subtotal: Math.min(subtotal, total.count) }
  if (!total.isEstimate && !found.isEstimate) return counts
  return { ...counts, estimated: NAMES.filter((name) => (name === 'total' ? total : found).isEstimate) }
}

const NAMES = ['total', 'subtotal'] as const

/** A list that is read page by page in its order, from the beginning to the end. */
export interface Walk {
  /** Builds the condition that records are behind the page before; null on the first page. */
  readonly behind: (key: OrderKey, root: string, order: string) => Sql | null
  /** The counts of the first page, which are not computed again. */
  readonly counts: Counts | null
  /** Called with the last record of a page that may have a next one. */
  readonly goOn: (last: Readonly<Record<string, unknown>> | undefined, counts: Counts, order: string) => void
}
