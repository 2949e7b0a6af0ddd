import type { Context } from '../../context.ts'
import type { Count } from '../../database/row-counts.ts'
import { selectVersion } from '../../database/versions.ts'
import { type Condition, joinConditions, listTables } from '../condition.ts'
import type { Resource } from '../definition.ts'

/** Selects the version of all tables that conditions on a resource read, and the number of rows in the resource's table. */
export function versionOf({ table }: Resource, conditions: readonly Condition[]): ReturnType<typeof selectVersion> {
  return selectVersion(table, listTables(conditions))
}

/** Counts rows at a version of all tables that `dependingOn` reads, once for each version. */
export function countRows(
  { db, counts }: Context,
  { table }: Resource,
  conditions: readonly Condition[],
  dependingOn: readonly Condition[],
  version: number,
): Promise<Count> {
  return counts.count(db, { table, where: joinConditions(conditions), tables: listTables(dependingOn) }, version)
}
