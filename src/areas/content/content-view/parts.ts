import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { limitToVisible, permissionFor } from '../../../kernel/authorize.ts'
import { joinConditions } from '../../../kernel/condition.ts'
import type { Field, Registry } from '../../../kernel/definition.ts'
import { links } from '../../../kernel/fields/index.ts'
import { referenceNotFound } from '../../../kernel/reference.ts'
import { resourceIn } from './refusals.ts'

/** Repositories of a view, by their ids. Whether its author may take them is asked once it is known which view it is. */
export function repositoriesOfView(doc: string): Field<readonly number[]> {
  const field = links('repository', { through: 'content_view_repositories', own: 'content_view_id', doc })
  return {
    ...field,
    writable: (at) =>
      Object.fromEntries(Object.entries(field.writable(at)).filter(([key]) => key === 'repository_ids')),
    read: async (ctx, at, sent) => field.read?.(ctx, at, sent, []),
  }
}

const OF_ORGANIZATION = {
  repository: (organization: number) =>
    sql`t.product_id in (select p.id from products p where p.organization_id = ${organization})`,
  content_view: (organization: number) => sql`t.organization_id = ${organization}`,
  content_view_version: (organization: number) =>
    sql`t.content_view_id in (select v.id from content_views v where v.organization_id = ${organization})`,
} as const satisfies Readonly<Record<string, (organization: number) => Sql>>

/**
 * {@throws Failure} not_found for what is of another organization, what the caller may not view, and what does not exist:
 * nobody learns which of these it is
 */
export async function requireParts(
  ctx: Context,
  registry: Registry,
  kind: keyof typeof OF_ORGANIZATION,
  ids: readonly number[],
  organization: number,
): Promise<void> {
  if (ids.length === 0) return
  const target = resourceIn(registry, kind)
  const seen = joinConditions(limitToVisible(ctx, target, permissionFor(target, 'view')))
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from ${sql.table(target.table)} t
      where t.id = any (${ids}::bigint[]) and ${OF_ORGANIZATION[kind](organization)} and ${seen}`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(target, missing.slice(0, 100).join(', '))
}
