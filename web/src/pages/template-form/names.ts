import { useQuery } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { Names } from '../../editor/completion.ts'

/**
 * Loads the names that a template can use for a host, or for any where none is chosen, once they are wanted; null while they are
 * unknown. They are an aid: without them nothing is completed.
 */
export function useTemplateNames(host: number | null, isWanted: boolean): Names | null {
  const { data } = useQuery({
    queryKey: ['template names', host],
    enabled: may(useCaller(), ['view_hosts']) && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Names | null> => {
      const id = host ?? (await findAnyHost(signal))
      return id === null ? null : (await sendRequest(`/api/hosts/${id}/template_names`, { signal })).body
    },
  })
  return data ?? null
}

async function findAnyHost(signal: AbortSignal): Promise<number | null> {
  const { body } = await sendRequest('/api/hosts', { query: { per_page: 1 }, signal })
  return body.results[0]?.id ?? null
}
