import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { type Action, type Condition, type ListAnswer, list, type Resource } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { idOf } from '../../../values.ts'
import * as available from './available.ts'
import { findNamedHost, findNamedKey } from './named-owner.ts'
import { poolPage, poolQuery, presentPermissions } from './pool-page.ts'
import { limitToHost, limitToKey, limitToName } from './requested-pools.ts'

/** Lists subscriptions of an organization, or those that a key or a host has or could have (content-api §3.1). */
export const listSubscriptions: Action = {
  method: 'GET',
  path: '',
  name: 'list',
  summary: 'List subscriptions',
  permissions: ['view_subscriptions'],
  query: poolQuery,
  output: poolPage,
  handle: async (ctx, subscriptions, input) => {
    const { page } = await listRequestedPools(ctx, subscriptions, input)
    return { status: 200, body: page }
  },
}

type Page = ListAnswer['body']

/** Lists the requested page. {@throws Failure} not_found if the request names no organization, key or host */
export async function listRequestedPools(
  ctx: Context,
  subscriptions: Resource,
  input: Input,
): Promise<{ readonly organization: number; readonly page: Page }> {
  const key = await findNamedKey(ctx, subscriptions, input)
  const host = key ? undefined : await findNamedHost(ctx, subscriptions, input)
  const organization = (key ?? host)?.organization_id ?? ctx.scope.organization
  if (organization === null) throw new Failure('not_found', 'Organization Information not provided.')
  const wanted = key ? limitToKey(input, key.id) : host ? limitToHost(ctx, input, host.id) : []
  const answer = await listAmong(ctx, subscriptions, input, organization, [...wanted, ...limitToName(input)])
  return { organization, page: (key ? await withQuantities(ctx, answer, key.id) : answer).body }
}

/** Lists the subscriptions of a key, as at the key's own path. */
export async function listPoolsOfKey(
  ctx: Context,
  subscriptions: Resource,
  input: Input,
  key: { readonly id: number; readonly organization_id: number },
): Promise<ListAnswer> {
  const conditions = [available.limitToPoolsOfKey(key.id)]
  return withQuantities(ctx, await listAmong(ctx, subscriptions, input, key.organization_id, conditions), key.id)
}

/** Lists the subscriptions of a host, without their quantities, which `host-content/subscriptions.ts` adds. */
export function listPoolsOfHost(
  ctx: Context,
  subscriptions: Resource,
  input: Input,
  host: { readonly id: number; readonly organization_id: number },
): Promise<ListAnswer> {
  return listAmong(ctx, subscriptions, input, host.organization_id, [available.limitToPoolsOfHost(host.id)])
}

async function listAmong(
  ctx: Context,
  subscriptions: Resource,
  input: Input,
  organization: number,
  conditions: readonly Condition[],
): Promise<ListAnswer> {
  const answer = await list(
    ctx,
    subscriptions,
    input,
    [{ sql: sql`t.organization_id = ${organization} and not t.unmapped_guest`, tables: [] }, ...conditions],
    { parents: 'unread' },
  )
  const named = await row(ctx.db, sql`select id, name, label from organizations where id = ${organization}`)
  const body = { organization: named ?? {}, ...answer.body }
  return {
    ...answer,
    body: input.query.include_permissions === undefined ? body : { ...body, ...presentPermissions(ctx) },
  }
}

async function withQuantities(ctx: Context, answer: ListAnswer, key: number): Promise<ListAnswer> {
  const { results, ...page } = answer.body
  const ids = results.map(({ id }) => id)
  const attached = await rows<{ id: number; quantity: number | null }>(
    ctx.db,
    sql`select subscription_id as id, quantity from activation_key_subscriptions
      where activation_key_id = ${key} and subscription_id = any (${ids}::bigint[])`,
  )
  const quantities = new Map(attached.map(({ id, quantity }) => [id, quantity ?? 0]))
  const counted = results.map((pool) => ({ ...pool, quantity_attached: quantities.get(idOf(pool)) ?? null }))
  return { ...answer, body: { ...page, results: counted } }
}
