import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import type { Resource } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { selectZonedMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { type Consumer, presentOwner } from './consumer.ts'
import { seenOf } from './visibility.ts'

/** Selects the `productAttributes` of a pool from the columns of a subscription `s`. */
const PRODUCT_ATTRIBUTES = sql`(
  select coalesce(json_agg(json_build_object('name', a.name, 'value', a.value)), '[]') from (values
    ('multi-entitlement', case when s.multi_entitlement then 'yes' else 'no' end), ('support_level', s.support_level),
    ('support_type', s.support_type), ('roles', s.roles), ('usage', s.usage), ('addons', s.addons), ('arch', s.arch),
    ('sockets', s.sockets::text), ('cores', s.cores::text), ('ram', s.ram::text), ('stacking_id', s.stacking_id),
    ('instance_multiplier', s.instance_multiplier::text), ('virt_only', case when s.virt_only then 'true' end)
  ) a (name, value) where a.value is not null)`

/** Selects the further products that a subscription `s` provides. */
const PROVIDED = sql`(
  select coalesce(json_agg(json_build_object('productId', x.cp_id, 'productName', x.name) order by x.cp_id), '[]')
  from subscription_products l join products x on x.id = l.product_id where l.subscription_id = s.id)`

/** Selects a subscription `s` with its product `p` as clients expect a pool. */
const POOL = sql`json_build_object(
  'id', s.cp_id, 'type', s.type, 'quantity', s.quantity, 'consumed', s.consumed, 'activeSubscription', true,
  'productId', coalesce(p.cp_id, s.cp_id), 'productName', s.name, 'startDate', ${selectZonedMoment('s.start_date')},
  'endDate', ${selectZonedMoment('s.end_date')}, 'created', ${selectZonedMoment('s.created_at')}, 'updated', ${selectZonedMoment('s.updated_at')},
  'contractNumber', s.contract_number, 'accountNumber', s.account_number, 'orderNumber', null,
  'stacked', s.stacking_id is not null, 'stackId', s.stacking_id, 'subscriptionId', s.cp_id, 'href', '/pools/' || s.cp_id,
  'attributes', case when s.virt_only then json_build_array(json_build_object('name', 'virt_only', 'value', 'true')) else '[]' end,
  'productAttributes', ${PRODUCT_ATTRIBUTES}, 'providedProducts', ${PROVIDED}, 'derivedProvidedProducts', '[]'::json,
  'calculatedAttributes', json_build_object('suggested_quantity', '1', 'quantity_increment', '1', 'compliance_type', 'Standard'))`

const FROM = sql`subscriptions s left join products p on p.id = s.product_id`

/**
 * Loads the pools of an organization that the caller may view. With a consumer only those that it could use, unless all
 * are requested; `matches` is a text with `*` and `?`.
 */
export async function loadPools(
  ctx: Context,
  hosts: Resource,
  owner: Consumer['owner'],
  query: Input['query'],
): Promise<unknown[]> {
  const found = await rows<{ pool: Record<string, unknown> }>(
    ctx.db,
    sql`select ${POOL} as pool from ${FROM}
      where s.organization_id = ${owner.id} and ${seenOf(ctx, hosts, 'subscription', 's')} and ${selectWanted(query)}
      order by s.name, s.id`,
  )
  return found.map(({ pool }) => ({ ...pool, owner: presentOwner(owner) }))
}

/** Loads pools with these ids, in order of their names, as clients expect them. */
export async function loadPoolsById(
  ctx: Context,
  owner: Consumer['owner'],
  ids: readonly number[],
): Promise<readonly Record<string, unknown>[]> {
  const found = await rows<{ pool: Record<string, unknown> }>(
    ctx.db,
    sql`select ${POOL} as pool from ${FROM}
      where s.organization_id = ${owner.id} and s.id = any (${[...ids]}::bigint[]) order by s.name, s.id`,
  )
  return found.map(({ pool }) => ({ ...pool, owner: presentOwner(owner) }))
}

function selectWanted(query: Input['query']): Sql {
  const isAsked = (name: string) => /^(?:true|1)$/i.test(readSingle(query, name) ?? '')
  const [consumer, matches] = [readSingle(query, 'consumer'), readSingle(query, 'matches')]
  const at = readMoment(readSingle(query, 'activeon'))
  const began = sql`s.start_date <= ${at}`
  const started = isAsked('only_future') ? sql`s.start_date > ${at}` : isAsked('add_future') ? sql`true` : began
  const within = isAsked('listall') && !isAsked('only_future') ? sql`true` : sql`${started} and s.end_date > ${at}`
  const free =
    consumer && !isAsked('listall')
      ? sql`(s.quantity = -1 or s.consumed < s.quantity) and (s.multi_entitlement or not exists (
          select from host_entitlements e join registrations r on r.host_id = e.host_id
          where e.subscription_id = s.id and r.uuid::text = ${consumer.toLowerCase()}))`
      : sql`true`
  return sql`${within} and ${free} and ${matches ? selectMatching(matches) : sql`true`}`
}

function readMoment(sent: string | null): Sql {
  if (sent === null || sent === '') return sql`now()`
  const moment = new Date(sent.replace(' ', '+'))
  if (Number.isNaN(moment.getTime()))
    throw badParameter('activeon', sent, 'must be a moment such as 2026-03-01T00:00:00Z')
  return sql`${moment.toISOString()}::timestamptz`
}

function selectMatching(text: string): Sql {
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  const pattern = /[*?]/.test(text) ? escaped.replaceAll('*', '%').replaceAll('?', '_') : `%${escaped}%`
  return sql`exists (
    select from (values (s.name), (s.cp_id), (s.contract_number), (s.support_level)) own (word) where fold(word) like fold(${pattern})
    union all select from subscription_products l join products x on x.id = l.product_id
    where l.subscription_id = s.id and (fold(x.name) like fold(${pattern}) or x.cp_id = ${text}))`
}

/** Loads what a host uses of pools, all of them or those with these ids, as clients expect it. */
export async function loadEntitlements(
  ctx: Context,
  { host, uuid, owner }: Consumer,
  pools: readonly number[] | null = null,
): Promise<readonly Record<string, unknown>[]> {
  const found = await rows<{ pool: Record<string, unknown>; quantity: number }>(
    ctx.db,
    sql`select ${POOL} as pool, h.quantity from host_entitlements h join ${FROM} on s.id = h.subscription_id
      where h.host_id = ${host} and (${pools === null} or s.id = any (${[...(pools ?? [])]}::bigint[])) order by s.name, s.id`,
  )
  return found.map(({ pool, quantity }) => ({
    id: pool.id,
    quantity,
    startDate: pool.startDate,
    endDate: pool.endDate,
    consumer: { uuid },
    pool: { ...pool, owner: presentOwner(owner) },
    certificates: [],
    href: `/entitlements/${pool.id}`,
  }))
}
