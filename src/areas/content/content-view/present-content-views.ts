import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { joinConditions, limitToVisible, type Registry, type Row, type Transform } from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { loadViewUsers, type ViewUser } from './view-users.ts'

const withPermissions = presentPermissions(CONTENT_VIEW_PERMISSIONS)

/** The most rows of hosts, and of keys, that a list loads for each view; a single view has all. */
const IN_LISTS = 20

type Environment = Row & { readonly id: number }

/**
 * Adds what depends on the caller: visible hosts and keys, environments, permissions. Lists take as many statements as
 * one view, and load no more rows than they show; a single view (recognized by `errors`) shows all.
 */
export const presentContentViews: Transform = async (ctx, resource, records, query) => {
  const shown = await withPermissions(ctx, resource, records, query)
  const views = shown.map(idOf)
  if (views.length === 0) return shown
  const most = shown.some((record) => 'errors' in record) ? null : IN_LISTS
  const loadUsers = async (kind: 'host' | 'activation_key') =>
    Map.groupBy(await loadViewUsers(ctx, resource.registry, kind, views, most), ({ view }) => view)
  const [hosts, keys] = [await loadUsers('host'), await loadUsers('activation_key')]
  const readable = await loadReadableEnvironments(ctx, resource.registry, shown.flatMap(placesOf))
  return shown.map((record) => {
    const [ofHosts = [], ofKeys = []] = [hosts, keys].map((users) => users.get(idOf(record)))
    return {
      ...record,
      activation_keys: pickUsers(ofKeys),
      hosts: pickUsers(ofHosts),
      environments: placesOf(record).map((environment) => ({
        ...environment,
        activation_keys: idsOf(ofKeys, environment.id),
        hosts: idsOf(ofHosts, environment.id),
        permissions: { readable: readable.has(environment.id) },
      })),
    }
  })
}

function placesOf({ environments }: Row): readonly Environment[] {
  return (environments ?? []) as readonly Environment[] // made by `readable`
}

/** The hosts or keys without repetition: one of them may use several pairs of the view. */
function pickUsers(users: readonly ViewUser[]): { readonly id: number; readonly name: string }[] {
  return [...new Map(users.map(({ id, name }) => [id, { id, name }])).values()]
}

function idsOf(users: readonly ViewUser[], environment: number): number[] {
  return users.filter((user) => user.environment === environment).map(({ id }) => id)
}

/** Loads the ids of those environments for which the caller has the permission. */
export async function loadPermittedEnvironments(
  ctx: Context,
  registry: Registry,
  ids: readonly number[],
  permission: string,
): Promise<ReadonlySet<number>> {
  const environments = registry.get('lifecycle_environment')
  if (!environments || ids.length === 0) return new Set()
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from lifecycle_environments t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToVisible(ctx, environments, permission))}`,
  )
  return new Set(found.map(({ id }) => id))
}

function loadReadableEnvironments(ctx: Context, registry: Registry, environments: readonly Environment[]) {
  const ids = [...new Set(environments.map(({ id }) => id))]
  return loadPermittedEnvironments(ctx, registry, ids, 'view_lifecycle_environments')
}
