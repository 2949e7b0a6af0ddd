import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { LoadNames, Names } from '../../editor/completion.ts'

/**
 * Yields how the names are loaded that a template can use for a host, or for any where none is chosen. They are an aid: where they
 * cannot be loaded, nothing is completed.
 */
export function useLoadNames(host: number | null): LoadNames {
  const queries = useQueryClient()
  const canLoad = may(useCaller(), ['view_hosts'])
  return useCallback(async () => {
    if (!canLoad) return null
    const queryFn = async ({ signal }: { readonly signal: AbortSignal }): Promise<Names | null> => {
      const id = host ?? (await findAnyHost(signal))
      return id === null ? null : (await sendRequest(`/api/hosts/${id}/template_names`, { signal })).body
    }
    const staleTime = Number.POSITIVE_INFINITY
    return queries.fetchQuery({ queryKey: ['template names', host], staleTime, queryFn }).catch(() => null)
  }, [queries, host, canLoad])
}

async function findAnyHost(signal: AbortSignal): Promise<number | null> {
  const { body } = await sendRequest('/api/hosts', { query: { per_page: 1 }, signal })
  return body.results[0]?.id ?? null
}
