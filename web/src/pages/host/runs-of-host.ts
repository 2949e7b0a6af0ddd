import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { Host } from './host.ts'

const SHOWN = '20'

/** Loads the last runs on a host that were started by this service; nothing where the caller may not see them. */
export function useRuns({ id }: Host) {
  return useQuery({
    queryKey: ['host', 'config_runs', id],
    enabled: may(useCaller(), ['view_config_runs']),
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/hosts/{host_id}/config_runs', {
          params: { path: { host_id: String(id) }, query: { per_page: SHOWN } },
          signal,
        })
      ).data,
  })
}

/** Loads the last reports of the agent of a host; nothing where the caller may not see them. */
export function useReports({ id }: Host) {
  return useQuery({
    queryKey: ['host', 'config_reports', id],
    enabled: may(useCaller(), ['view_config_reports']),
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/hosts/{host_id}/config_reports', {
          params: { path: { host_id: String(id) }, query: { per_page: SHOWN } },
          signal,
        })
      ).data,
  })
}

interface Counted {
  readonly failed: number
  readonly failed_restarts: number
}

/** Counts the resources that a report could not change. */
export function countFailed({ failed, failed_restarts }: Counted): number {
  return failed + failed_restarts
}
