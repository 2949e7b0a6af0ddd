import { sql } from 'kysely'
import type { Context, Grant } from '../context.ts'
import { finished } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import {
  type CompiledOrder,
  compileOrder,
  compileSearch,
  SearchError,
  type SearchOptions,
  type SearchSchema,
} from '../search/index.ts'
import { type Condition, ROOT, where } from './condition.ts'
import { reach } from './reach.ts'
import type { Resource } from './resource.ts'

/** How the search language reads a request of this caller: their clock, zone, and what `current_user` means. */
export function searchOptions(ctx: Context): SearchOptions {
  return {
    now: ctx.now(),
    zone: ctx.user.timezone ?? 'UTC',
    words: { current_user: ctx.user.login },
    root: ROOT,
    unlimited: (permission) => holdsForAll(ctx, permission),
  }
}

function holdsForAll({ user }: Context, permission: string): boolean {
  const unconditional = ({ search, organizations, locations }: Grant) => !search && !organizations && !locations
  return user.admin || (user.grants.get(permission) ?? []).some(unconditional)
}

/** What this caller searches by: nobody is found by links to records beyond the reach of who asks. */
export function searchedBy(ctx: Context, { searchSchema, registry }: Resource): SearchSchema {
  if (ctx.user.admin) return searchSchema
  const fields = searchSchema.fields.map((field) => {
    const target = registry.get(field.leadsTo?.resource ?? '')
    const conditions = target ? reach(ctx, target) : []
    if (!field.leadsTo || !target || conditions.length === 0) return field
    const seen = sql`(select t.id from ${sql.table(target.table)} t where ${where(conditions)})`
    const counting = (alias: string) => sql`${sql.ref(`${alias}.${field.leadsTo?.column}`)} in ${seen}`
    const tables = [target.table, ...(field.tables ?? []), ...conditions.flatMap((condition) => condition.tables)]
    return { ...field, counting, tables }
  })
  return { ...searchSchema, fields }
}

/** The condition of a `search` parameter. {@throws Failure} bad_search, with the sentence of the language. */
export function searching(ctx: Context, resource: Resource, search: string | null): Condition[] {
  if (search === null || search.trim() === '') return []
  const { condition, tables } = refusingBadSearch(() =>
    compileSearch(searchedBy(ctx, resource), search, searchOptions(ctx)),
  )
  return condition ? [{ sql: condition, tables }] : []
}

/** What to sort by: the `order` parameter, else the resource's default; the id decides between equals. */
export function ordering(ctx: Context, resource: Resource, order: string | null): Ordering {
  const compile = (schema: SearchSchema, wanted: string): Ordering => compileOrder(schema, wanted, searchOptions(ctx))
  if (order !== null && order.trim() !== '') return refusingBadSearch(() => compile(searchedBy(ctx, resource), order))
  const { searchSchema } = resource
  const known = defaultOrders.get(resource) ?? finishedOrder(compile(searchSchema, searchSchema.order ?? 'id'))
  defaultOrders.set(resource, known)
  return known
}

/** What a list is sorted by, as the search language says it. */
export type Ordering = Pick<CompiledOrder, 'order' | 'joined'>

function finishedOrder({ order, joined }: Ordering): Ordering {
  return {
    order: finished(order),
    ...(joined && { joined: { joins: finished(joined.joins), order: finished(joined.order) } }),
  }
}

// The declaration names a field, so that nothing of the request is in it.
const defaultOrders = new WeakMap<Resource, Ordering>()

/** Runs `work`; an error of the search language becomes the 400 that clients know (core-api §2.5). */
export function refusingBadSearch<Result>(work: () => Result): Result {
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
