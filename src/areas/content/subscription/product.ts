import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Field } from '../../../kernel/definition.ts'
import { link } from '../../../kernel/fields/index.ts'

/** What products are called by in certificates has twelve digits; no id is so long. */
const SMALLEST_CP_ID = 100_000_000_000

/** The product that a subscription is called by, written by its id or its `cp_id`, which answers show as `product_id`. */
export function poolProduct(): Field<number | null> {
  const field = link('product', { onDelete: 'cascade', doc: 'The product that it is for, by id or cp_id.' })
  return {
    ...field,
    read: async (ctx, at, sent, later) => {
      const id = sent.product_id
      if (typeof id !== 'number' || id < SMALLEST_CP_ID) return field.read?.(ctx, at, sent, later)
      return field.read?.(ctx, at, { product_id: (await byCpId(ctx, String(id))) ?? id }, later)
    },
  }
}

async function byCpId(ctx: Context, cpId: string): Promise<number | undefined> {
  const found = await row<{ id: number }>(ctx.db, sql`select id from products where cp_id = ${cpId}`)
  return found?.id
}
