import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Row,
  type Transform,
} from '../../../kernel/index.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { loadPermittedEnvironments } from '../content-view/present-content-views.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { loadUneditablePairs } from '../content-view/view-users.ts'
import { TO_ENVIRONMENTS } from './promotion.ts'
import { CONTENT_VIEW_VERSION_PERMISSIONS } from './version-readable.ts'

const withPermissions = presentPermissions(CONTENT_VIEW_VERSION_PERMISSIONS)

type EnvironmentRow = Row & { readonly id: number }

/**
 * Adds what the caller may do with each version and in its environments. Lists take as many statements as one version.
 */
export const presentContentViewVersions: Transform = async (ctx, resource, records, query) => {
  const shown = await withPermissions(ctx, resource, records, query)
  const { registry } = resource
  const environments = [...new Set(shown.flatMap(placesOf).map(({ id }) => id))]
  if (environments.length === 0) return shown
  const views = [...new Set(shown.map(viewOf))]
  const readable = await loadPermittedEnvironments(ctx, registry, environments, 'view_lifecycle_environments')
  const open = await loadPermittedEnvironments(ctx, registry, environments, TO_ENVIRONMENTS)
  const promotable = await loadPromotableViews(ctx, registry, views)
  const inThese = sql`u.content_view_id = any (${views}::bigint[]) and u.environment_id = any (${environments}::bigint[])`
  const hosts = pairsOf(await loadUneditablePairs(ctx, registry, 'host', inThese))
  const keys = pairsOf(await loadUneditablePairs(ctx, registry, 'activation_key', inThese))
  return shown.map((record) => ({
    ...record,
    environments: placesOf(record).map((place) => ({
      ...place,
      permissions: {
        readable: readable.has(place.id),
        promotable_or_removable: open.has(place.id) && promotable.has(viewOf(record)),
        all_hosts_editable: !hosts.has(`${viewOf(record)}/${place.id}`),
        all_keys_editable: !keys.has(`${viewOf(record)}/${place.id}`),
      },
    })),
  }))
}

function placesOf({ environments }: Row): readonly EnvironmentRow[] {
  return (environments ?? []) as readonly EnvironmentRow[] // made by `versionReadable`
}

function viewOf({ content_view_id }: Row): number {
  return Number(content_view_id)
}

function pairsOf(
  pairs: readonly { readonly view: number; readonly environment: number | null }[],
): ReadonlySet<string> {
  return new Set(pairs.map(({ view, environment }) => `${view}/${environment}`))
}

async function loadPromotableViews(
  ctx: Context,
  registry: Registry,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const conditions = limitToVisible(
    ctx,
    findResource(registry, 'content_view'),
    CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views,
  )
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from content_views t where t.id = any (${ids}::bigint[]) and ${joinConditions(conditions)}`,
  )
  return new Set(found.map(({ id }) => id))
}
