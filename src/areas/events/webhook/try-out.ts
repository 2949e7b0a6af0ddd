import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Action, readBack } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { NOT_STORABLE } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { planTest } from './deliveries.ts'

/** The most milliseconds that a test is waited for: a receiver has fifteen seconds. */
const PATIENCE_MS = 20_000

/** Sends a text to a webhook and waits for the answer of the receiver (events 2a.1). */
export const tryOut: Action = {
  method: 'POST',
  path: '/:id/test',
  name: 'test',
  summary: 'Send a text to a webhook, and wait for the answer of its receiver',
  status: 200,
  notInBatch: true,
  refuses: 422,
  body: z.object({ payload: z.string().max(65_535).optional().meta({ description: 'Body to send; default: none.' }) }),
  record: { how: 'found', keys: ['id', 'enabled'] },
  handle: async (ctx, resource, { body }, { id, enabled }) => {
    const { payload = '' } = body
    if (typeof payload !== 'string' || !isValidText(payload)) throw invalid({ payload: [NOT_STORABLE] }, id)
    if (enabled !== true) throw invalid({ base: ['it is disabled'] }, id)
    const delivery = await inTransaction(ctx, (tx) => planTest(tx.db, id, payload))
    const error = await awaitEnd(ctx, delivery)
    if (error !== null) throw invalid({ base: [`The test failed: ${error}`] }, id)
    return { status: 200, body: await readBack(ctx, resource, id) }
  },
}

/** Waits until a delivery has ended; yields why it failed, null if it was delivered. */
async function awaitEnd(ctx: Context, delivery: number): Promise<string | null> {
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS; ) {
    const found = await row<{ state: string; error: string | null }>(
      ctx.db,
      sql`select state, error from webhook_deliveries where id = ${delivery} and ended_at is not null`,
    )
    if (found) return found.state === 'delivered' ? null : (found.error ?? found.state)
    await sleep(50)
  }
  return 'nothing has sent it yet'
}
