import type { LoaderFunctionArgs } from 'react-router'
import { scopeOf } from '../api/scope.ts'
import { readCurrentSession } from '../api/session.ts'
import { buildPreferencesQuery, buildResourceQuery, listQuery } from '../resources/list/query.ts'
import { viewOf } from '../resources/list/view.ts'
import { type Where, whereOf } from '../resources/resources.ts'
import { queries } from './queries.ts'

/** The longest time, in milliseconds, for which a list is not shown because its rows are on their way. */
const MOST_WAITING = 100

/**
 * Requests the data of a list while its page is still loading. A list that follows another page is shown with its rows where
 * they come at once, because a page without them would be drawn in vain. A failure is ignored, because the page repeats the
 * request.
 */
export async function askAhead({ params, request }: LoaderFunctionArgs): Promise<null> {
  const where = whereOf(params)
  if (!where) return null
  const { pathname, searchParams } = new URL(request.url)
  const description = queries.prefetchQuery(buildResourceQuery(where.resource.plural))
  if (isRefused(where)) return null
  const asked = [description, queries.prefetchQuery(listQuery(where.list, scopeOf(searchParams), viewOf(searchParams)))]
  const session = readCurrentSession()
  if (session.kind === 'open') asked.push(queries.prefetchQuery(buildPreferencesQuery(session.caller.id)))
  const isFirstOrSame = location.pathname === pathname
  if (!isFirstOrSame) await Promise.race([Promise.all(asked), new Promise((end) => setTimeout(end, MOST_WAITING))])
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

/** Requests the first rows of a list in advance, for users who are opening it. */
export function askRowsAhead(plural: string): void {
  const where = whereOf({ resource: plural })
  const scope = scopeOf(new URLSearchParams(location.search))
  if (where) void queries.prefetchQuery(listQuery(where.list, scope, viewOf(new URLSearchParams())))
}
