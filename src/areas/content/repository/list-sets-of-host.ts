import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Condition, Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import type { modesQuery } from '../activation-key/product-content.ts'
import { CONTAINING, selectRepositoriesOfPair } from '../content-view/contains.ts'
import { listContents } from '../shared/content-rows.ts'
import { readTruth } from '../shared/filtered.ts'

/** Lists the sets that a host can take, with its overrides. */
export async function listSetsOfHost(ctx: Context, { registry }: Resource, input: Input, id: number): Promise<Answer> {
  const asks = (name: keyof typeof modesQuery) => readTruth(name, readSingle(input.query, name) || 'false')
  const organization = await ownerOf(ctx, 'hosts', String(id))
  return listContents(ctx, registry, input, {
    organization: organization ?? 0,
    conditions: [
      ...(asks('content_access_mode_all') ? [] : [limitToEntitlements(id)]),
      ...(asks('content_access_mode_env') ? [limitToEnvironments(id)] : []),
    ],
    overridden: { table: 'host_content_overrides', own: 'host_id', id },
  })
}

function limitToEntitlements(host: number): Condition {
  return {
    sql: sql`t.product_id in (
      select s.product_id from host_entitlements e join subscription_products s using (subscription_id) where e.host_id = ${host})`,
    tables: ['host_entitlements', 'subscription_products'],
  }
}

function limitToEnvironments(host: number): Condition {
  const repositories = selectRepositoriesOfPair(sql.ref('h.content_view_id'), sql.ref('h.environment_id'))
  return {
    sql: sql`t.content_id in (
      select r.content_id from host_environments h cross join lateral ${repositories} given
      join repositories r on r.id = given.repository_id where h.host_id = ${host})`,
    tables: ['host_environments', ...CONTAINING],
  }
}

/** Loads the organization of a product, a host or a content, by an id or a segment that begins with one; null without one. */
export async function ownerOf(
  ctx: Context,
  table: 'products' | 'hosts' | 'contents',
  id: string,
): Promise<number | null> {
  const digits = /^\d{1,15}/.exec(id)?.[0] ?? '0'
  const found = await row<{ organization_id: number | null }>(
    ctx.db,
    sql`select organization_id from ${sql.table(table)} where id = ${digits}::bigint`,
  )
  return found?.organization_id ?? null
}
