import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, row, type Sql } from '../../database/sql.ts'
import { type Condition, joinConditions } from '../condition.ts'
import type { Resource } from '../definition.ts'

/**
 * Scalar subselects for the version of all tables that the conditions read, and for the number of rows of the
 * resource's table. Both are sums over `table_changes`: exact, transactional, and as fast for large tables.
 */
export function versionOf(resource: Resource, conditions: readonly Condition[]): { version: Sql; everything: Sql } {
  const tables = [...new Set([resource.table, ...conditions.flatMap((condition) => condition.tables)])].sort()
  return {
    version: sql`(select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any (${tables}::text[]))`,
    everything: sql`(select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = ${resource.table})`,
  }
}

/** Reads version and row count alone, when a page without rows could not carry them. */
export async function readVersion(db: Db, resource: Resource, conditions: readonly Condition[]) {
  const { version, everything } = versionOf(resource, conditions)
  const found = await row<{ version: number; everything: number }>(
    db,
    sql`select ${version} as version, ${everything} as everything`,
  )
  return found ?? { version: 0, everything: 0 }
}

/**
 * Counts the rows that the conditions leave, at the given version of all tables that `dependingOn` reads. A version
 * stands for one set of committed writes, so a count is taken once per version and remembered. Conditions must depend
 * on nothing but tables and bound values.
 */
export async function countRows(
  ctx: Context,
  resource: Resource,
  conditions: readonly Condition[],
  dependingOn: readonly Condition[],
  version: number,
): Promise<number> {
  const { version: currentVersion } = versionOf(resource, dependingOn)
  const statement = sql<{ count: number; version: number }>`
    select count(*) as count, ${currentVersion} as version from ${sql.table(resource.table)} t where ${joinConditions(conditions)}`
  const compiled = statement.compile(ctx.db)
  const key = `${compiled.sql}\0${JSON.stringify(compiled.parameters)}`
  // In a transaction the version covers writes that may be rolled back: remembered counts are neither used nor added.
  const known = ctx.db.isTransaction ? undefined : ctx.counts.get(key)
  if (known?.version === version) return known.count
  const { rows: counted } = await ctx.db.executeQuery(compiled)
  const { count = 0, version: countedAt = version } = counted[0] ?? {}
  if (!ctx.db.isTransaction) ctx.counts.set(key, { version: countedAt, count })
  return count
}
