import { type RawBuilder, sql } from 'kysely'

/** A piece of SQL with its bound values, to be put into another. */
export type Sql = RawBuilder<unknown>

/** Conditions joined by AND; `true` when there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions.map(inParentheses), sql` and `)}`
}

/** Conditions joined by OR; `false` when there are none. */
export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions.map(inParentheses), sql` or `)})`
}

function inParentheses(condition: Sql): Sql {
  return sql`(${condition})`
}
