import { refreshDirectories } from '../identity/background-refresh.ts'
import type { RefreshContext } from '../identity/group-refresh.ts'
import { forgetOld } from '../registration/tokens.ts'
import { deleteOldRuns } from '../runs/old-runs.ts'
import type { Settings } from '../settings.ts'
import { deleteOldTasks } from '../tasks/old-tasks.ts'
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
      name: 'forget_old_registrations',
      schedule: '47 * * * *',
      work: async () => {
        const forgotten = await forgetOld(ctx.db, ctx.settings().identity_certificate_days)
        if (forgotten > 0) ctx.log.info({ forgotten }, 'old registration tokens and identities forgotten')
      },
    },
    {
      name: 'delete_old_config_runs',
      schedule: '17 3 * * *',
      work: async (signal) => {
        const runs = await deleteOldRuns(ctx.db, ctx.settings().configrun_keep, signal)
        if (runs > 0) ctx.log.info({ runs }, 'old configuration runs deleted')
      },
    },
    {
      name: 'delete_old_tasks',
      schedule: '37 3 * * *',
      work: async (signal) => {
        const tasks = await deleteOldTasks(ctx.db, ctx.settings().tasks_keep, signal)
        if (tasks > 0) ctx.log.info({ tasks }, 'old tasks deleted')
      },
    },
  ]
}
