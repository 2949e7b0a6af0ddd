import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { findResource, labelOf, type Registry, recordAudit, removeStored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { reassignHosts, reassignKeys } from './reassign.ts'
import { withReassignmentAudits } from './reassignment-audits.ts'
import { lockPermitted } from './refusals.ts'
import { type Removal, requireRemovable } from './removable.ts'

/** Removes a view from environments and deletes versions of it, with the present permissions of the requester. */
export async function executeRemoval(tx: Context, registry: Registry, id: number, removal: Removal): Promise<void> {
  const views = findResource(registry, 'content_view')
  const view = await lockPermitted(tx, views, id, CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views)
  await requireRemovable(tx, registry, view, removal)
  const { environments, versions, hosts, keys } = removal
  const before = await placesOf(tx, id)
  const gone = sql`u.content_view_id = ${id} and u.environment_id = any (${environments}::bigint[])`
  if (hosts) await withReassignmentAudits(tx, registry, 'host', gone, () => reassignHosts(tx, id, environments, hosts))
  if (keys)
    await withReassignmentAudits(tx, registry, 'activation_key', gone, () => reassignKeys(tx, id, environments, keys))
  await sql`delete from content_view_environments where content_view_id = ${id} and environment_id = any (${environments}::bigint[])`.execute(
    tx.db,
  )
  if (environments.length > 0)
    await recordAudit(
      tx,
      views,
      'update',
      { id, label: labelOf(views, view) },
      { environment_ids: [before, await placesOf(tx, id)] },
    )
  const resource = findResource(registry, 'content_view_version')
  for (const version of versions)
    await removeStored(
      tx,
      resource,
      await lockPermitted(tx, resource, version, CONTENT_VIEW_PERMISSIONS.destroy_content_views),
    )
}

async function placesOf(tx: Context, view: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select environment_id as id from content_view_environments where content_view_id = ${view} order by 1`,
  )
  return found.map(({ id }) => id)
}
