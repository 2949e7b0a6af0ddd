import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { invalid } from '../../errors.ts'
import { hasPermission, limitToVisible, permissionOf } from '../authorize.ts'
import { joinConditions, ROOT } from '../condition.ts'
import type { Placed, Resource } from '../definition.ts'

/** The most records that messages name for each field that links to the record. */
const NAMED_AT_MOST = 50

/** Refuses to delete a record that others use, and names those that the caller may see (core-api §1.3). {@throws Failure} */
export async function refuseWhileUsed(ctx: Context, resource: Resource, id: number, label: string): Promise<void> {
  const messages: string[] = []
  for (const { resource: referrer, placed } of resource.referrers) {
    if (placed.field.refersTo?.onDelete !== 'restrict' || !placed.column) continue
    messages.push(...(await loadUsers(ctx, referrer, placed, id)).map((who) => `${label} is ${who}`))
  }
  if (messages.length > 0) throw invalid({ base: messages }, id)
}

async function loadUsers(ctx: Context, referrer: Resource, { column, name }: Placed, id: number): Promise<string[]> {
  const permission = permissionOf(referrer, 'view')
  const shown = hasPermission(ctx, permission) ? joinConditions(limitToVisible(ctx, referrer, permission)) : sql`false`
  const called = referrer.label ? sql.ref(`${ROOT}.${referrer.label}`) : sql`t.id::text`
  const users = await rows<{ called: string; shown: boolean }>(
    ctx.db,
    sql`select ${called} as called, ${shown} as shown from ${sql.table(referrer.table)} t
      where ${sql.ref(`${ROOT}.${column?.name ?? name}`)} = ${id} order by 1 limit ${NAMED_AT_MOST}`,
  )
  return users.map((user) =>
    user.shown ? `used by ${user.called}` : `being used by a hidden ${referrer.type} resource`,
  )
}
