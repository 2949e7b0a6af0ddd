import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { badParameter, Failure, parentNotFound } from '../../../errors.ts'
import {
  type Action,
  type Condition,
  joinConditions,
  type ListAnswer,
  limitToVisible,
  list,
  notFoundFor,
  type Resource,
  referenceNotFound,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { readTruth } from '../shared/filtered.ts'
import * as available from './available.ts'
import { poolPage, poolQuery, presentPermissions } from './pool-page.ts'

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

/** Leaves the pools that the key has, or with `available_for` those that it could take. {@throws Failure} bad_parameter */
function limitToKey({ query }: Input, key: number): Condition[] {
  const wanted = readSingle(query, 'available_for')
  if (wanted === null || wanted === '') return [available.limitToPoolsOfKey(key)]
  if (wanted === 'activation_key') return [available.limitToAvailableForKey(key)]
  throw badParameter('available_for', wanted, "must be 'activation_key' beside activation_key_id")
}

/** Leaves the pools that the host has, or with `available_for` those that it could take. {@throws Failure} bad_parameter */
function limitToHost(ctx: Context, { query }: Input, host: number): Condition[] {
  const wanted = readSingle(query, 'available_for')
  if (wanted === null || wanted === '') return [available.limitToPoolsOfHost(host)]
  if (wanted !== 'host') throw badParameter('available_for', wanted, "must be 'host' beside host_id")
  const readFlag = (name: string) => readTruth(name, readSingle(query, name) || 'false')
  return [
    available.limitToAvailableForHost(host, ctx.now()),
    ...(readFlag('match_host') ? [available.limitToMatchingHost(host)] : []),
    ...(readFlag('match_installed') ? [available.limitToMatchingInstalled(host)] : []),
    ...(readFlag('no_overlap') ? [available.limitToNonOverlapping(host)] : []),
  ]
}

/** Leaves the subscriptions with exactly the name in the query. */
function limitToName({ query }: Input): Condition[] {
  const name = readSingle(query, 'name')
  return name === null ? [] : [{ sql: sql`t.name = ${name}`, tables: [] }]
}

interface NamedOwner {
  readonly id: number
  readonly organization_id: number | null
}

/** Finds the activation key that the request names. {@throws Failure} not_found */
async function findNamedKey(ctx: Context, { registry }: Resource, input: Input): Promise<NamedOwner | undefined> {
  const keys = registry.get('activation_key')
  const segment = input.params.activation_key_id ?? readSingle(input.query, 'activation_key_id')
  if (!keys || segment === null || segment === '') return undefined
  const found = await find(ctx, keys, segment, 'view_activation_keys')
  if (found) return found
  const failure = await notFoundFor(ctx, keys, 'view_activation_keys', segment)
  throw failure.code === 'wrong_organization' ? failure : referenceNotFound(keys, segment)
}

/** Finds the host that the query names. {@throws Failure} parent_not_found */
async function findNamedHost(ctx: Context, { registry }: Resource, { query }: Input): Promise<NamedOwner | undefined> {
  const hosts = registry.get('host')
  const segment = readSingle(query, 'host_id')
  if (!hosts || segment === null || segment === '') return undefined
  const found = await find(ctx, hosts, segment, 'view_hosts')
  if (!found) throw parentNotFound('host', segment)
  return found
}

async function find(ctx: Context, resource: Resource, id: string, permission: string): Promise<NamedOwner | undefined> {
  if (!/^\d{1,15}$/.test(id)) return undefined
  return row<NamedOwner>(
    ctx.db,
    sql`select t.id, t.organization_id from ${sql.table(resource.table)} t
      where t.id = ${id}::bigint and ${joinConditions(limitToVisible(ctx, resource, permission))}`,
  )
}
