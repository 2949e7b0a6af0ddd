import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/index.ts'
import {
  buildNestedSchema,
  buildStatedSchema,
  type NestedKey,
  nestedList,
  type Own,
  type StatedKeys,
  selectNested,
  statedReadable,
} from '../../../records/nested.ts'
import { sql } from '../../../sql.ts'
import { rowKeys } from '../shared/nested-records.ts'

const text = (description: string) => z.string().nullable().meta({ description })
const whole = (description: string) => z.int().nullable().meta({ description })
const flag = (description: string) => z.boolean().meta({ description })

/** The schema of a subscription in lists (content-api §3.1). */
const POOL_KEYS: StatedKeys<Own> = {
  id: [z.int().meta({ description: 'Unique among subscriptions.' }), (t) => t('id')],
  cp_id: [
    z.string().meta({ description: 'Identifier for subscription clients; accepted everywhere instead of the id.' }),
    (t) => t('cp_id'),
  ],
  subscription_id: [z.int().meta({ description: 'Its id again.' }), (t) => t('id')],
  name: [z.string().meta({ description: 'Name of the subscription.' }), (t) => t('name')],
  start_date: [z.string().meta({ description: 'Start of its validity.' }), (t) => t('start_date')],
  end_date: [z.string().meta({ description: 'End of its validity.' }), (t) => t('end_date')],
  available: [
    z.int().meta({ description: 'Number of available uses; -1: unlimited.' }),
    (t) => sql`case when ${t('quantity')} = -1 then -1 else ${t('quantity')} - ${t('consumed')} end`,
  ],
  quantity: [z.int().meta({ description: 'Number of uses; -1: unlimited.' }), (t) => t('quantity')],
  consumed: [z.int().meta({ description: 'Number of uses by hosts.' }), (t) => t('consumed')],
  account_number: [text('Account that it was bought with.'), (t) => t('account_number')],
  contract_number: [text('Contract that it is part of.'), (t) => t('contract_number')],
  support_level: [text('Service level of its hosts.'), (t) => t('support_level')],
  product_id: [
    text('The cp_id of its product.'),
    (t) => sql`(select o.cp_id from products o where o.id = ${t('product_id')})`,
  ],
  sockets: [whole('Sockets that one use covers.'), (t) => t('sockets')],
  cores: [whole('Cores that one use covers.'), (t) => t('cores')],
  ram: [whole('Gigabytes of memory that one use covers.'), (t) => t('ram')],
  instance_multiplier: [whole('Uses per physical host.'), (t) => t('instance_multiplier')],
  stacking_id: [text('Subscriptions with the same value add up.'), (t) => t('stacking_id')],
  multi_entitlement: [flag('Whether one host may take several uses.'), (t) => t('multi_entitlement')],
  type: [z.string().meta({ description: 'Type of the subscription.' }), (t) => t('type')],
  product_name: [z.string().meta({ description: 'Its name again.' }), (t) => t('name')],
  unmapped_guest: [flag('For machines with an unknown hypervisor, for a while.'), (t) => t('unmapped_guest')],
  virt_only: [flag('Only for virtual machines.'), (t) => t('virt_only')],
  virt_who: [flag('Only for virtual machines whose hypervisor is known.'), (t) => t('virt_who')],
  upstream: [flag('Whether it comes from a vendor.'), (t) => t('upstream')],
  upstream_pool_id: [text('Identifier at the vendor.'), (t) => t('upstream_pool_id')],
  hypervisor: [
    buildNestedSchema(rowKeys('h', 'id', 'name'))
      .nullable()
      .meta({ description: 'Only for virtual machines on this host.' }),
    (t) => sql`(select ${selectNested(rowKeys('h', 'id', 'name'))} from hosts h where h.id = ${t('hypervisor_id')})`,
  ],
  quantity_attached: [
    whole('In lists of a key: number of uses per host, or 0 if the key does not specify it. Null in other lists.'),
    () => sql`null`,
  ],
}

/** The schema of a subscription inside of another answer. */
export const POOL = buildStatedSchema(POOL_KEYS).meta({
  title: 'SubscriptionPart',
  description: 'A subscription: a number of uses of its products.',
})

const TIMES = ['start_date', 'end_date']

/** The readable keys of subscriptions, in lists and alone. */
export const poolReadable: Readonly<Record<string, ReadableKey>> = {
  ...statedReadable(POOL_KEYS, TIMES),
  host_count: {
    schema: () => z.int().meta({ description: 'Number of hosts that use it.' }),
    sql: (pool) => sql`(select count(*) from host_entitlements e where e.subscription_id = ${sql.ref(`${pool}.id`)})`,
  },
  activation_keys: nestedList('The keys that give it to hosts.', (own) => ({
    keys: {
      ...rowKeys('k', 'id', 'name'),
      release_version: [text('Release that hosts are held at.'), sql`k.release_version`],
      service_level: [text('Service level of its hosts.'), sql`k.service_level`],
      environment: nestNamed(
        'Environment of its hosts.',
        'e',
        sql`lifecycle_environments e where e.id = k.environment_id`,
      ),
      content_view: nestNamed('Content view of its hosts.', 'v', sql`content_views v where v.id = k.content_view_id`),
    },
    from: sql`activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = ${own('id')}`,
    order: sql`k.name, k.id`,
  })),
}

function nestNamed(description: string, alias: string, from: Sql): NestedKey {
  const keys = rowKeys(alias, 'id', 'name')
  return [buildNestedSchema(keys).nullable().meta({ description }), sql`(select ${selectNested(keys)} from ${from})`]
}
