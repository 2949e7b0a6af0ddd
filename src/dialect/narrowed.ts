import type { Answer, Input, Route } from '../kernel/route.ts'
import { refuseBadSearch } from '../kernel/searching.ts'
import { parseSearch, printSearch } from '../search/index.ts'
import { isMembers } from '../values.ts'

/** Answers with the part of a list that a search finds beside what the request searches for: all that there is, to clients. */
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

/** Finds what both do. {@throws Failure} bad_search for one that cannot be understood, alone as little as beside another */
export function joinSearches(sent: unknown, within: string): string {
  const asked = typeof sent === 'string' ? refuseBadSearch(() => printSearch(parseSearch(sent))) : ''
  return asked === '' ? within : `(${asked}) and ${within}`
}

/** Records of which there are few, as the only page of a list. */
export function presentWhole(results: readonly unknown[]) {
  const counts = { total: results.length, subtotal: results.length, page: 1, per_page: results.length || 20 }
  return { ...counts, search: null, sort: { by: null, order: null }, results }
}

export const NOTHING: Input = { params: {}, query: {}, body: {} }
