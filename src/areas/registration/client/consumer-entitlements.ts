import { type Context, inTransaction } from '../../../context.ts'
import { badParameter, Failure } from '../../../errors.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { bindByNeed, bindPools, releasePools } from '../binding.ts'
import type { HostRecords } from '../hosts.ts'
import type { Consumer } from './consumer.ts'
import type { Call } from './endpoint.ts'
import { loadEntitlements } from './pools.ts'
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
