import { type RawBuilder, sql } from 'kysely'

/** A fragment of SQL with its bound values, to be put into a statement. */
export type Sql = RawBuilder<unknown>

/** Joins conditions by AND; `true` when there are none. */
export function joinAll(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions.map(inParentheses), sql` and `)}`
}

/** Joins conditions by OR; `false` when there are none. */
export function joinAny(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions.map(inParentheses), sql` or `)})`
}

function inParentheses(condition: Sql): Sql {
  return sql`(${condition})`
}
