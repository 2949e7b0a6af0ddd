import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { formatTime, t } from '../../words/words.ts'

const FRESH_MS = 30_000

/** Yields which directories, smart proxies and jobs work, as the service saw it; it asks none of them for this. */
export function useMachineStates() {
  const [parameters] = useSearchParams()
  return useQuery({
    queryKey: ['states', scopeOf(parameters)],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => (await api.GET('/api/states', { signal })).data,
  })
}

/** Says since when a machine does not work. */
export function wordOfSince(since: string): string {
  return t('machine.since', { time: formatTime(since) })
}
