import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type Field, link } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A `cp_id` has at least twelve digits, and ids have fewer, so that the two can be told apart. */
const SMALLEST_CP_ID = 100_000_000_000

/** The link to the product of a subscription, sent as id or `cp_id`; answers show its `cp_id` as `product_id`. */
export function poolProduct(): Field<number | null> {
  const field = link('product', { onDelete: 'cascade', doc: 'Its product, by id or cp_id.' })
  return {
    ...field,
    read: async (ctx, at, sent, later) => {
      const id = sent.product_id
      if (typeof id !== 'number' || id < SMALLEST_CP_ID) return field.read?.(ctx, at, sent, later)
      return field.read?.(ctx, at, { product_id: (await loadByCpId(ctx, String(id))) ?? id }, later)
    },
  }
}

async function loadByCpId(ctx: Context, cpId: string): Promise<number | undefined> {
  const found = await row<{ id: number }>(ctx.db, sql`select id from products where cp_id = ${cpId}`)
  return found?.id
}
