import type { LoaderFunctionArgs } from 'react-router'
import { scopeOf } from '../api/scope.ts'
import { buildResourceQuery, listQuery } from '../resources/list/query.ts'
import { viewOf } from '../resources/list/view.ts'
import { whereOf } from '../resources/resources.ts'
import { queries } from './queries.ts'

/**
 * Requests the data of a list while its page is still loading. A failure is ignored, because the page repeats the request.
 */
export function askAhead({ params, request }: LoaderFunctionArgs): null {
  const where = whereOf(params)
  if (!where) return null
  const parameters = new URL(request.url).searchParams
  void queries.prefetchQuery(buildResourceQuery(where.resource.plural))
  void queries.prefetchQuery(listQuery(where.list, scopeOf(parameters), viewOf(parameters)))
  return null
}

/** Loads the code of list pages in advance, for users who are about to open one. */
export function loadAhead(plural: string): void {
  void import('../resources/list/page.tsx')
  void queries.prefetchQuery(buildResourceQuery(plural))
}
