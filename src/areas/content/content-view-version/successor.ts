import { type Context, hasPermission } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { denied } from '../../../errors.ts'
import { findResource, type Registry, type Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { loadUneditablePairs, loadViewUserNames, type USERS } from '../content-view/view-users.ts'
import { requireVisible } from '../shared/visible-link.ts'
import type { ViewInEnvironment } from './reassign.ts'
import { loadNameList, refusal } from './refusals.ts'

const WORDS = {
  host: { called: 'hosts', reassign: 'content hosts', prefix: 'system', permission: 'edit_hosts' },
  activation_key: {
    called: 'activation keys',
    reassign: 'activation_keys',
    prefix: 'key',
    permission: 'edit_activation_keys',
  },
} as const

/** Requires a replacement if hosts (or keys) use what is removed, and permission to edit all of these. */
export async function requireSuccessor(
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

/** Whether the replacement exists, is not removed itself, belongs to the organization and may be given to hosts. */
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
