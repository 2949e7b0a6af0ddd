import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { useCaller } from '../../api/session.ts'
import type { Column, ResourceFull, ResourceShort } from '../description.ts'
import { buildPreferencesQuery } from './query.ts'

const MOST_AT_FIRST = 7

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
  const known = new Map(full.columns.map((column) => [column.key, column]))
  const chosen = preference?.columns.flatMap((key) => known.get(key) ?? []) ?? []
  const columns = chosen.length > 0 ? chosen : defaultColumnsOf(resource, full)

  async function choose(keys: readonly string[]): Promise<void> {
    const body = { table_preference: { name: resource.plural, columns: keys } }
    if (preference) await sendRequest(`${path}/${preference.id}`, { method: 'PUT', body })
    else await sendRequest(path, { method: 'POST', body })
    await queries.invalidateQueries({ queryKey: query.queryKey })
  }
  return { columns, choose }
}

/** Yields the default columns: the label, then links, then the rest, and the time of the last change. */
export function defaultColumnsOf({ label }: ResourceShort, { columns }: ResourceFull): readonly Column[] {
  const isPlain = ({ key, kind }: Column) => !/(?:^|_)id$|^ancestry$|^inherited_|_ids$/.test(key) && kind !== 'any'
  const weightOf = ({ key, kind, target }: Column) => {
    if (key === label) return 0
    if (/^(?:created_at|updated_at)$/.test(key)) return key === 'updated_at' ? 8 : 9
    if (label === 'title' && key === 'name') return 10
    if (/^(?:description|comment|status|state|type|family|network)$/.test(key)) return 2
    if (target !== undefined && kind === 'text') return 3
    return { text: 4, boolean: 5, integer: 4, number: 4, time: 6, object: 7, records: 7, values: 6, any: 9 }[kind]
  }
  const ranked = columns
    .filter((column) => isPlain(column) || column.key === label)
    .toSorted((a, b) => weightOf(a) - weightOf(b))
  return ranked.slice(0, MOST_AT_FIRST)
}
