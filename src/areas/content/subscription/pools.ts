import { asService, type Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { createRecord, lock, type Resource, updateStored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The data for the subscription of a new product; product and organization by id. */
export interface ProductPool {
  readonly product: number
  readonly name: string
  readonly organization: number | null
}

/** Creates the subscription of a new product: unlimited and of the same name (content-api §3.1). */
export async function createProductPool(tx: Context, subscriptions: Resource, pool: ProductPool): Promise<void> {
  const { product, name, organization } = pool
  await createRecord(asService(tx), subscriptions, { name, organization, product, provided_products: [product] })
}

/** Renames, with a product, those of its subscriptions that have its former name. */
export async function renamePools(
  tx: Context,
  subscriptions: Resource,
  product: number,
  name: { readonly from: string; readonly to: string },
): Promise<void> {
  const called = await rows<{ id: number }>(
    tx.db,
    sql`select id from subscriptions where product_id = ${product} and name = ${name.from} order by id`,
  )
  for (const { id } of called)
    await updateStored(asService(tx), subscriptions, await lock(tx, subscriptions, id), { name: name.to })
}
