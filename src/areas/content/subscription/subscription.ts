import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import type { FieldErrors } from '../../../errors.ts'
import {
  type Action,
  defineResource,
  type Registry,
  type Rule,
  readBack,
  recordAudit,
  type Stored,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { millisecondsOf } from '../shared/moment.ts'
import { createSubscription, deleteSubscription, updateSubscription } from './allocations.ts'
import { subscriptionsAsCsv } from './csv.ts'
import { type SubscriptionFields, subscriptionFields } from './fields.ts'
import { findPoolId } from './find.ts'
import { listSubscriptions } from './list.ts'
import { poolReadable } from './readable.ts'

/** Shows one subscription, by id or `cp_id` (content-api §3.1). */
const showSubscription: Action = {
  method: 'GET',
  path: '/:id',
  name: 'show',
  summary: 'Show one subscription',
  permissions: ['view_subscriptions'],
  handle: async (ctx, subscriptions, input) => {
    const id = await findPoolId(ctx, subscriptions, input, 'view_subscriptions')
    return { status: 200, body: await readBack(ctx, subscriptions, id) }
  },
}

/** Rules of subscriptions: a quantity is not below what hosts use, and a subscription ends after it starts. */
const poolRules: readonly Rule<SubscriptionFields>[] = [
  (_record, { quantity }, _ctx, stored: (Stored<SubscriptionFields> & { readonly consumed: number }) | null) => {
    const used = stored?.consumed ?? 0
    return typeof quantity === 'number' && quantity !== -1 && quantity < used
      ? { quantity: [`cannot be lower than current usage count (${used})`] }
      : undefined
  },
  ({ start_date, end_date }, draft, ctx): FieldErrors | undefined => {
    if (draft.start_date === undefined && draft.end_date === undefined) return undefined
    if (draft.start_date === null) return { start_date: ["can't be blank"] }
    if (draft.end_date === null) return { end_date: ["can't be blank"] }
    const start = start_date ? millisecondsOf(start_date) : ctx.now().getTime()
    return end_date && millisecondsOf(end_date) <= start ? { end_date: ['must be after the start date'] } : undefined
  },
]

interface Key {
  readonly id: number
  readonly name: string
  /** The pools of a key in the form of its audits. */
  readonly pools: readonly { readonly id: number; readonly quantity: number | null }[]
}

/** When a subscription is deleted, removes it from keys, with an audit for each. */
const subscriptionWrites: WriteWrapper = {
  async delete(tx, { id }, next, { registry }) {
    const keys = await loadKeysWith(tx, id)
    await next()
    await note(tx, registry, keys, id)
  },
}

/** Locks the pool and loads the keys that have it, locked, so that no other key gets it meanwhile. */
async function loadKeysWith(tx: Context, pool: number): Promise<Key[]> {
  await sql`select from subscriptions where id = ${pool} for update`.execute(tx.db)
  const ids = sql`select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = ${pool}`
  await sql`select from activation_keys k where k.id in (${ids}) order by k.id for no key update of k`.execute(tx.db)
  return rows<Key>(
    tx.db,
    sql`
      select k.id, k.name, (
        select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
        from activation_key_subscriptions l where l.activation_key_id = k.id) as pools
      from activation_keys k where k.id in (${ids}) order by k.id`,
  )
}

async function note(tx: Context, registry: Registry, keys: readonly Key[], gone: number): Promise<void> {
  const resource = registry.get('activation_key')
  if (!resource || keys.length === 0) return
  for (const { id, name, pools } of keys) {
    const left = pools.filter((pool) => pool.id !== gone)
    await recordAudit(tx, resource, 'update', { id, label: name }, { subscriptions: [pools, left] })
  }
  const ids = keys.map(({ id }) => id)
  await sql`update activation_keys set updated_at = now() where id = any (${ids}::bigint[])`.execute(tx.db)
}

const KEYS = [
  'id',
  'cp_id',
  'subscription_id',
  'name',
  'start_date',
  'end_date',
  'available',
  'quantity',
  'consumed',
  'account_number',
  'contract_number',
  'support_level',
  'product_id',
  'sockets',
  'cores',
  'ram',
  'instance_multiplier',
  'stacking_id',
  'multi_entitlement',
  'type',
  'product_name',
  'unmapped_guest',
  'virt_only',
  'virt_who',
  'upstream',
  'upstream_pool_id',
  'hypervisor',
  'quantity_attached',
]

/** Subscriptions, also called pools: a number of uses of a product (content-api §3.1). */
export const subscriptions = defineResource({
  name: 'subscription',
  routes: { surface: 'content', parents: { activation_key: 'activation_keys' } },
  summary: 'A subscription: a number of uses of its products.',
  fields: subscriptionFields,
  label: 'name',
  visibility: { taxable: 'organization' },
  operations: [],
  permissions: { further: ['manage_subscription_allocations', 'import_manifest', 'delete_manifest'] },
  views: {
    list: KEYS,
    show: [
      'arch',
      'description',
      'support_type',
      'roles',
      'usage',
      'addons',
      ...KEYS,
      'host_count',
      'provided_products',
      'activation_keys',
      'created_at',
      'updated_at',
    ],
    deleted: KEYS,
    order: 'name',
  },
  readable: poolReadable,
  search: [
    { name: 'consumed', type: 'integer', column: 'consumed', explicit: true },
    { name: 'product_id', type: 'integer', column: 'product_id', nullable: true, explicit: true },
    {
      name: 'product_name',
      aliases: ['product'],
      type: 'text',
      column: 'name',
      through: [{ table: 'products', column: 'id', previous: 'product_id' }],
      nullable: true,
      explicit: true,
    },
    { name: 'organization_id', type: 'integer', column: 'organization_id', explicit: true },
  ],
  wire: { suggests: true },
  rules: poolRules,
  wrapWrite: subscriptionWrites,
  actions: [
    listSubscriptions,
    subscriptionsAsCsv,
    showSubscription,
    createSubscription,
    updateSubscription,
    deleteSubscription,
  ],
})
