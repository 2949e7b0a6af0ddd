import { refuseBadSearch } from '../kernel/index.ts'
import { isMembers } from '../lib/values.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { parseSearch, printSearch } from '../search/index.ts'

/**
 * Answers with those records of a list that match `within` as well as the search of the request; clients see them as the
 * whole list.
 */
export async function answerNarrowed(
  list: Route,
  ctx: Parameters<Route['handle']>[0],
  input: Input,
  within: string,
): Promise<Answer> {
  const { search } = input.query
  const narrowed = joinSearches(search, within)
  const answer = await list.handle(ctx, { ...input, query: { ...input.query, search: narrowed } })
  if (!isMembers(answer.body)) return answer
  return { ...answer, body: { ...answer.body, total: answer.body.subtotal, search: search ?? null } }
}

/** Joins two searches with `and`. {@throws Failure} bad_search when the sent one is malformed by itself */
export function joinSearches(sent: unknown, within: string): string {
  const asked = typeof sent === 'string' ? refuseBadSearch(() => printSearch(parseSearch(sent))) : ''
  return asked === '' ? within : `(${asked}) and ${within}`
}

/** Presents a few records as the only page of a list. */
export function presentWhole(results: readonly unknown[]) {
  const counts = { total: results.length, subtotal: results.length, page: 1, per_page: results.length || 20 }
  return { ...counts, search: null, sort: { by: null, order: null }, results }
}

/** The input of a request without parameters and body. */
export const NOTHING: Input = { params: {}, query: {}, body: {} }
