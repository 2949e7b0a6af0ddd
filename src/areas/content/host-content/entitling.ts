import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import {
  type Action,
  findResource,
  type Resource,
  readAttributes,
  type Sent,
  type Stored,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import {
  bindByNeed,
  bindPools,
  createHostRecords,
  releasePools,
  seenOf,
  type WantedPool,
} from '../../registration/index.ts'
import { listPoolsOfHost } from '../subscription/list.ts'
import { hostPoolPage, withQuantities } from './subscriptions.ts'

const POOLS = z.object({
  subscriptions: z
    .array(
      z.object({
        id: z.union([z.int(), z.string()]).meta({ description: 'The pool, by its id or its uuid.' }),
        quantity: z.int().nullable().optional().meta({ description: 'Uses of it; default: one.' }),
      }),
    )
    .meta({ description: 'The pools, all of them or none.' }),
})

/**
 * The actions that change the pools of a registered host, by id or for its installed products. All answer its pools.
 */
export const hostEntitling: readonly Action[] = [
  buildAction('add_subscriptions', 'Give a host uses of subscriptions', POOLS, async (tx, hosts, host, sent) => {
    const seen = seenOf(tx, hosts.resource, 'subscription', 's')
    await bindPools(tx, hosts, host, readPools(sent), seen)
  }),
  buildAction('remove_subscriptions', 'Take subscriptions away from a host', POOLS, async (tx, hosts, host, sent) => {
    const names = readPools(sent).map(({ name }) => name)
    await releasePools(tx, hosts, host, names)
  }),
  buildAction('auto_attach', 'Give a host subscriptions for what it has installed', null, async (tx, hosts, host) => {
    await bindByNeed(tx, hosts, host, await loadNeeds(tx, host.id))
  }),
]

type Work = (
  tx: Context,
  hosts: ReturnType<typeof createHostRecords>,
  host: { readonly id: number; readonly organization: number },
  sent: Sent,
) => Promise<void>

function buildAction(name: string, summary: string, body: z.ZodType | null, work: Work): Action {
  return {
    method: 'PUT',
    path: `/:id/subscriptions/${name}`,
    name,
    summary,
    permissions: ['edit_hosts'],
    ...(body && { body }),
    output: hostPoolPage,
    record: { how: 'locked' },
    handle: (tx, resource, input, host) => change(tx, resource, input, host, work),
  }
}

async function change(tx: Context, resource: Resource, input: Input, host: Stored, work: Work): Promise<Answer> {
  const { id, organization_id: organization } = host
  if (typeof organization !== 'number') throw invalid({ organization_id: ["can't be blank"] }, id)
  const sent = { ...input.body, ...readAttributes(resource, input.body) }
  await work(tx, createHostRecords(resource.registry), { id, organization }, sent)
  const pools = findResource(resource.registry, 'subscription')
  const all = { ...input, query: { full_result: 'true' } }
  return withQuantities(tx, await listPoolsOfHost(tx, pools, all, { id, organization_id: organization }), id)
}

/** Reads a list of pools. {@throws Failure} bad_parameter that says what is allowed */
function readPools({ subscriptions }: Sent): readonly WantedPool[] {
  const read = z.array(z.object({ id: z.union([z.int(), z.string()]), quantity: z.unknown().optional() })).min(1)
  const parsed = read.safeParse(subscriptions)
  if (!parsed.success)
    throw badParameter(
      'subscriptions',
      subscriptions,
      'must be a list of objects with the id of a pool, and maybe a quantity',
    )
  return parsed.data.map(({ id, quantity }) => ({ name: String(id), quantity: readQuantity(quantity) }))
}

function readQuantity(sent: unknown): number | null {
  if (sent === undefined || sent === null || sent === '') return null
  const quantity = typeof sent === 'string' && /^\d{1,10}$/.test(sent) ? Number(sent) : sent
  if (typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 1 && quantity <= 2_147_483_647)
    return quantity
  throw badParameter('subscriptions[quantity]', sent, 'must be a whole number from 1 on')
}

/** Loads the installed products and the service level of a host. */
async function loadNeeds(tx: Context, host: number) {
  const found = await row<{ products: string[]; service_level: string | null }>(
    tx.db,
    sql`select service_level, array(select p ->> 'productId' from jsonb_array_elements(installed_products) p) as products
      from registrations where host_id = ${host}`,
  )
  return found ?? { products: [], service_level: null }
}
