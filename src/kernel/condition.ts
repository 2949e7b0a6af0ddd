import type { Sql } from '../database/sql.ts'
import type { SearchField, SearchSchema } from '../search/index.ts'
import { joinAll, joinAny, sql } from '../sql.ts'

/** A restriction on the rows of a resource (alias `t`), and all tables that it reads: a write to one outdates cached counts. */
export interface Condition {
  readonly sql: Sql
  readonly tables: readonly string[]
}

/** Keeps a search from telling values that the caller may not see. */
export interface SearchGuard {
  readonly limitField: (field: SearchField) => SearchField
  readonly limitCondition: (schema: SearchSchema, search: string, found: Condition) => Condition
}

/** The alias that the row of the resource has in every statement of the kernel. */
export const ROOT = 't'

/** Joins the conditions to one expression that can follow `where`. */
export function joinConditions(conditions: readonly Condition[]): Sql {
  return joinAll(conditions.map((condition) => condition.sql))
}

/** Leaves the rows for which all conditions of some alternative hold; no condition where an alternative has none. */
export function limitToAny(alternatives: readonly (readonly Condition[])[]): Condition[] {
  if (alternatives.some((conditions) => conditions.length === 0)) return []
  return [{ sql: joinAny(alternatives.map(joinConditions)), tables: listTables(alternatives.flat()) }]
}

/** Leaves the rows whose column holds the id of a row of this table that the conditions leave. */
export function limitToIdsOf(column: string, table: string, seen: readonly Condition[]): Condition {
  return {
    sql: sql`${sql.ref(`${ROOT}.${column}`)} in (select t.id from ${sql.table(table)} t where ${joinConditions(seen)})`,
    tables: [table, ...listTables(seen)],
  }
}

/** Lists the tables that conditions read. */
export function listTables(conditions: readonly Condition[]): string[] {
  return conditions.flatMap(({ tables }) => tables)
}
