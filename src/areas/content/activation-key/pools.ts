import type { Context } from '../../../context.ts'
import type { Resource } from '../../../kernel/definition.ts'
import { findResource } from '../../../kernel/registry.ts'
import { listPoolsOfKey } from '../subscription/list.ts'

/** All pools of a key that the caller may see, as the list below the key shows them (content-api §3.2). */
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
