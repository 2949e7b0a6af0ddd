import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { type Condition, joinConditions, limitToVisible, type Resource, resolveParents } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

/**
 * Finds the id of the subscription in the path, by id or `cp_id`. {@throws Failure} not_found; wrong_organization for
 * one of another organization than the request names (content-api §3.1)
 */
export async function findPoolId(
  ctx: Context,
  subscriptions: Resource,
  input: Input,
  permission: string,
): Promise<number> {
  const segment = readIdSegment(input)
  const { conditions } = await resolveParents(ctx, subscriptions, input)
  const found = await findPool(ctx, subscriptions, segment, permission, conditions)
  if (found !== undefined) return found
  const anywhere = { ...ctx, scope: { organization: null, location: null, named: false } }
  const elsewhere = ctx.scope.organization !== null && (await findPool(anywhere, subscriptions, segment, permission))
  throw elsewhere
    ? new Failure('wrong_organization', 'This subscription is not relevant to the current organization.')
    : new Failure('not_found', 'Subscription not found')
}

/** The id of the visible subscription with this id or `cp_id`; undefined without one. */
async function findPool(
  ctx: Context,
  subscriptions: Resource,
  name: string,
  permission: string,
  among: readonly Condition[] = [],
): Promise<number | undefined> {
  if (name.includes('\0')) return undefined
  const id = /^\d{1,18}$/.test(name) ? sql`t.id = ${name}::bigint or ` : sql``
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from subscriptions t where (${id}t.cp_id = ${name}) and ${joinConditions([...limitToVisible(ctx, subscriptions, permission), ...among])}`,
  )
  return found?.id
}
