import type { Context } from '../../context.ts'
import type { Resource } from '../../kernel/resource.ts'
import { listOfKey } from '../subscription/list.ts'

/** All pools of a key that the caller may see, as the list below the key shows them (content-api §3.2). */
export async function poolsOfKey(
  ctx: Context,
  { registry }: Resource,
  key: { readonly id: number; readonly organization_id: number },
): Promise<unknown> {
  const subscriptions = registry.get('subscription')
  if (!subscriptions) throw new Error('there are no subscriptions')
  const { body } = await listOfKey(ctx, subscriptions, { params: {}, query: { full_result: 'true' }, body: {} }, key)
  return body
}
