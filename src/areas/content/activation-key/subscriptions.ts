import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows, selectObject } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import {
  type Action,
  type Field,
  findResource,
  type Resource,
  readAttributes,
  type Sent,
  type Stored,
  updateStored,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { findAccessMode } from '../content-organization/access-mode.ts'
import { answerQuietly } from '../shared/quietly.ts'
import { listPoolsOfKey } from '../subscription/list.ts'
import { poolPage } from '../subscription/pool-page.ts'
import type { keyOrganization } from './organization.ts'

/** A pool of a key; without a quantity the service chooses one when a host registers (content-api §3.2). */
interface Attached {
  readonly id: number
  readonly quantity: number | null
}

const ATTACHED = selectObject({ id: sql`l.subscription_id`, quantity: sql`l.quantity` })

/** The field of the pools of a key, which only actions about subscriptions write. */
export function subscriptionList(): Field<readonly Attached[]> {
  return {
    kind: 'subscriptions',
    doc: 'Subscription pools that its hosts get.',
    writable: () => ({}),
    readable: () => ({}),
    search: () => [],
    elsewhere: {
      sql: (_at, alias) =>
        sql`coalesce((select json_agg(${ATTACHED} order by l.subscription_id)
          from activation_key_subscriptions l where l.activation_key_id = ${sql.ref(`${alias}.id`)}), '[]')`,
      store: (ctx, _at, key, value) => store(ctx, key, value),
      auditedAs: ({ name }) => name,
      tables: () => ['activation_key_subscriptions', 'subscriptions'],
    },
  }
}

async function store(ctx: Context, key: number, pools: readonly Attached[]): Promise<void> {
  const ids = pools.map(({ id }) => id)
  await sql`delete from activation_key_subscriptions where activation_key_id = ${key} and not subscription_id = any (${ids}::bigint[])`.execute(
    ctx.db,
  )
  if (ids.length === 0) return
  await sql`insert into activation_key_subscriptions as l (activation_key_id, subscription_id, quantity)
    select ${key}::bigint, w.id, w.quantity from unnest(${ids}::bigint[], ${pools.map(({ quantity }) => quantity)}::integer[]) as w (id, quantity)
    on conflict (activation_key_id, subscription_id) do update set quantity = excluded.quantity where l.quantity is distinct from excluded.quantity`.execute(
    ctx.db,
  )
}

const poolId = z.union([z.int(), z.string()]).meta({ description: 'The pool, by its id or its uuid.' })
const quantity = z
  .union([z.int(), z.string()])
  .nullable()
  .optional()
  .meta({ description: 'Number of uses that each host gets; if left out, it is decided when a host registers.' })

const BODY = z.object({
  subscription_id: poolId.optional(),
  quantity,
  subscriptions: z
    .array(z.object({ id: poolId, quantity }))
    .optional()
    .meta({ description: 'Several pools at once; counts more than subscription_id.' }),
})

/** Adds pools to a key (spec 4.6, content-api §3.2): by POST and, as existing clients do, by PUT. */
export const addSubscriptions = (['POST', 'PUT'] as const).map(
  (method): Action<Subscribed> => ({
    method,
    path: '/:id/add_subscriptions',
    name: method === 'POST' ? 'add_subscriptions' : 'add_subscriptions_by_put',
    summary: 'Add subscription pools to an activation key',
    body: BODY,
    output: poolPage,
    record: { how: 'locked' },
    handle: (tx, resource, input, key) => changePools(tx, resource, input, key, addPools),
  }),
)

/** Removes pools of a key (spec 4.6, content-api §3.3). */
export const removeSubscriptions = (['POST', 'PUT'] as const).map(
  (method): Action<Subscribed> => ({
    method,
    path: '/:id/remove_subscriptions',
    name: method === 'POST' ? 'remove_subscriptions' : 'remove_subscriptions_by_put',
    summary: 'Remove subscription pools from an activation key',
    body: BODY,
    output: poolPage,
    mayBeEmpty: true,
    record: { how: 'locked' },
    handle: (tx, resource, input, key) =>
      answerQuietly(input, (asked) => changePools(tx, resource, asked, key, removePools)),
  }),
)

type Subscribed = {
  readonly organization: ReturnType<typeof keyOrganization>
  readonly subscriptions: ReturnType<typeof subscriptionList>
}

function keyOf({ id, organization_id }: Stored<Subscribed>) {
  return { id, organization_id }
}

type Change = (ctx: Context, stored: Stored<Subscribed>, items: readonly Sent[]) => Promise<readonly Attached[]>

/** Changes the pools of a key, all that are sent or none, and answers the pools that it then has. */
async function changePools(
  tx: Context,
  resource: Resource,
  input: Input,
  key: Stored<Subscribed>,
  work: Change,
): Promise<Answer> {
  const items = itemsOf({ ...input.body, ...readAttributes(resource, input.body) })
  const subscriptions = await work(tx, key, items)
  await updateStored(tx, resource, key, { subscriptions })
  return { status: 200, ...(input.reading !== null && { body: await loadPoolsOfKey(tx, resource, keyOf(key)) }) }
}

async function addPools(
  ctx: Context,
  stored: Stored<Subscribed>,
  items: readonly Sent[],
): Promise<readonly Attached[]> {
  if ((await findAccessMode(ctx, keyOf(stored).organization_id)) === 'org_environment')
    throw new Failure(
      'bad_parameter',
      'The specified organization is in Simple Content Access mode. Attaching subscriptions is disabled',
    )
  const attached = new Map(stored.subscriptions.map((pool) => [pool.id, pool]))
  for (const { pool, quantity } of await findPools(ctx, stored, items)) {
    if (attached.has(pool.id)) throw new Failure('bad_parameter', describeRepeated(pool))
    if (quantity !== null && quantity > 1 && !pool.multi_entitlement) throw new Failure('bad_parameter', ONLY_ONE)
    attached.set(pool.id, { id: pool.id, quantity })
  }
  return sortPools(attached.values())
}

async function removePools(
  ctx: Context,
  stored: Stored<Subscribed>,
  items: readonly Sent[],
): Promise<readonly Attached[]> {
  const gone = new Set((await findPools(ctx, stored, items)).map(({ pool }) => pool.id))
  return stored.subscriptions.filter(({ id }) => !gone.has(id))
}

const ONLY_ONE =
  'Error: Only pools with multi-entitlement product subscriptions can be added to the activation key with a quantity greater than one.'

interface Pool {
  readonly id: number
  readonly cp_id: string
  readonly multi_entitlement: boolean
}

function describeRepeated({ cp_id, multi_entitlement }: Pool): string {
  return multi_entitlement
    ? `Pool ID "${cp_id}" has already been registered with this activation key`
    : `Multi-entitlement not supported for pool "${cp_id}"`
}

/** The items of the sent list, or the single sent pool; empty without either. */
function itemsOf({ subscriptions, subscription_id, quantity }: Sent): readonly Sent[] {
  if (subscriptions === undefined || subscriptions === null)
    return subscription_id === undefined || subscription_id === null ? [] : [{ id: subscription_id, quantity }]
  const isList =
    Array.isArray(subscriptions) && subscriptions.every((item) => typeof item === 'object' && item !== null)
  if (!isList) throw new Failure('bad_parameter', 'subscriptions must be a list of objects with the id of a pool')
  return subscriptions
}

/**
 * Finds the pools of the items by id or UUID, in order. {@throws Failure} not_found, also for those of other
 * organizations
 */
async function findPools(
  ctx: Context,
  stored: Stored<Subscribed>,
  items: readonly Sent[],
): Promise<readonly { readonly pool: Pool; readonly quantity: number | null }[]> {
  const names = items.map(({ id }) => String(id ?? ''))
  const ids = names.filter((name) => /^\d{1,18}$/.test(name))
  const uuids = names.filter((name) => /^[0-9a-f]{32}$/.test(name))
  const found = await rows<Pool>(
    ctx.db,
    sql`select id, cp_id, multi_entitlement from subscriptions
      where organization_id = ${stored.organization_id} and (id = any (${ids}::bigint[]) or cp_id = any (${uuids}::text[]))`,
  )
  return items.map(({ quantity }, place) => {
    const name = names[place] ?? ''
    const pool = found.find(({ id, cp_id }) => String(id) === name || cp_id === name)
    if (!pool) throw new Failure('not_found', `Couldn't find subscription '${name.slice(0, 100)}'`)
    return { pool, quantity: quantityOf(quantity) }
  })
}

/** Reads a quantity, a whole number from 1 to 2147483647; null for anything else. */
function quantityOf(sent: unknown): number | null {
  const number = typeof sent === 'string' && /^\d{1,10}$/.test(sent.trim()) ? Number(sent) : sent
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 2_147_483_647
    ? number
    : null
}

function sortPools(pools: Iterable<Attached>): Attached[] {
  return [...pools].sort((one, other) => one.id - other.id)
}

/** Loads the pools of a key that the caller may see, as the list at the path of the key answers them (content-api §3.2). */
async function loadPoolsOfKey(
  ctx: Context,
  { registry }: Resource,
  key: { readonly id: number; readonly organization_id: number },
): Promise<unknown> {
  const subscriptions = findResource(registry, 'subscription')
  const { body } = await listPoolsOfKey(
    ctx,
    subscriptions,
    { params: {}, query: { full_result: 'true' }, body: {} },
    key,
  )
  return body
}
