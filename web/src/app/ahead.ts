import type { LoaderFunctionArgs } from 'react-router'
import { scopeOf } from '../api/scope.ts'
import { readCurrentSession } from '../api/session.ts'
import { buildResourceQuery, listQuery } from '../resources/list/query.ts'
import { viewOf } from '../resources/list/view.ts'
import { type Where, whereOf } from '../resources/resources.ts'
import { queries } from './queries.ts'

/**
 * Requests the data of a list while its page is still loading. A failure is ignored, because the page repeats the request.
 */
export function askAhead({ params, request }: LoaderFunctionArgs): null {
  const where = whereOf(params)
  if (!where) return null
  const parameters = new URL(request.url).searchParams
  void queries.prefetchQuery(buildResourceQuery(where.resource.plural))
  if (isRefused(where)) return null
  void queries.prefetchQuery(listQuery(where.list, scopeOf(parameters), viewOf(parameters)))
  return null
}

/**
 * Tells, while the caller is not known yet, whether they may not see the list: the shell says so, except for what belongs to
 * a user. Later requests that would be refused are not sent.
 */
function isRefused({ resource, parent }: Where): boolean {
  const isOfUser = parent !== null && resource.operations.list?.own === true
  return readCurrentSession().kind === 'unknown' && (isOfUser || document.querySelector('meta[name=refused]') !== null)
}

/** Loads the code of list pages in advance, for users who are about to open one. */
export function loadAhead(plural: string): void {
  void import('../resources/list/page.tsx')
  void queries.prefetchQuery(buildResourceQuery(plural))
}
