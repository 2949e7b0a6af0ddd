import type { Context } from '../../context.ts'
import { keyOf, row } from '../../database/sql.ts'
import { selectVersion } from '../../database/versions.ts'
import { sql } from '../../sql.ts'
import { type Condition, joinConditions, listTables } from '../condition.ts'
import type { Resource } from '../definition.ts'

/** Selects the version of all tables that conditions on a resource read, and the number of rows in the resource's table. */
export function versionOf({ table }: Resource, conditions: readonly Condition[]): ReturnType<typeof selectVersion> {
  return selectVersion(table, listTables(conditions))
}

/** Counts rows at a version of all tables that `dependingOn` reads, once for each version. */
export async function countRows(
  ctx: Context,
  resource: Resource,
  conditions: readonly Condition[],
  dependingOn: readonly Condition[],
  version: number,
): Promise<number> {
  const { version: currentVersion } = versionOf(resource, dependingOn)
  const statement = sql`
    select count(*) as count, ${currentVersion} as version from ${sql.table(resource.table)} t where ${joinConditions(conditions)}`
  const key = keyOf(statement)
  // In a transaction the version covers writes that may be rolled back: remembered counts are neither used nor added.
  const known = ctx.db.isTransaction ? undefined : ctx.counts.get(key)
  if (known?.version === version) return known.count
  const counted = await row<{ count: number; version: number }>(ctx.db, statement)
  const { count = 0, version: countedAt = version } = counted ?? {}
  if (!ctx.db.isTransaction) ctx.counts.set(key, { version: countedAt, count })
  return count
}
