import { type Context, hasPermission } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import {
  type Condition,
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  referenceNotFound,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { KeyOfHosts } from './drift.ts'
import type { ReapplyRequest } from './reapply-request.ts'

/**
 * Refuses hosts that are not registered with the key, or that the caller may not edit. {@throws Failure} not_found,
 * naming these hosts
 */
export async function requireHosts(
  ctx: Context,
  registry: Registry,
  key: KeyOfHosts,
  { host_ids: ids }: ReapplyRequest,
) {
  if (!ids) return
  const hosts = findResource(registry, 'host')
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToEditableHosts(ctx, hosts))}
      and exists (select from activation_key_hosts l where l.host_id = t.id and l.activation_key_id = ${key.id})`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(hosts, missing.slice(0, 100).join(', '))
}

/** Leaves hosts that the caller may both view and edit. */
export function limitToEditableHosts(ctx: Context, hosts: Resource): Condition[] {
  if (!hasPermission(ctx, 'view_hosts') || !hasPermission(ctx, 'edit_hosts')) return [{ sql: sql`false`, tables: [] }]
  return [...limitToVisible(ctx, hosts, 'view_hosts'), ...limitToVisible(ctx, hosts, 'edit_hosts')]
}
