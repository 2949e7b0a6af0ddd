import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { type Action, findResource, type ListAnswer } from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { contentListQuery, listQuery } from '../../../requests/paging.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { listPoolsOfHost } from '../subscription/list.ts'
import { poolPage } from '../subscription/pool-page.ts'
import { POOL } from '../subscription/readable.ts'

/** The schema of pools of a host, with the quantity of each. */
export const hostPoolPage = poolPage.extend({
  results: z
    .array(POOL.extend({ quantity_consumed: z.int().meta({ description: 'Uses that the host takes.' }) }))
    .meta({ description: 'The records of this page.' }),
})

/** `GET /api/hosts/:id/subscriptions`: lists the pools of a host, with quantities. */
export const hostSubscriptions: Action = {
  method: 'GET',
  path: '/:id/subscriptions',
  name: 'subscriptions',
  summary: 'List the subscriptions of a host',
  permissions: ['view_hosts'],
  query: { ...listQuery, ...contentListQuery },
  output: hostPoolPage,
  record: { how: 'found' },
  handle: async (ctx, resource, input, { id }) => {
    const host = { id, organization_id: (await loadHostOrganization(ctx, id)) ?? 0 }
    return withQuantities(
      ctx,
      await listPoolsOfHost(ctx, findResource(resource.registry, 'subscription'), input, host),
      id,
    )
  },
}

/** Loads the organization of a host; null without one. */
export async function loadHostOrganization(ctx: Context, host: number): Promise<number | null> {
  const found = await row<{ id: number | null }>(
    ctx.db,
    sql`select organization_id as id from hosts where id = ${host}`,
  )
  return found?.id ?? null
}

/** Adds to each pool on a page how many uses the host has. */
export async function withQuantities(ctx: Context, answer: ListAnswer, host: number): Promise<Answer> {
  const { results, ...page } = answer.body
  const taken = await rows<{ id: number; quantity: number }>(
    ctx.db,
    sql`select subscription_id as id, quantity from host_entitlements where host_id = ${host}`,
  )
  const quantities = new Map(taken.map(({ id, quantity }) => [id, quantity]))
  const counted = results.map((pool) => ({ ...pool, quantity_consumed: quantities.get(idOf(pool)) ?? 0 }))
  return { ...answer, body: { ...page, results: counted } }
}
