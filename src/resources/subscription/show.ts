import { readBack } from '../../kernel/operations/show.ts'
import type { Action } from '../../kernel/resource.ts'
import { findPool } from './find.ts'

/** One subscription, by id or `cp_id` (content-api §3.1). */
export const showSubscription: Action = {
  method: 'GET',
  path: '/:id',
  name: 'show',
  summary: 'Show one subscription',
  permissions: ['view_subscriptions'],
  handle: async (ctx, subscriptions, input) => {
    const id = await findPool(ctx, subscriptions, input, 'view_subscriptions')
    return { status: 200, body: await readBack(ctx, subscriptions, id) }
  },
}
