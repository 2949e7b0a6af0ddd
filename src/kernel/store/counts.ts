import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, row, type Sql } from '../../database/sql.ts'
import { type Condition, joinConditions } from '../condition.ts'
import type { Resource } from '../definition.ts'

/**
 * The version of everything that the conditions read, and the number of rows of the resource's table, as scalar
 * subselects. Both are sums over `table_changes`: exact, transactional, and independent of the size of the table.
 */
export function versionOf(resource: Resource, conditions: readonly Condition[]): { version: Sql; everything: Sql } {
  const tables = [...new Set([resource.table, ...conditions.flatMap((condition) => condition.tables)])].sort()
  return {
    version: sql`(select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any (${tables}::text[]))`,
    everything: sql`(select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = ${resource.table})`,
  }
}

/** Version and size alone, for when no row could carry them. */
export async function readVersion(db: Db, resource: Resource, conditions: readonly Condition[]) {
  const { version, everything } = versionOf(resource, conditions)
  const found = await row<{ version: number; everything: number }>(
    db,
    sql`select ${version} as version, ${everything} as everything`,
  )
  return found ?? { version: 0, everything: 0 }
}

/**
 * How many rows the conditions leave, given the version of everything that `dependingOn` reads. Sets of committed writes
 * only grow, so equal versions mean equal data: a count is taken once per version and remembered. Conditions must
 * therefore not depend on anything but tables and bound values.
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
  // Inside a transaction the version contains writes that may yet be rolled back: nothing is remembered, nor believed.
  const known = ctx.db.isTransaction ? undefined : ctx.counts.get(key)
  if (known?.version === version) return known.count
  const { rows: counted } = await ctx.db.executeQuery(compiled)
  const { count = 0, version: countedAt = version } = counted[0] ?? {}
  if (!ctx.db.isTransaction) ctx.counts.set(key, { version: countedAt, count })
  return count
}

/** Folds the lines of `table_changes` into one per table. Readers see the same sums before and after. */
export async function foldChanges(db: Db): Promise<void> {
  await sql`
    with gone as (delete from table_changes returning table_name, row_count, writes)
    insert into table_changes select table_name, sum(row_count), sum(writes) from gone group by table_name`.execute(db)
}
