import type { Context } from '../context.ts'
import { finished, type Sql } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { compileOrder, compileSearch, SearchError, type SearchOptions } from '../search/index.ts'
import { type Condition, ROOT } from './condition.ts'
import type { Resource } from './resource.ts'

/** How the search language reads a request of this caller: their clock, zone, and what `current_user` means. */
export function searchOptions(ctx: Context): SearchOptions {
  return {
    now: ctx.now(),
    zone: ctx.user.timezone ?? 'UTC',
    words: { current_user: ctx.user.login },
    root: ROOT,
  }
}

/** The condition of a `search` parameter. {@throws Failure} bad_search, with the sentence of the language. */
export function searching(ctx: Context, resource: Resource, search: string | null): Condition[] {
  if (search === null || search.trim() === '') return []
  const { condition, tables } = refusingBadSearch(() =>
    compileSearch(resource.searchSchema, search, searchOptions(ctx)),
  )
  return condition ? [{ sql: condition, tables }] : []
}

/** What to sort by: the `order` parameter, else the resource's default; the id decides between equals. */
export function ordering(ctx: Context, resource: Resource, order: string | null): Sql {
  const compile = (wanted: string) => compileOrder(resource.searchSchema, wanted, searchOptions(ctx)).order
  if (order !== null && order.trim() !== '') return refusingBadSearch(() => compile(order))
  const known = defaultOrders.get(resource) ?? finished(compile(resource.searchSchema.order ?? 'id'))
  defaultOrders.set(resource, known)
  return known
}

// The declaration names a field, so that nothing of the request is in it.
const defaultOrders = new WeakMap<Resource, Sql>()

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
