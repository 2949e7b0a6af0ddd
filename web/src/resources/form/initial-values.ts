import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import type { FormField } from '../description.ts'
import type { ApiRecord, Where } from '../resources.ts'

/**
 * Finds the records that a new one begins with: for content the chosen organization, or the only one, and for a user the source
 * whose passwords are stored here.
 */
export function useInitialValues(
  { resource }: Where,
  fields: readonly FormField[],
): UseQueryResult<ApiRecord> & { readonly isNeeded: boolean } {
  const [parameters] = useSearchParams()
  const caller = useCaller()
  const { organization } = scopeOf(parameters)
  const has = (key: string) => fields.some((field) => field.key === key)
  const isContent = resource.surface === 'content' && has('organization_id') && may(caller, ['view_organizations'])
  const isUser = resource.plural === 'users' && has('auth_source_id') && may(caller, ['view_authenticators'])
  const isNeeded = isContent || isUser
  const answer = useQuery({
    queryKey: ['begin a new record', isUser, organization],
    enabled: isNeeded,
    queryFn: async ({ signal }): Promise<ApiRecord> => {
      if (isUser) {
        const { body } = await sendRequest('/api/auth_source_internals', { query: { per_page: 1 }, signal })
        const [source]: readonly ApiRecord[] = body.results
        return source ? { auth_source_id: source.id, auth_source_name: source.name } : {}
      }
      const search = organization === null ? '' : `id = ${organization}`
      const { body } = await sendRequest('/api/organizations', { query: { search, per_page: 2 }, signal })
      const [only]: readonly ApiRecord[] = body.results
      return body.subtotal === 1 ? { organization_id: only?.id, organization_name: only?.title } : {}
    },
  })
  return { ...answer, isNeeded }
}
