import { asService, type Context, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  type Action,
  createPresenter,
  createRecord,
  type Draft,
  joinConditions,
  limitToVisible,
  lock,
  type Resource,
  readBack,
  readDraft,
  removeStored,
  resolveParents,
  selectRecord,
  updateStored,
  validateBody,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { SubscriptionFields } from './fields.ts'
import { findPoolId } from './find.ts'

const MANAGE = 'manage_subscription_allocations'

/** Creates a subscription that belongs to no product of this service. */
export const createSubscription: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a new subscription',
  permissions: [MANAGE],
  takes: 'create',
  status: 201,
  handle: async (ctx, subscriptions, input) => {
    await resolveParents(ctx, subscriptions, input)
    const validated = await validateBody(ctx, subscriptions, input.body)
    return inTransaction(ctx, async (tx) => {
      const draft = await readDraft(tx, subscriptions, validated, null)
      const id = await createRecord(asService(tx), subscriptions, withProvidedProduct(draft))
      await assertManaged(tx, subscriptions, id, null)
      return { status: 201, body: await readBack(tx, subscriptions, id) }
    })
  },
}

/** Changes a subscription; hosts keep their uses. */
export const updateSubscription: Action = {
  method: 'PUT',
  path: '/:id',
  name: 'update',
  summary: 'Change one subscription',
  permissions: [MANAGE],
  takes: 'update',
  handle: async (ctx, subscriptions, input) => {
    const validated = await validateBody(ctx, subscriptions, input.body)
    return inTransaction(ctx, async (tx) => {
      const stored = await lock(tx, subscriptions, await findPoolId(tx, subscriptions, input, MANAGE))
      const draft = await readDraft(tx, subscriptions, validated, stored)
      await updateStored(asService(tx), subscriptions, stored, draft)
      await assertManaged(tx, subscriptions, stored.id, stored.id)
      return { status: 200, body: await readBack(tx, subscriptions, stored.id) }
    })
  },
}

/** Deletes a subscription that no host uses, and removes it from keys. */
export const deleteSubscription: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Delete one subscription',
  permissions: [MANAGE],
  outputs: 'deleted',
  refuses: 422,
  handle: (ctx, subscriptions, input) =>
    inTransaction(ctx, async (tx) => {
      const stored = await lock(tx, subscriptions, await findPoolId(tx, subscriptions, input, MANAGE))
      await refuseWhileUsed(tx, stored.id, String(stored.name))
      const gone = await selectRecord(tx.db, subscriptions, subscriptions.deletedView, stored.id, [])
      await removeStored(tx, subscriptions, stored)
      return { status: 200, body: createPresenter(subscriptions, subscriptions.deletedView, 'iso')(gone ?? {}) }
    }),
}

/** Adds the product of a subscription to those that it provides, unless the request lists these. */
function withProvidedProduct(draft: Draft<SubscriptionFields>): Draft<SubscriptionFields> {
  const { product, provided_products } = draft
  return typeof product === 'number' && provided_products === undefined
    ? { ...draft, provided_products: [product] }
    : draft
}

/**
 * Asserts that the caller may manage the subscription as it was written. {@throws Failure} invalid, so that the write
 * is rolled back
 */
async function assertManaged(tx: Context, subscriptions: Resource, id: number, known: number | null): Promise<void> {
  const kept = await row(
    tx.db,
    sql`select t.id from subscriptions t where t.id = ${id} and ${joinConditions(limitToVisible(tx, subscriptions, MANAGE))}`,
  )
  if (kept) return
  const message = `You don't have permission ${MANAGE} with attributes that you have specified or you don't have access to specified organizations or locations`
  throw invalid({ base: [message] }, known)
}

async function refuseWhileUsed(tx: Context, id: number, name: string): Promise<void> {
  const used = await row<{ hosts: number }>(
    tx.db,
    sql`select count(*) as hosts from host_entitlements where subscription_id = ${id}`,
  )
  if (used && used.hosts > 0) throw invalid({ base: [`${name} is used by ${used.hosts} host(s)`] }, id)
}
