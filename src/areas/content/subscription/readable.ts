import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/definition.ts'
import { buildNestedSchema, type NestedKey, nestedList, selectNested } from '../../../records/nested.ts'
import { named, nestedRecord } from '../shared/named.ts'

const text = (description: string) => z.string().nullable().meta({ description })
const whole = (description: string) => z.int().nullable().meta({ description })
const flag = (description: string) => z.boolean().meta({ description })

/** A subscription in lists: the pool row of content-api §3.1. */
export const POOL = z
  .object({
    id: z.int().meta({ description: 'Unique among subscriptions.' }),
    cp_id: z.string().meta({ description: 'What clients call it by: as good as the id, everywhere.' }),
    subscription_id: z.int().meta({ description: 'Its id again.' }),
    name: z.string().meta({ description: 'What it is called.' }),
    start_date: z.string().meta({ description: 'From when on it can be used.' }),
    end_date: z.string().meta({ description: 'Until when it can be used.' }),
    available: z.int().meta({ description: 'How many uses are left; -1: any number.' }),
    quantity: z.int().meta({ description: 'How many uses there are; -1: any number.' }),
    consumed: z.int().meta({ description: 'How many of them hosts have.' }),
    account_number: text('Account that it was bought with.'),
    contract_number: text('Contract that it is part of.'),
    support_level: text('How well its hosts are supported.'),
    product_id: text('The cp_id of the product that it is for.'),
    sockets: whole('Sockets that one use is enough for.'),
    cores: whole('Cores that one use is enough for.'),
    ram: whole('Gigabytes of memory that one use is enough for.'),
    instance_multiplier: whole('Uses that a physical host takes.'),
    stacking_id: text('Subscriptions with the same one add up.'),
    multi_entitlement: flag('Whether one host may take several uses.'),
    type: z.string().meta({ description: 'What kind it is.' }),
    product_name: z.string().meta({ description: 'Its name again.' }),
    unmapped_guest: flag('For machines with an unknown hypervisor, for a while.'),
    virt_only: flag('Only for virtual machines.'),
    virt_who: flag('Only for virtual machines whose hypervisor is known.'),
    upstream: flag('Whether it was brought by a vendor.'),
    upstream_pool_id: text('What the vendor calls it by.'),
    hypervisor: nestedRecord('id', 'name').nullable().meta({ description: 'Only for virtual machines on this host.' }),
    quantity_attached: whole(
      'In lists of a key: how many uses a host takes with it, 0 where the key does not say. Null in other lists.',
    ),
  })
  .meta({ title: 'SubscriptionInList', description: 'So many uses of the products that it provides.' })

type Column = (name: string) => Sql

const STATEMENTS: Readonly<Record<keyof typeof POOL.shape, ((column: Column) => Sql) | 'column'>> = {
  id: 'column',
  cp_id: 'column',
  subscription_id: (t) => t('id'),
  name: 'column',
  start_date: 'column',
  end_date: 'column',
  available: (t) => sql`case when ${t('quantity')} = -1 then -1 else ${t('quantity')} - ${t('consumed')} end`,
  quantity: 'column',
  consumed: 'column',
  account_number: 'column',
  contract_number: 'column',
  support_level: 'column',
  product_id: (t) => sql`(select o.cp_id from products o where o.id = ${t('product_id')})`,
  sockets: 'column',
  cores: 'column',
  ram: 'column',
  instance_multiplier: 'column',
  stacking_id: 'column',
  multi_entitlement: 'column',
  type: 'column',
  product_name: (t) => t('name'),
  unmapped_guest: 'column',
  virt_only: 'column',
  virt_who: 'column',
  upstream: 'column',
  upstream_pool_id: 'column',
  hypervisor: (t) =>
    sql`(select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = ${t('hypervisor_id')})`,
  quantity_attached: () => sql`null`,
}
const TIMES = new Set(['start_date', 'end_date'])

/** The keys of lists and of single records. */
export const poolReadable: Readonly<Record<string, ReadableKey>> = {
  ...Object.fromEntries(Object.entries(STATEMENTS).map(([key, statement]) => [key, readableOf(key, statement)])),
  host_count: {
    schema: () => z.int().meta({ description: 'How many hosts have some of it.' }),
    sql: (pool) => sql`(select count(*) from host_entitlements e where e.subscription_id = ${sql.ref(`${pool}.id`)})`,
  },
  activation_keys: nestedList('The keys that give it to hosts.', (own) => ({
    keys: {
      ...named('k', 'id', 'name'),
      release_version: [text('Release that hosts are held at.'), sql`k.release_version`],
      service_level: [text('How well its hosts are to be supported.'), sql`k.service_level`],
      environment: shown('Environment of its hosts.', 'e', sql`lifecycle_environments e where e.id = k.environment_id`),
      content_view: shown('Content view of its hosts.', 'v', sql`content_views v where v.id = k.content_view_id`),
    },
    from: sql`activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = ${own('id')}`,
    order: sql`k.name, k.id`,
  })),
}

function readableOf(key: string, statement: ((column: Column) => Sql) | 'column'): ReadableKey {
  return {
    schema: () => POOL.shape[key as keyof typeof POOL.shape], // the statements are those of its keys
    sql: (alias) => {
      const column: Column = (name) => sql.ref(`${alias}.${name}`)
      return statement === 'column' ? column(key) : statement(column)
    },
    ...(TIMES.has(key) && { time: true as const }),
  }
}

function shown(description: string, alias: string, from: Sql): NestedKey {
  const keys = named(alias, 'id', 'name')
  return [buildNestedSchema(keys).nullable().meta({ description }), sql`(select ${selectNested(keys)} from ${from})`]
}
