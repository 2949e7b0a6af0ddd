import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { type Failure, invalid } from '../../../errors.ts'
import {
  type Action,
  findResource,
  labelOf,
  limitToVisible,
  lock,
  lockStored,
  notFoundFor,
  type Registry,
  type Resource,
  removeStored,
  type Stored,
  selectRecord,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { findDeclared } from '../../../records/declared.ts'
import { sql } from '../../../sql.ts'
import { answersTask, answerWithTask, planTask, type TaskHandler } from '../../tasks/index.ts'
import { loadPublishedVersions } from '../repository/published.ts'
import { DELETING } from './deleting.ts'
import { type ProductFields, productFields } from './fields.ts'

const DESTROY = 'destroy_products'

/** Plans the deletion of a product; reasons to refuse it are checked at once (content-api §8.4). */
export const deleteProduct: Action<ProductFields> = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one product',
  permissions: [DESTROY],
  ...answersTask,
  refuses: 422,
  record: { how: 'locked' },
  handle: async (tx, products, _input, stored) => {
    await refuseWhileNeeded(tx, stored)
    const { id, organization_id } = stored
    const name = labelOf(products, stored) ?? String(id)
    const organization = await row<{ id: number; name: string; label: string }>(
      tx.db,
      sql`select id, name, label from organizations where id = ${organization_id}`,
    )
    const planned = await planTask(tx, {
      kind: DELETING,
      action: 'Delete',
      input: { product: { id, name, label: stored.label, cp_id: stored.cp_id }, organization },
      organization: Number(organization_id),
    })
    return answerWithTask(tx, products.registry, planned)
  },
}

/**
 * Creates the handler that deletes a product with its repositories, their content and its subscriptions, each with an
 * audit, all or nothing.
 */
export function createProductDeletionHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    const id = idOf(input.product)
    await step(1, (tx) => deleteWhole(tx, registry, id))
    return undefined
  }
}

async function deleteWhole(tx: Context, registry: Registry, id: number): Promise<void> {
  const products = findDeclared(registry, 'product', productFields)
  const repositories = findResource(registry, 'repository')
  const subscriptions = findResource(registry, 'subscription')
  const stored = await lockStored(tx, products, id)
  if (!stored) return
  if (!(await selectRecord(tx.db, products, ['id'], id, limitToVisible(tx, products, DESTROY))))
    throw await notFoundFor(tx, products, DESTROY, String(id))
  await refuseWhileNeeded(tx, stored)
  await removeAll(tx, repositories, await idsOf(tx, 'repositories', id))
  await removeAll(tx, subscriptions, await idsOf(tx, 'subscriptions', id))
  await removeStored(tx, products, stored)
}

async function removeAll(tx: Context, resource: Resource, ids: readonly number[]): Promise<void> {
  for (const id of ids) await removeStored(tx, resource, await lock(tx, resource, id))
}

async function idsOf(tx: Context, table: 'repositories' | 'subscriptions', product: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select id from ${sql.table(table)} where product_id = ${product} order by id`,
  )
  return found.map(({ id }) => id)
}

/**
 * Refuses to delete a product while versions of content views have its repositories, or hosts use its subscriptions.
 * {@throws Failure} invalid
 */
async function refuseWhileNeeded(tx: Context, { id, name }: Stored<ProductFields>): Promise<void> {
  const createRefusal = (message: string): Failure => invalid({ base: [message] }, id)
  const versions = await loadPublishedVersions(tx, sql`r.product_id = ${id}`)
  if (versions.length > 0)
    throw createRefusal(
      `Cannot delete product with repositories published in a content view. Product: ${name}, ${versions.join(', ')}`,
    )
  const hosts = await row<{ count: number }>(
    tx.db,
    sql`select count(distinct e.host_id) as count from host_entitlements e join subscriptions s on s.id = e.subscription_id
      where s.product_id = ${id}`,
  )
  if (hosts && hosts.count > 0)
    throw createRefusal(`Cannot delete product ${name}: ${hosts.count} host(s) use subscriptions for it`)
}
