import { all } from '../../database/sql.ts'
import type { Condition } from '../../kernel/condition.ts'
import type { Resource } from '../../kernel/resource.ts'

/** The resource with only those of its records that fulfil the conditions: for lists with filters of their own. */
export function narrowed(resource: Resource, conditions: readonly Condition[]): Resource {
  if (conditions.length === 0) return resource
  const { records } = resource
  return {
    ...resource,
    records: {
      ...records,
      where: (ctx, alias) =>
        all([...(records?.where ? [records.where(ctx, alias)] : []), ...conditions.map((condition) => condition.sql)]),
      tables: [...(records?.tables ?? []), ...conditions.flatMap(({ tables }) => tables)],
    },
  }
}
