import { type Context, hasPermission } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import { invalid } from '../../errors.ts'
import { sql } from '../../sql.ts'
import { limitToVisible, permissionOf } from '../authorize.ts'
import { joinConditions, ROOT } from '../condition.ts'
import type { Resource } from '../definition.ts'

/** The most records that messages name for each field that links to the record. */
const NAMED_AT_MOST = 50

/** Refuses to delete a record that others use, and names those that the caller may see (core-api §1.3). {@throws Failure} */
export async function refuseWhileUsed(ctx: Context, resource: Resource, id: number, label: string): Promise<void> {
  const messages: string[] = []
  for (const { resource: referrer, placed } of resource.referrers) {
    if (placed.field.refersTo?.onDelete !== 'restrict' || !placed.column) continue
    const called = referrer.label ? sql.ref(`${ROOT}.${referrer.label}`) : sql`t.id::text`
    const uses = sql`${sql.ref(`${ROOT}.${placed.column.name}`)} = ${id}`
    messages.push(...(await describeUsers(ctx, referrer, called, uses)).map((who) => `${label} is ${who}`))
  }
  if (messages.length > 0) throw invalid({ base: messages }, id)
}

/** Says of records that use another how: by their names where the caller may see them. */
export async function describeUsers(ctx: Context, users: Resource, called: Sql, uses: Sql): Promise<string[]> {
  const permission = permissionOf(users, 'view')
  const shown = hasPermission(ctx, permission) ? joinConditions(limitToVisible(ctx, users, permission)) : sql`false`
  const found = await rows<{ called: string; shown: boolean }>(
    ctx.db,
    sql`select ${called} as called, ${shown} as shown from ${sql.table(users.table)} t
      where ${uses} order by 1 limit ${NAMED_AT_MOST}`,
  )
  return found.map((one) => (one.shown ? `used by ${one.called}` : `being used by a hidden ${users.type} resource`))
}
