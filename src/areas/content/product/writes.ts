import { randomInt } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type Around, findResource, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { createProductPool, renamePools } from '../subscription/pools.ts'
import type { ProductFields } from './fields.ts'

/** Creates with a new product an unlimited subscription of the name of the product (content-api §3.1, §8.4). */
export const productWrites: Around<ProductFields> = {
  async create(ctx, draft, next, { registry }) {
    const id = await next({ ...draft, cp_id: await generateId(ctx) })
    await createProductPool(ctx, subscriptionsOf(registry), {
      product: id,
      name: draft.name,
      organization: draft.organization ?? null,
    })
    return id
  },
  async update(ctx, stored, draft, next, { registry }) {
    await next(draft)
    if (!draft.name || draft.name === stored.name) return
    await renamePools(ctx, subscriptionsOf(registry), stored.id, { from: stored.name, to: draft.name })
  },
}

function subscriptionsOf(registry: Resource['registry']): Resource {
  const found = findResource(registry, 'subscription')
  return found
}

/** Generates twelve digits that no product has. */
async function generateId(ctx: Context): Promise<string> {
  const id = String(randomInt(100_000_000_000, 1_000_000_000_000))
  const taken = await row(ctx.db, sql`select id from products where cp_id = ${id}`)
  return taken ? generateId(ctx) : id
}
