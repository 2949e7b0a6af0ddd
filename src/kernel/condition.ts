import type { Sql } from '../database/sql.ts'
import { joinAll } from '../search/sql.ts'

/** A restriction on the rows of a resource (alias `t`), and all tables that it reads: a write to one outdates cached counts. */
export interface Condition {
  readonly sql: Sql
  readonly tables: readonly string[]
}

/** The alias that the row of the resource has in every statement of the kernel. */
export const ROOT = 't'

/** Joins the conditions to one expression that can follow `where`. */
export function joinConditions(conditions: readonly Condition[]): Sql {
  return joinAll(conditions.map((condition) => condition.sql))
}
