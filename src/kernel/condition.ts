import type { Sql } from '../database/sql.ts'
import { all } from '../search/sql.ts'

/** A restriction on the rows of a resource (alias `t`), with every table its truth depends on: counts are cached by them. */
export interface Condition {
  readonly sql: Sql
  readonly tables: readonly string[]
}

/** The alias that the row of the resource has in every statement of the kernel. */
export const ROOT = 't'

/** All of the conditions as one, to stand behind `where`. */
export function joinConditions(conditions: readonly Condition[]): Sql {
  return all(conditions.map((condition) => condition.sql))
}
