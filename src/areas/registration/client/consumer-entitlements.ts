import { type Context, inTransaction } from '../../../context.ts'
import { badParameter, Failure } from '../../../errors.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { loadSuggestedPools } from '../authority/entitlements.ts'
import { bindByNeed, bindPools, releasePools } from '../binding.ts'
import type { HostRecords } from '../hosts.ts'
import { findOwnerById } from '../keys.ts'
import type { Consumer } from './consumer.ts'
import type { Call } from './endpoint.ts'
import { loadEntitlements, loadPoolsById } from './pools.ts'
import { seenOf } from './visibility.ts'

/**
 * `POST /rhsm/consumers/:uuid/entitlements`: binds the named pool, pools for the named products, or else pools for what
 * the host has installed. Answers with the new entitlements. {@throws Failure} malformed, not_found
 */
export async function bind(ctx: Context, hosts: HostRecords, consumer: Consumer, { input }: Call): Promise<Answer> {
  const pool = readSingle(input.query, 'pool')
  const quantity = readQuantity(input.query)
  const host = hostOf(consumer)
  return inTransaction(ctx, async (tx) => {
    const got = await (pool === null
      ? bindByNeed(tx, hosts, host, {
          products: readProducts(consumer, input.query),
          service_level: consumer.service_level,
        })
      : bindPools(tx, hosts, host, [{ name: pool, quantity }], seenOf(tx, hosts.resource, 'subscription', 's')))
    return { status: 200, body: await loadEntitlements(tx, consumer, got) }
  })
}

/**
 * `GET /rhsm/consumers/:uuid/entitlements/dry-run`: the pools that an attachment by need would bind; none where hosts need
 * no subscriptions.
 */
export async function suggestPools(ctx: Context, consumer: Consumer, { input }: Call): Promise<unknown[]> {
  const { host, owner } = consumer
  if (owner.content_access_mode !== 'entitlement') return []
  const suggested = await loadSuggestedPools(ctx, host, await findOwnerById(ctx.db, owner.id), {
    products: readProducts(consumer, {}),
    service_level: readSingle(input.query, 'service_level') || consumer.service_level,
  })
  return (await loadPoolsById(ctx, owner, suggested)).map((pool) => ({ pool, quantity: 1 }))
}

/** Finds one entitlement of a host, by the id of its pool. {@throws Failure} not_found */
export async function findEntitlement(ctx: Context, consumer: Consumer, { input }: Call): Promise<unknown> {
  const { id = '' } = input.params
  const found = (await loadEntitlements(ctx, consumer)).find((entitlement) => entitlement.id === id)
  if (!found) throw new Failure('not_found', `Entitlement with id "${id}" could not be found.`)
  return found
}

function readQuantity(query: Input['query']): number | null {
  const sent = readSingle(query, 'quantity')
  if (sent === null || sent === '') return null
  const quantity = Number(sent)
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= 2_147_483_647) return quantity
  throw badParameter('quantity', sent, 'must be a whole number from 1 on')
}

function readProducts(consumer: Consumer, { product }: Input['query']): readonly string[] {
  if (product === undefined) return consumer.installed_products.map(({ productId }) => productId)
  return (Array.isArray(product) ? product : [product]).map(String)
}

/** `DELETE /rhsm/consumers/:uuid/entitlements`: releases all pools. */
export async function releaseAll(ctx: Context, hosts: HostRecords, consumer: Consumer): Promise<Answer> {
  const deletedRecords = await inTransaction(ctx, (tx) => releasePools(tx, hosts, hostOf(consumer), null))
  return { status: 200, body: { deletedRecords } }
}

/** Releases one entitlement of a consumer, by the id of its pool. {@throws Failure} not_found */
export async function release(ctx: Context, hosts: HostRecords, consumer: Consumer, { input }: Call): Promise<Answer> {
  const { pool = '' } = input.params
  await inTransaction(ctx, (tx) => releasePools(tx, hosts, hostOf(consumer), [pool]))
  return { status: 204 }
}

/** Answers that there is no such certificate: none are made for subscriptions. {@throws Failure} not_found */
export async function releaseBySerial({ input }: Call): Promise<Answer> {
  const { serial = '' } = input.params
  throw new Failure('not_found', `Entitlement Certificate with serial number "${serial}" could not be found.`)
}

function hostOf({ host, owner }: Consumer) {
  return { id: host, organization: owner.id }
}
