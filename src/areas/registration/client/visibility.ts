import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { findResource, joinConditions, limitToVisible, permissionOf, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** Selects whether a record is visible: to hosts everything in their organization, to users what they may view. */
export function seenOf(ctx: Context, { registry }: Resource, name: string, alias: string): Sql {
  const target = findResource(registry, name)
  const conditions = limitToVisible(ctx, target, permissionOf(target, 'view'))
  if (conditions.length === 0) return sql`true`
  return sql`${sql.ref(`${alias}.id`)} in (select t.id from ${sql.table(target.table)} t where ${joinConditions(conditions)})`
}
