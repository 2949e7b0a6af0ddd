import { refreshDirectories } from '../identity/background-refresh.ts'
import type { RefreshContext } from '../identity/group-refresh.ts'
import type { Job } from './jobs.ts'

/** Everything the service does on its own. */
export function declaredJobs(ctx: RefreshContext): Job[] {
  return [
    {
      name: 'refresh_directories',
      schedule: '*/30 * * * *',
      work: (signal) => refreshDirectories(ctx, signal),
    },
  ]
}
