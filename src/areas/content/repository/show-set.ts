import type { Context } from '../../../context.ts'
import { notVisible, type Resource, resolveParents } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { resultsOf } from '../../../values.ts'
import { listContents } from '../shared/content-rows.ts'
import { ownerOf } from './list-sets-of-host.ts'

/** The permission to see sets: that of their products. */
export const VIEW = 'view_products'

/** Answers one set. */
export async function showSet(ctx: Context, sets: Resource, input: Input): Promise<Answer> {
  const segment = readIdSegment(input)
  await resolveParents(ctx, sets, input)
  const organization = /^\d{1,15}$/.test(segment) ? await ownerOf(ctx, 'contents', segment) : null
  const page =
    organization === null || (ctx.scope.organization ?? organization) !== organization
      ? undefined
      : await listContents(
          ctx,
          sets.registry,
          { ...input, query: input.params.product_id ? { product_id: input.params.product_id } : {} },
          { organization, conditions: [{ sql: sql`c.id = ${segment}::bigint`, tables: [] }], overridden: null },
        )
  const [found] = resultsOf(page?.body)
  if (!found) throw notVisible(ctx, sets, VIEW, segment)
  return { status: 200, body: found }
}
