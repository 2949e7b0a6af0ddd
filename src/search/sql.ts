import { type Sql, sql } from '../sql.ts'

export type { Sql }

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
