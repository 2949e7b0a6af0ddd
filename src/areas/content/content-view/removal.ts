import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { denied } from '../../../errors.ts'
import { recordAudit } from '../../../kernel/audit.ts'
import { hasPermission } from '../../../kernel/authorize.ts'
import type { Registry } from '../../../kernel/definition.ts'
import { labelOf } from '../../../kernel/operations/change.ts'
import { removeStored } from '../../../kernel/operations/delete.ts'
import type { Stored } from '../../../kernel/record.ts'
import { referenceNotFound } from '../../../kernel/reference.ts'
import { findResource } from '../../../kernel/registry.ts'
import { requireVisible } from '../shared/visible-link.ts'
import { refuseUsedVersion } from './delete.ts'
import { requireEnvironments } from './promotion.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'
import { reassignHosts, reassignKeys, type ViewInEnvironment } from './reassign.ts'
import { withReassignmentAudits } from './reassignment-audits.ts'
import { loadNameList, lockPermitted, refusal, refuseDefault } from './refusals.ts'
import { loadUneditablePairs, loadViewUserNames, type USERS } from './view-users.ts'

/** The environments that a view is removed from, the versions to delete, and the replacement for their users. */
export interface Removal {
  readonly environments: readonly number[]
  readonly versions: readonly number[]
  readonly hosts: ViewInEnvironment | null
  readonly keys: ViewInEnvironment | null
}

/** Executes a removal, with the requester's present permissions. */
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

/** Refuses a removal that is impossible, or not permitted. {@throws Failure} bad_parameter, not_found, denied */
export async function requireRemovable(tx: Context, registry: Registry, view: Stored, removal: Removal): Promise<void> {
  const { environments, versions, hosts, keys } = removal
  refuseDefault(view)
  await requireEnvironments(tx, registry, view, environments)
  const elsewhere = await loadNameList(
    tx,
    sql`select e.name from lifecycle_environments e where e.id = any (${environments}::bigint[]) and not exists (
      select from content_view_environments p where p.content_view_id = ${view.id} and p.environment_id = e.id)`,
  )
  if (elsewhere !== null) throw refusal(`Content view '${view.name}' is not in lifecycle environment '${elsewhere}'.`)
  // The locks keep others from starting to use what is removed.
  await sql`select from content_view_environments where content_view_id = ${view.id} and environment_id = any (${environments}::bigint[]) order by environment_id for update`.execute(
    tx.db,
  )
  await requireSuccessor(tx, registry, view, environments, 'host', hosts)
  await requireSuccessor(tx, registry, view, environments, 'activation_key', keys)
  for (const version of versions) await requireDeletable(tx, registry, view, version, environments)
}

const WORDS = {
  host: { called: 'hosts', reassign: 'content hosts', prefix: 'system', permission: 'edit_hosts' },
  activation_key: {
    called: 'activation keys',
    reassign: 'activation_keys',
    prefix: 'key',
    permission: 'edit_activation_keys',
  },
} as const

/** Requires a replacement for hosts and keys that use what is removed, and permission to edit them. */
async function requireSuccessor(
  tx: Context,
  registry: Registry,
  view: Stored,
  environments: readonly number[],
  kind: keyof typeof USERS,
  successor: ViewInEnvironment | null,
): Promise<void> {
  const gone = sql`u.content_view_id = ${view.id} and u.environment_id = any (${environments}::bigint[])`
  const users = await loadViewUserNames(tx, registry, kind, gone)
  const { called, reassign, prefix, permission } = WORDS[kind]
  if (users === null) return
  const where = await loadNameList(
    tx,
    sql`select name from lifecycle_environments where id = any (${environments}::bigint[])`,
  )
  const parameters = `${prefix}_content_view_id and ${prefix}_environment_id`
  if (successor === null)
    throw refusal(
      `Unable to reassign ${reassign}. Cannot remove '${view.name}' from environment '${where}' due to associated ${called}: ${users}. Please provide ${parameters}.`,
    )
  await requireVisible(tx, findResource(registry, 'content_view'), [successor.view])
  await requireVisible(tx, findResource(registry, 'lifecycle_environment'), [successor.environment])
  if (!(await isLasting(tx, view, environments, successor)))
    throw refusal(`Unable to reassign ${reassign}. Please check ${parameters}.`)
  if (!hasPermission(tx, permission) || (await loadUneditablePairs(tx, registry, kind, gone)).length > 0)
    throw denied([permission])
}

/** Whether the replacement exists, remains, belongs to the organization and may be given to hosts. */
async function isLasting(
  tx: Context,
  view: Stored,
  environments: readonly number[],
  pair: ViewInEnvironment,
): Promise<boolean> {
  if (pair.view === view.id && environments.includes(pair.environment)) return false
  const found = await row(
    tx.db,
    sql`select v.id from content_view_environments p join content_views v on v.id = p.content_view_id
      where p.content_view_id = ${pair.view} and p.environment_id = ${pair.environment}
        and v.organization_id = ${view.organization_id} and v.generated_for = 'none' for key share of p`,
  )
  return found !== undefined
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

async function placesOf(tx: Context, view: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select environment_id as id from content_view_environments where content_view_id = ${view} order by 1`,
  )
  return found.map(({ id }) => id)
}
