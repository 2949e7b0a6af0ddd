import type { Condition } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** Leaves the pools of a key. */
export function limitToPoolsOfKey(key: number): Condition {
  return {
    sql: sql`exists (select from activation_key_subscriptions k where k.subscription_id = t.id and k.activation_key_id = ${key})`,
    tables: ['activation_key_subscriptions'],
  }
}

/** Leaves the pools that can be added to a key: all that it does not have. */
export function limitToAvailableForKey(key: number): Condition {
  const { sql: had, tables } = limitToPoolsOfKey(key)
  return { sql: sql`not ${had}`, tables }
}

/** Leaves the pools of a host. */
export function limitToPoolsOfHost(host: number): Condition {
  return {
    sql: sql`exists (select from host_entitlements e where e.subscription_id = t.id and e.host_id = ${host})`,
    tables: ['host_entitlements'],
  }
}

/**
 * Leaves the pools that a host could take: valid now, not used up, and either not yet taken by it or with several
 * uses for a host. A pool for the guests of a hypervisor is not for that hypervisor itself.
 */
export function limitToAvailableForHost(host: number, now: Date): Condition {
  const { sql: had, tables } = limitToPoolsOfHost(host)
  return {
    // The time is a value, so that counts remembered for a statement do not outlive it.
    sql: sql`t.start_date <= ${now}::timestamptz and t.end_date > ${now}::timestamptz and (t.quantity = -1 or t.consumed < t.quantity) and (t.multi_entitlement or not ${had})
      and (t.hypervisor_id is null or t.hypervisor_id <> ${host})`,
    tables,
  }
}

/** Leaves pools for machines like this host: by architecture, and for physical or virtual ones. */
export function limitToMatchingHost(host: number): Condition {
  return {
    sql: sql`exists (
      select from hosts h left join architectures a on a.id = h.architecture_id left join registrations g on g.host_id = h.id
      where h.id = ${host}
      and (t.arch is null or t.arch = '' or fold(t.arch) = 'all' or a.name is null
        or fold(a.name) = any (regexp_split_to_array(fold(t.arch), '\\s*,\\s*')))
      and (not (t.virt_only or t.virt_who) or fold(g.facts ->> 'virt.is_guest') = 'true'))`,
    tables: ['hosts', 'architectures', 'registrations'],
  }
}

/** Leaves pools that provide a product installed on this host. */
export function limitToMatchingInstalled(host: number): Condition {
  return {
    sql: sql`exists (
      select from registrations g, jsonb_array_elements(g.installed_products) i
      join products o on o.cp_id = coalesce(i ->> 'productId', i ->> 'product_id')
      join subscription_products s on s.product_id = o.id
      where g.host_id = ${host} and s.subscription_id = t.id)`,
    tables: ['registrations', 'products', 'subscription_products'],
  }
}

/** Leaves pools that provide no product for which the host has a subscription already. */
export function limitToNonOverlapping(host: number): Condition {
  return {
    sql: sql`not exists (
      select from subscription_products s join subscription_products o using (product_id)
      join host_entitlements e on e.subscription_id = o.subscription_id
      where s.subscription_id = t.id and e.host_id = ${host})`,
    tables: ['subscription_products', 'host_entitlements'],
  }
}
