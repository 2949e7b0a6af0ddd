import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import type { FormField } from '../description.ts'
import type { ApiRecord, Where } from '../resources.ts'

/** Finds the organization that a new record of content begins with: the chosen one, or the only one. */
export function useOrganization(
  { resource }: Where,
  fields: readonly FormField[],
): UseQueryResult<ApiRecord> & { readonly isNeeded: boolean } {
  const [parameters] = useSearchParams()
  const { organization } = scopeOf(parameters)
  const isAsked = resource.surface === 'content' && fields.some(({ key }) => key === 'organization_id')
  const isNeeded = may(useCaller(), ['view_organizations']) && isAsked
  const answer = useQuery({
    queryKey: ['organization of a new record', organization],
    enabled: isNeeded,
    queryFn: async ({ signal }): Promise<ApiRecord> => {
      const search = organization === null ? '' : `id = ${organization}`
      const { body } = await sendRequest('/api/organizations', { query: { search, per_page: 2 }, signal })
      const [only]: readonly ApiRecord[] = body.results
      return body.subtotal === 1 ? { organization_id: only?.id, organization_name: only?.title } : {}
    },
  })
  return { ...answer, isNeeded }
}
