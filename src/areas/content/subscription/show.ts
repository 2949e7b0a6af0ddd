import { type Action, readBack } from '../../../kernel/index.ts'
import { findPoolId } from './find.ts'

/** Shows one subscription, by id or `cp_id` (content-api §3.1). */
export const showSubscription: Action = {
  method: 'GET',
  path: '/:id',
  name: 'show',
  summary: 'Show one subscription',
  permissions: ['view_subscriptions'],
  handle: async (ctx, subscriptions, input) => {
    const id = await findPoolId(ctx, subscriptions, input, 'view_subscriptions')
    return { status: 200, body: await readBack(ctx, subscriptions, id) }
  },
}
