import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Action, Condition, Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { CONTAINING, selectRepositoriesOfPair } from '../content-view/contains.ts'
import { buildContentQuery } from '../shared/content-filters.ts'
import { contentEnvelope } from '../shared/content-keys.ts'
import { listContents } from '../shared/content-rows.ts'
import { readTruth } from '../shared/filtered.ts'
import { selectPairsOfKey } from './environments.ts'
import { selectProductsOfPools } from './readable.ts'

/** Query parameters that choose among the contents of a key (spec 4.6, set e). */
export const modesQuery = {
  content_access_mode_all: z
    .string()
    .optional()
    .meta({ description: 'True: contents of all products of the organization, not only of subscriptions.' }),
  content_access_mode_env: z
    .string()
    .optional()
    .meta({ description: 'True: only contents that the content views of the key have.' }),
}

/** Lists the contents of a key (spec 4.6, set e; content-api §4.2). */
export const productContent: Action = {
  method: 'GET',
  path: '/:id/product_content',
  name: 'product_content',
  summary: 'List the contents that the hosts of an activation key can have',
  permissions: ['view_activation_keys'],
  query: { ...buildContentQuery(), ...modesQuery },
  output: contentEnvelope,
  record: { how: 'found' },
  handle: (ctx, resource, input, { id }) => listContentsOfKey(ctx, resource, input, id),
}

/** Lists the visible contents of a key: of its subscriptions or all, and on request only those in its views. */
export async function listContentsOfKey(
  ctx: Context,
  { registry }: Resource,
  input: Input,
  id: number,
): Promise<Answer> {
  const asks = (name: keyof typeof modesQuery) => readTruth(name, readSingle(input.query, name) || 'false')
  const key = await row<{ organization_id: number }>(
    ctx.db,
    sql`select organization_id from activation_keys where id = ${id}`,
  )
  return listContents(ctx, registry, input, {
    organization: key?.organization_id ?? 0,
    conditions: [
      ...(asks('content_access_mode_all') ? [] : [limitToPools(id)]),
      ...(asks('content_access_mode_env') ? [limitToViews(id)] : []),
    ],
    overridden: { table: 'activation_key_content_overrides', own: 'activation_key_id', id },
  })
}

function limitToPools(key: number): Condition {
  return {
    sql: sql`t.product_id in (${selectProductsOfPools(sql`${key}::bigint`)})`,
    tables: ['activation_key_subscriptions', 'subscriptions', 'subscription_products'],
  }
}

function limitToViews(key: number): Condition {
  const repositories = selectRepositoriesOfPair(sql.ref('pair.content_view_id'), sql.ref('pair.environment_id'))
  return {
    sql: sql`t.content_id in (
      select r.content_id from activation_keys k cross join lateral (${selectPairsOfKey('k')}) pair cross join lateral ${repositories} given
      join repositories r on r.id = given.repository_id where k.id = ${key})`,
    tables: ['activation_keys', 'activation_key_environments', ...CONTAINING],
  }
}
