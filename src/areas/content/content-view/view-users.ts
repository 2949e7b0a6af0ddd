import type { Context } from '../../../context.ts'
import { arrayOfIds, row, rows, type Sql } from '../../../database/sql.ts'
import { joinConditions, limitToVisible, permissionOf, type Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A host or key that uses a view in an environment; a key may have a view without an environment. */
export interface ViewUser {
  readonly view: number
  readonly environment: number | null
  readonly id: number
  readonly name: string
}

/** Hosts and activation keys with each of their pairs, as rows `(id, content_view_id, environment_id)`. */
export const USERS = {
  host: sql`(select host_id as id, content_view_id, environment_id from host_environments)`,
  activation_key: sql`(
    select id, content_view_id, environment_id from activation_keys where content_view_id is not null
    union all select activation_key_id, content_view_id, environment_id from activation_key_environments)`,
} as const

/** Loads the visible hosts (keys) that use views, at most `most` rows for each view (null: all), in one statement. */
export async function loadViewUsers(
  ctx: Context,
  registry: Registry,
  kind: keyof typeof USERS,
  views: readonly number[],
  most: number | null,
): Promise<ViewUser[]> {
  const resource = registry.get(kind)
  if (!resource) return []
  return rows<ViewUser>(
    ctx.db,
    sql`
      select v.view, x.environment, x.id, x.name from unnest(${arrayOfIds(views)}) v (view) cross join lateral (
        select u.environment_id as environment, t.id, t.name
        from ${USERS[kind]} u join ${sql.table(resource.table)} t on t.id = u.id
        where u.content_view_id = v.view and ${joinConditions(limitToVisible(ctx, resource, permissionOf(resource, 'view')))}
        order by t.name, t.id, u.environment_id limit (select ${most}::bigint)) x
      order by x.name, x.id`,
  )
}

/**
 * Loads the names of the hosts (keys) that the condition on `u` leaves, for messages: `a, b, 3 that you may not view`;
 * null for none. Each is named once.
 */
export async function loadViewUserNames(
  ctx: Context,
  registry: Registry,
  kind: keyof typeof USERS,
  condition: Sql,
): Promise<string | null> {
  const resource = registry.get(kind)
  if (!resource) return null
  const seen = joinConditions(limitToVisible(ctx, resource, permissionOf(resource, 'view')))
  const found = await row<{ names: string[] | null; shown: number; hidden: number }>(
    ctx.db,
    sql`
      select (array_agg(name order by name) filter (where seen))[1:${sql.lit(NAMED_AT_MOST)}] as names,
        count(*) filter (where seen) as shown, count(*) filter (where not seen) as hidden
      from (select t.name, ${seen} as seen from ${sql.table(resource.table)} t where t.id in (select u.id from ${USERS[kind]} u where ${condition})) users`,
  )
  const { names, shown = 0, hidden = 0 } = found ?? {}
  const more = shown - (names?.length ?? 0)
  const said = [
    ...(names ?? []),
    ...(more > 0 ? [`${more} more`] : []),
    ...(hidden > 0 ? [`${hidden} that you may not view`] : []),
  ]
  return said.length > 0 ? said.join(', ') : null
}

/** The most users that a message names. */
const NAMED_AT_MOST = 20

/** Loads the pairs, of those `u` that the condition leaves, that a host (key) has which the caller may not edit. */
export async function loadUneditablePairs(
  ctx: Context,
  registry: Registry,
  kind: keyof typeof USERS,
  condition: Sql,
): Promise<{ readonly view: number; readonly environment: number | null }[]> {
  const resource = registry.get(kind)
  if (!resource) return []
  return rows(
    ctx.db,
    sql`
      select distinct u.content_view_id as view, u.environment_id as environment
      from ${USERS[kind]} u join ${sql.table(resource.table)} t on t.id = u.id
      where ${condition} and not (${joinConditions(limitToVisible(ctx, resource, permissionOf(resource, 'edit')))})`,
  )
}
