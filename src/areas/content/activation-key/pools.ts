import type { Context } from '../../../context.ts'
import { findResource, type Resource } from '../../../kernel/index.ts'
import { listPoolsOfKey } from '../subscription/list.ts'

/** Loads the pools of a key that the caller may see, as the list at the path of the key answers them (content-api §3.2). */
export async function loadPoolsOfKey(
  ctx: Context,
  { registry }: Resource,
  key: { readonly id: number; readonly organization_id: number },
): Promise<unknown> {
  const subscriptions = findResource(registry, 'subscription')
  const { body } = await listPoolsOfKey(
    ctx,
    subscriptions,
    { params: {}, query: { full_result: 'true' }, body: {} },
    key,
  )
  return body
}
