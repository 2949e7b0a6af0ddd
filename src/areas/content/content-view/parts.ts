import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import {
  type Field,
  findResource,
  joinConditions,
  limitToVisible,
  links,
  permissionOf,
  type Registry,
  referenceNotFound,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { byIds } from '../shared/by-ids.ts'

/** A field for the repositories of a view by id. Whether the caller may use them is checked once the view is known. */
export function repositoriesOfView(doc: string): Field<readonly number[]> {
  return byIds(
    links('repository', { through: 'content_view_repositories', own: 'content_view_id', doc }),
    'repository_ids',
  )
}

const OF_ORGANIZATION = {
  repository: (organization: number | null) =>
    sql`t.product_id in (select p.id from products p where p.organization_id = ${organization})`,
  content_view: (organization: number | null) => sql`t.organization_id = ${organization}`,
  content_view_version: (organization: number | null) =>
    sql`t.content_view_id in (select v.id from content_views v where v.organization_id = ${organization})`,
} as const satisfies Readonly<Record<string, (organization: number | null) => Sql>>

/**
 * Refuses ids of missing records, and of records in another organization or invisible to the caller; the message does
 * not tell these apart. {@throws Failure} not_found
 */
export async function requireParts(
  ctx: Context,
  registry: Registry,
  kind: keyof typeof OF_ORGANIZATION,
  ids: readonly number[],
  organization: number | null,
): Promise<void> {
  if (ids.length === 0) return
  const target = findResource(registry, kind)
  const seen = joinConditions(limitToVisible(ctx, target, permissionOf(target, 'view')))
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from ${sql.table(target.table)} t
      where t.id = any (${ids}::bigint[]) and ${OF_ORGANIZATION[kind](organization)} and ${seen}`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(target, missing.slice(0, 100).join(', '))
}
