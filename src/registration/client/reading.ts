import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import { permissionFor, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Answer } from '../../kernel/route.ts'
import { type Consumer, entitlementStatus } from './consumer.ts'

/** Whether what the host needs is covered by what it has (content-api §5.4). */
export function complianceBody(consumer: Consumer, now: Date): unknown {
  const status = entitlementStatus(consumer)
  return {
    date: now.toISOString(),
    compliantUntil: null,
    status,
    compliant: status !== 'invalid',
    compliantProducts: {},
    partiallyCompliantProducts: {},
    partialStacks: {},
    nonCompliantProducts: consumer.uncovered,
    reasons: consumer.uncovered.map((product) => ({
      key: 'NOTCOVERED',
      message: `Not supported by a valid subscription: ${product}`,
      attributes: { product_id: product },
    })),
    productComplianceDateRanges: {},
  }
}

/** What a host is for is what its keys or it say: there is nothing that it could fail. */
export function purposeBody({ owner }: Consumer, now: Date): unknown {
  return {
    date: now.toISOString(),
    status: owner.content_access_mode === 'org_environment' ? 'disabled' : 'matched',
    compliant: true,
    ...{ nonCompliantRole: null, nonCompliantSLA: null, nonCompliantUsage: null, nonCompliantServiceType: null },
    ...{ nonCompliantAddOns: [], compliantRole: {}, compliantAddOns: {}, compliantSLA: {}, compliantUsage: {} },
    ...{ compliantServiceType: {}, reasons: [] },
  }
}

/** What the host may install, since when; 304 for who knows that already. */
export function accessibleContent(consumer: Consumer, since: unknown): Answer {
  const changed = new Date(consumer.updated_at.replace('+0000', 'Z'))
  const known = typeof since === 'string' ? Date.parse(since) : Number.NaN
  const headers = { 'last-modified': changed.toUTCString() }
  if (known >= changed.getTime()) return { status: 304, headers }
  return { status: 200, headers, body: { lastUpdate: consumer.updated_at, contentListing: {} } }
}

/** The releases of the repositories that the host gets from its pairs. */
export async function releasesFor(ctx: Context, { host }: Consumer): Promise<string[]> {
  const found = await rows<{ release: string }>(
    ctx.db,
    sql`
      select distinct r.minor as release
      from host_environments h
      join content_view_environments l on l.content_view_id = h.content_view_id and l.environment_id = h.environment_id
      join content_views v on v.id = h.content_view_id
      join repositories r on r.id in (
        select c.repository_id from content_view_version_repositories c where c.content_view_version_id = l.content_view_version_id
        union all
        select x.id from repositories x join products p on p.id = x.product_id where v."default" and p.organization_id = v.organization_id)
      where h.host_id = ${host} and r.minor is not null order by 1`,
  )
  return found.map(({ release }) => release)
}

/** The pools of an organization that the caller may view, as clients see them. */
export async function poolsOf(ctx: Context, hosts: Resource, organization: number): Promise<unknown[]> {
  return rows(
    ctx.db,
    sql`select s.cp_id as id, s.type, s.quantity, s.consumed, p.cp_id as "productId", s.name as "productName", s.start_date as "startDate",
        s.end_date as "endDate", s.contract_number as "contractNumber", s.account_number as "accountNumber",
        array(select json_build_object('productId', x.cp_id, 'productName', x.name) from subscription_products l
          join products x on x.id = l.product_id where l.subscription_id = s.id order by x.cp_id) as "providedProducts"
      from subscriptions s left join products p on p.id = s.product_id
      where s.organization_id = ${organization} and ${seenOf(ctx, hosts, 'subscription', 's')} order by s.name, s.id`,
  )
}

/** The pools that a host has, as clients see them. */
export async function entitlementsOf(ctx: Context, { host }: Consumer): Promise<unknown[]> {
  return rows(
    ctx.db,
    sql`select s.cp_id as id, h.quantity, json_build_object('id', s.cp_id, 'productName', s.name, 'quantity', s.quantity, 'consumed', s.consumed) as pool,
        '{}'::jsonb[] as certificates
      from host_entitlements h join subscriptions s on s.id = h.subscription_id where h.host_id = ${host} order by s.name, s.id`,
  )
}

/** Hosts see all that there is of their organization; users what they may view of it. */
function seenOf(ctx: Context, { registry }: Resource, name: string, alias: string): Sql {
  const target = registry.get(name)
  if (!target) throw new Error(`there is no resource named ${name}`)
  const conditions = visible(ctx, target, permissionFor(target, 'view'))
  if (conditions.length === 0) return sql`true`
  return sql`${sql.ref(`${alias}.id`)} in (select t.id from ${sql.table(target.table)} t where ${where(conditions)})`
}

/** Pairs of a view `v` and an environment `e` of which the caller may view both. */
export function seenPairs(ctx: Context, hosts: Resource): Sql {
  return sql`${seenOf(ctx, hosts, 'content_view', 'v')} and ${seenOf(ctx, hosts, 'lifecycle_environment', 'e')}`
}

/** The pairs of an organization that the caller may view, by the ids and names that clients register with. */
export async function environmentsOf(ctx: Context, hosts: Resource, organization: number): Promise<unknown[]> {
  return rows(
    ctx.db,
    sql`select v.id || '-' || e.id as id, case when v."default" then e.label else e.label || '/' || v.label end as name,
        v.description
      from content_view_environments l join content_views v on v.id = l.content_view_id
        join lifecycle_environments e on e.id = l.environment_id
      where v.organization_id = ${organization} and ${seenPairs(ctx, hosts)} order by 2`,
  )
}
