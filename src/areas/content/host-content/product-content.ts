import type { Context } from '../../../context.ts'
import type { Action, Condition, Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { modesQuery } from '../activation-key/product-content.ts'
import { CONTAINING, selectRepositoriesOfPair } from '../content-view/contains.ts'
import { buildContentQuery } from '../shared/content-filters.ts'
import { contentEnvelope } from '../shared/content-keys.ts'
import { listContents } from '../shared/content-rows.ts'
import { readTruth } from '../shared/filtered.ts'
import { loadHostOrganization } from './subscriptions.ts'

/**
 * `GET /api/hosts/:id/subscriptions/product_content`: lists the contents of a host, with its overrides (content-api
 * §4.2).
 */
export const hostProductContent: Action = {
  method: 'GET',
  path: '/:id/subscriptions/product_content',
  name: 'product_content',
  summary: 'List the contents that a host can have',
  permissions: ['view_hosts'],
  query: { ...buildContentQuery(), ...modesQuery },
  output: contentEnvelope,
  record: { how: 'found' },
  handle: (ctx, resource, input, { id }) => listContentsOfHost(ctx, resource, input, id),
}

/** Lists the visible contents of a host: of its subscriptions or all, and on request only those in its views. */
export async function listContentsOfHost(
  ctx: Context,
  { registry }: Resource,
  input: Input,
  host: number,
): Promise<Answer> {
  const asks = (name: keyof typeof modesQuery) => readTruth(name, readSingle(input.query, name) || 'false')
  return listContents(ctx, registry, input, {
    organization: (await loadHostOrganization(ctx, host)) ?? 0,
    conditions: [
      ...(asks('content_access_mode_all') ? [] : [limitToEntitlements(host)]),
      ...(asks('content_access_mode_env') ? [limitToViews(host)] : []),
    ],
    overridden: { table: 'host_content_overrides', own: 'host_id', id: host },
  })
}

function limitToEntitlements(host: number): Condition {
  return {
    sql: sql`t.product_id in (
      select s.product_id from host_entitlements l join subscriptions s on s.id = l.subscription_id where l.host_id = ${host}
      union select n.product_id from host_entitlements l join subscription_products n on n.subscription_id = l.subscription_id
      where l.host_id = ${host})`,
    tables: ['host_entitlements', 'subscriptions', 'subscription_products'],
  }
}

function limitToViews(host: number): Condition {
  return {
    sql: sql`t.content_id in (
      select r.content_id from host_environments l
      cross join lateral ${selectRepositoriesOfPair(sql.ref('l.content_view_id'), sql.ref('l.environment_id'))} given
      join repositories r on r.id = given.repository_id where l.host_id = ${host})`,
    tables: ['host_environments', ...CONTAINING],
  }
}
