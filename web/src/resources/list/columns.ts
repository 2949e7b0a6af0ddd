import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { useCaller } from '../../api/session.ts'
import type { ResourceFull, ResourceShort } from '../description.ts'
import { defaultColumnsOf, findColumns } from './choosable.ts'
import { buildPreferencesQuery } from './query.ts'

/**
 * Yields the columns that the caller has chosen for this table, otherwise the most useful ones, and a function to choose
 * others.
 */
export function useColumns(resource: ResourceShort, full: ResourceFull) {
  const { id } = useCaller()
  const queries = useQueryClient()
  const path = `/api/users/${id}/table_preferences`
  const query = buildPreferencesQuery(id)
  const { data: preferences = [] } = useQuery(query)
  const preference = preferences.find(({ name }) => name === resource.plural)
  const chosen = findColumns(full, preference?.columns ?? [])
  const columns = chosen.length > 0 ? chosen : defaultColumnsOf(resource, full)

  async function choose(keys: readonly string[]): Promise<void> {
    const body = { table_preference: { name: resource.plural, columns: keys } }
    if (preference) await sendRequest(`${path}/${preference.id}`, { method: 'PUT', body })
    else await sendRequest(path, { method: 'POST', body })
    await queries.invalidateQueries({ queryKey: query.queryKey })
  }
  return { columns, choose }
}
