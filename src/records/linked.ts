import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { invalid } from '../errors.ts'
import { hasPermission, limitToVisible, permissionOf } from '../kernel/authorize.ts'
import { joinConditions } from '../kernel/condition.ts'
import type { Registry } from '../kernel/definition.ts'
import type { Stored } from '../kernel/record.ts'

/** The most records that a message names. */
const NAMED_AT_MOST = 50

/**
 * Refuses to delete a record while records of another resource are linked to it by a link table, and names those that
 * the caller may see. The kernel does so itself for links by a column. {@throws Failure} invalid
 */
export async function refuseWhileLinked(
  ctx: Context,
  registry: Registry,
  stored: Stored,
  { target, ids, label }: { readonly target: string; readonly ids: unknown; readonly label: unknown },
): Promise<void> {
  const other = registry.get(target)
  if (!other || !Array.isArray(ids) || ids.length === 0) return
  const permission = permissionOf(other, 'view')
  const shown = hasPermission(ctx, permission) ? joinConditions(limitToVisible(ctx, other, permission)) : sql`false`
  const linked = await rows<{ called: string; shown: boolean }>(
    ctx.db,
    sql`select ${sql.ref(`t.${other.label ?? 'id'}`)}::text as called, ${shown} as shown
      from ${sql.table(other.table)} t where t.id = any (${ids}::bigint[]) order by 1 limit ${NAMED_AT_MOST}`,
  )
  const users = linked.map((one) =>
    one.shown ? `used by ${one.called}` : `being used by a hidden ${other.type} resource`,
  )
  throw invalid({ base: users.map((user) => `${label} is ${user}`) }, stored.id)
}
