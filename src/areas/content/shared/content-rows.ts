import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { type Condition, joinConditions, type Registry, type Row } from '../../../kernel/index.ts'
import { selectStatedColumns } from '../../../records/nested.ts'
import { offsetOf, readContentPaging } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { isBlank } from '../../../search/blank.ts'
import { joinAll, sql } from '../../../sql.ts'
import { compileContentSearch, limitToSeenProducts, selectOrder } from './content-conditions.ts'
import { filtersOf } from './content-filters.ts'
import { KEYS, type Overridden, stateOf } from './content-keys.ts'
import { answerPage } from './envelope.ts'
import { readFilters } from './filtered.ts'

/** Which contents of an organization are listed, and with whose overrides. */
export interface ContentRequest {
  readonly organization: number
  /** On `t`, a row of product_contents. */
  readonly conditions: readonly Condition[]
  /** The record whose overrides are shown; null: defaults only. */
  readonly overridden: Overridden | null
}

/**
 * Lists a page of the contents of visible products in an organization, as repository sets (content-api §4.2), in two
 * statements.
 */
export async function listContents(
  ctx: Context,
  registry: Registry,
  input: Input,
  { organization, conditions, overridden }: ContentRequest,
): Promise<Answer> {
  const asked = readContentPaging(input.query, ctx.settings.entries_per_page)
  const { perPage, search, order } = asked
  const state = stateOf(overridden)
  const base = joinAll([
    joinConditions(conditions),
    joinConditions(readFilters(filtersOf(state, overridden), input)),
    sql`o.organization_id = ${organization} and c.content_type in ('yum', 'deb', 'ostree')`,
    limitToSeenProducts(ctx, registry),
  ])
  const found = search === null || isBlank(search) ? sql`true` : compileContentSearch(ctx, search)
  const counts = await row<{ total: number; subtotal: number }>(
    ctx.db,
    sql`select count(*) as total, count(*) filter (where ${found}) as subtotal ${FROM} where ${base}`,
  )
  const { total = 0, subtotal = 0 } = counts ?? {}
  const results = await rows<Row>(
    ctx.db,
    sql`select ${selectStatedColumns(KEYS, overridden)} ${FROM} where ${base} and ${found}
      order by ${selectOrder(ctx, order, state)}, c.id, o.id limit ${perPage} offset ${offsetOf(asked)}`,
  )
  return answerPage({ total, subtotal, results }, asked, 'name asc')
}

const FROM = sql`from product_contents t join contents c on c.id = t.content_id join products o on o.id = t.product_id`
