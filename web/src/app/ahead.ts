import type { LoaderFunctionArgs } from 'react-router'
import { scopeOf } from '../api/scope.ts'
import { listQuery, resourceQuery } from '../resources/list/query.ts'
import { viewOf } from '../resources/list/view.ts'
import { whereOf } from '../resources/resources.ts'
import { queries } from './queries.ts'

/** Asks for what a list shows while its page is still on the way. Whatever becomes of it, the page asks again where it has to. */
export function askAhead({ params, request }: LoaderFunctionArgs): null {
  const where = whereOf(params)
  if (!where) return null
  const parameters = new URL(request.url).searchParams
  void queries.prefetchQuery(resourceQuery(where.resource.plural))
  void queries.prefetchQuery(listQuery(where.list, scopeOf(parameters), viewOf(parameters)))
  return null
}

/** Loads what the pages of lists are made of: for whoever is about to go to one. */
export function loadAhead(plural: string): void {
  void import('../resources/list/page.tsx')
  void queries.prefetchQuery(resourceQuery(plural))
}
