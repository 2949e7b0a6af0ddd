import { refreshDirectories } from '../identity/background-refresh.ts'
import type { RefreshContext } from '../identity/group-refresh.ts'
import { deleteOldRuns } from '../runs/old-runs.ts'
import type { Settings } from '../settings.ts'
import type { Job } from './jobs.ts'

/** Everything the service does on its own. */
export function declaredJobs(ctx: RefreshContext & { readonly settings: () => Settings }): Job[] {
  return [
    {
      name: 'refresh_directories',
      schedule: '*/30 * * * *',
      work: (signal) => refreshDirectories(ctx, signal),
    },
    {
      name: 'delete_old_config_runs',
      schedule: '17 3 * * *',
      work: async (signal) => {
        const runs = await deleteOldRuns(ctx.db, ctx.settings().configrun_keep, signal)
        if (runs > 0) ctx.log.info({ runs }, 'old configuration runs deleted')
      },
    },
  ]
}
