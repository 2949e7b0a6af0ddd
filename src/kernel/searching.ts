import { type Context, hasPermission, holdsForAll } from '../context.ts'
import { finishFragment, planAnew } from '../database/sql.ts'
import { readRowCount } from '../database/versions.ts'
import { Failure } from '../errors.ts'
import { isBlank } from '../search/blank.ts'
import {
  ALWAYS_ASKED,
  type CompiledOrder,
  type CompiledSearch,
  compileOrder,
  compileSearch,
  SearchError,
  type SearchField,
  type SearchSchema,
  SMALL_COST,
  totalCostOf,
} from '../search/index.ts'
import { sql } from '../sql.ts'
import { limitToVisible } from './authorize.ts'
import { type Condition, joinConditions, listTables } from './condition.ts'
import type { Resource } from './definition.ts'
import { searchOptionsOf } from './stored-search.ts'
import { limitToReachable } from './visibility.ts'

/** Reads the search fields that this caller may use; what the caller may not see, or reach, matches nothing. */
export function readSearch(ctx: Context, resource: Resource): SearchSchema {
  const { searchSchema, registry } = resource
  if (ctx.user.admin) return searchSchema
  const guard = resource.records?.guard?.(ctx, resource)
  const fields = searchSchema.fields.flatMap((field) => {
    if (field.guarded && guard) return [guard.limitField(field)]
    const { leadsTo, viewedWith } = field
    if (viewedWith && !hasPermission(ctx, viewedWith.permission)) return []
    const by = viewedWith ?? leadsTo
    const target = registry.get(by?.resource ?? '')
    if (!by || !target || (viewedWith && holdsForAll(ctx, viewedWith.permission))) return [field]
    const conditions = viewedWith ? limitToVisible(ctx, target, viewedWith.permission) : limitToReachable(ctx, target)
    return [conditions.length === 0 ? field : countedBy(field, target, by.column, conditions)]
  })
  return { ...searchSchema, fields }
}

function countedBy(
  field: SearchField,
  target: Resource,
  column: string,
  conditions: readonly Condition[],
): SearchField {
  const seen = sql`(select t.id from ${sql.table(target.table)} t where ${joinConditions(conditions)})`
  const limitToSeen = (alias: string) => sql`${sql.ref(`${alias}.${column}`)} in ${seen}`
  const tables = [target.table, ...(field.tables ?? []), ...listTables(conditions)]
  return { ...field, counting: limitToSeen, tables }
}

/** Compiles a `search` parameter; no condition for a blank one. {@throws Failure} bad_search, also when it costs too much */
export async function compileRequestSearch(
  ctx: Context,
  resource: Resource,
  search: string | null,
): Promise<Condition[]> {
  if (search === null || isBlank(search)) return []
  const schema = readSearch(ctx, resource)
  const compiled = refuseBadSearch(() => compileSearch(schema, search, searchOptionsOf(ctx)))
  await requireAffordable(ctx, resource.table, compiled)
  if (!compiled.condition) return []
  const found = { sql: compiled.condition, tables: compiled.tables }
  const guard = ctx.user.admin ? undefined : resource.records?.guard?.(ctx, resource)
  const { sql: condition, tables } = guard?.limitCondition(schema, search, found) ?? found
  return [{ sql: tables.length > 1 ? planAnew(condition) : condition, tables }]
}

/** Refuses a search that costs too much; does not tell the number of records. {@throws Failure} bad_search */
async function requireAffordable(ctx: Context, table: string, { cost, conditions }: CompiledSearch): Promise<void> {
  const limit = ctx.settings.search_comparisons_limit
  if (conditions <= ALWAYS_ASKED || cost <= SMALL_COST) return
  if (totalCostOf(cost, await readRowCount(ctx.db, table)) <= limit * 1_000_000) return
  throw new Failure(
    'bad_search',
    `This search is too large: its ${conditions} conditions come to more than ${limit} million comparisons, which is the limit (setting search_comparisons_limit). Ask for less at a time, or write lists as field ^ (a, b, c)`,
    { class: 'ScopedSearch::QueryNotSupported' },
  )
}

/** Reads the `order` parameter, or else the default order; equal records are ordered by id. {@throws Failure} bad_search */
export function readOrdering(ctx: Context, resource: Resource, order: string | null): Ordering {
  const options = searchOptionsOf(ctx)
  if (order !== null && !isBlank(order))
    return refuseBadSearch(() => compileOrder(readSearch(ctx, resource), order, options))
  const { searchSchema } = resource
  const known =
    defaultOrders.get(resource) ?? finishOrder(compileOrder(searchSchema, searchSchema.order ?? 'id', options, 'last'))
  defaultOrders.set(resource, known)
  return known
}

/** The order of a list, compiled to SQL; `joined` is for statements that may join tables to the row, `key` for cursors. */
export type Ordering = Pick<CompiledOrder, 'order' | 'joined' | 'key'>

function finishOrder({ order, joined, key }: Ordering): Ordering {
  return {
    key,
    order: finishFragment(order),
    ...(joined && { joined: { joins: finishFragment(joined.joins), order: finishFragment(joined.order) } }),
  }
}

// Compiled default orders. The declaration names a field, so nothing in them depends on a request.
const defaultOrders = new WeakMap<Resource, Ordering>()

/** Executes work, and turns an error of the search language into a 400 (core-api §2.5). {@throws Failure} bad_search */
export function refuseBadSearch<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    throw new Failure(
      'bad_search',
      error.message,
      { class: 'ScopedSearch::QueryNotSupported', position: error.position ?? undefined },
      { cause: error },
    )
  }
}
