import { defineResource } from '../../../kernel/index.ts'
import { createSubscription, deleteSubscription, updateSubscription } from './allocations.ts'
import { subscriptionsAsCsv } from './csv.ts'
import { subscriptionFields } from './fields.ts'
import { listSubscriptions } from './list.ts'
import { poolReadable } from './readable.ts'
import { poolRules } from './rules.ts'
import { showSubscription } from './show.ts'
import { subscriptionWrites } from './subscription-writes.ts'

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
  around: subscriptionWrites,
  actions: [
    listSubscriptions,
    subscriptionsAsCsv,
    showSubscription,
    createSubscription,
    updateSubscription,
    deleteSubscription,
  ],
})
