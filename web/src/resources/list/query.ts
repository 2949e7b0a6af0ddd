import { queryOptions } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import type { Scope } from '../../api/scope.ts'
import { type ApiRecord, loadResource, recordsOf } from '../resources.ts'
import type { ListView } from './view.ts'

interface Answer {
  readonly results: readonly ApiRecord[]
  readonly total: number
  readonly subtotal: number
}

/** The query for one page of a list at a path of the API. */
export function listQuery(list: string, scope: Scope, { search, order, page, perPage }: ListView) {
  return queryOptions({
    queryKey: ['list', list, scope, search, order, page, perPage],
    queryFn: async ({ signal }): Promise<Answer> => {
      const query = { search: search || undefined, order: order || undefined, page, per_page: perPage }
      const { body } = await sendRequest(list, { query, signal })
      return { ...body, results: recordsOf(body.results) }
    },
  })
}

/** The query for the full description of a resource, which never changes. */
export function buildResourceQuery(plural: string) {
  return queryOptions({
    queryKey: ['resource', plural],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => loadResource(plural),
  })
}

/** The columns that a user has chosen for a table. */
interface Preference {
  readonly id: number
  readonly name: string
  readonly columns: readonly string[]
}

/** The query for the columns that a user has chosen for tables; the page that changes them asks again. */
export function buildPreferencesQuery(user: number) {
  return queryOptions({
    queryKey: ['table preferences', user],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<readonly Preference[]> =>
      (await sendRequest(`/api/users/${user}/table_preferences`, { query: { per_page: 'all' } })).body.results,
  })
}
