import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import {
  joinConditions,
  limitToVisible,
  type ReadableKey,
  type Resource,
  type Transform,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { buildNestedSchema, nestedList } from '../../../records/nested.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { namedKeys } from '../shared/nested-records.ts'

/** The permissions behind what callers may do with a key (spec 2.7). */
export const ACTIVATION_KEY_PERMISSIONS = {
  view_activation_keys: 'view_activation_keys',
  edit_activation_keys: 'edit_activation_keys',
  destroy_activation_keys: 'destroy_activation_keys',
}

/** The products that the pools of a key are for, and the products that these pools provide (content-api §1.4). */
export const products = nestedList('Products of its subscription pools.', (own) => ({
  keys: namedKeys('product', 'x'),
  from: sql`products x where x.id in (${selectProductsOfPools(own('id'))})`,
  order: sql`x.name, x.id`,
}))

/** Selects the ids of the products that the pools of the key with this id are for, and of those that the pools provide. */
export function selectProductsOfPools(key: Sql): Sql {
  return sql`select s.product_id from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
      where l.activation_key_id = ${key} and s.product_id is not null
    union select n.product_id from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
      where l.activation_key_id = ${key}`
}

/** The visible hosts that are registered with a key; `presentActivationKeys` fills it. */
export const hosts: ReadableKey = {
  schema: () =>
    z
      .array(buildNestedSchema(namedKeys('host', 'h')))
      .meta({ description: 'Hosts that are registered with it; only with show_hosts.' }),
  sql: () => sql`null`,
}

/** Adds what the caller may do with each key, and which of its hosts they may see. */
export const presentActivationKeys: Transform = async (ctx, resource, records, query) => {
  const allowed = await presentPermissions(ACTIVATION_KEY_PERMISSIONS)(ctx, resource, records, query)
  const asking = allowed.filter((record) => 'hosts' in record)
  if (asking.length === 0) return allowed
  const byKey = await hostsOf(ctx, resource, asking.map(idOf))
  return allowed.map((record) => ('hosts' in record ? { ...record, hosts: byKey.get(idOf(record)) ?? [] } : record))
}

async function hostsOf(ctx: Context, { registry }: Resource, keys: readonly number[]) {
  const host = registry.get('host')
  const conditions = host ? limitToVisible(ctx, host, 'view_hosts') : []
  const found = await rows<{ key: number; id: number; name: string }>(
    ctx.db,
    sql`select l.activation_key_id as key, t.id, t.name from activation_key_hosts l join hosts t on t.id = l.host_id
      where l.activation_key_id = any (${keys}::bigint[]) and ${joinConditions(conditions)} order by t.name, t.id`,
  )
  const grouped = Map.groupBy(found, ({ key }) => key)
  return new Map([...grouped].map(([key, list]) => [key, list.map(({ id, name }) => ({ id, name }))]))
}
