import type { Context } from '../../../context.ts'
import { findResource, type Registry, referenceNotFound, type Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { refuseComponentView, refuseUsedVersion } from '../content-view/delete.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { requireEnvironments } from './promotion.ts'
import type { ViewInEnvironment } from './reassign.ts'
import { loadNameList, lockPermitted, refusal, refuseDefault } from './refusals.ts'
import { requireSuccessor } from './successor.ts'

/** The environments that a view is removed from, the versions to delete, and the replacement for their users. */
export interface Removal {
  readonly environments: readonly number[]
  readonly versions: readonly number[]
  readonly hosts: ViewInEnvironment | null
  readonly keys: ViewInEnvironment | null
  /** The view itself is deleted after that. */
  readonly destroys?: boolean
}

/** Refuses a removal that is impossible, or not permitted. {@throws Failure} bad_parameter, not_found, denied */
export async function requireRemovable(tx: Context, registry: Registry, view: Stored, removal: Removal): Promise<void> {
  const { environments, versions, hosts, keys, destroys } = removal
  refuseDefault(view)
  if (destroys) {
    await lockPermitted(
      tx,
      findResource(registry, 'content_view'),
      view.id,
      CONTENT_VIEW_PERMISSIONS.destroy_content_views,
    )
    await refuseComponentView(tx, view)
  }
  await requireEnvironments(tx, registry, view, environments)
  const elsewhere = await loadNameList(
    tx,
    sql`select e.name from lifecycle_environments e where e.id = any (${environments}::bigint[]) and not exists (
      select from content_view_environments p where p.content_view_id = ${view.id} and p.environment_id = e.id)`,
  )
  if (elsewhere !== null) throw refusal(`Content view '${view.name}' is not in lifecycle environment '${elsewhere}'.`)
  // The locks keep other transactions from starting to use what is removed.
  await sql`select from content_view_environments where content_view_id = ${view.id} and environment_id = any (${environments}::bigint[]) order by environment_id for update`.execute(
    tx.db,
  )
  await requireSuccessor(tx, registry, view, environments, 'host', hosts)
  await requireSuccessor(tx, registry, view, environments, 'activation_key', keys)
  for (const version of versions) await requireDeletable(tx, registry, view, version, environments)
}

async function requireDeletable(
  tx: Context,
  registry: Registry,
  view: Stored,
  id: number,
  environments: readonly number[],
): Promise<void> {
  const versions = findResource(registry, 'content_view_version')
  const version = await lockPermitted(tx, versions, id, CONTENT_VIEW_PERMISSIONS.destroy_content_views)
  if (version.content_view_id !== view.id) throw referenceNotFound(versions, id)
  await refuseUsedVersion(tx, version, environments)
}
