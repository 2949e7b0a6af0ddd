import type { Database } from '../../../database/database.ts'
import { vacuumWhereDue } from '../../../database/vacuum.ts'
import type { Settings } from '../../../settings.ts'
import { deleteIdleSessions, type RefreshContext, refreshDirectories } from '../../access/index.ts'
import { deleteOldIdentities } from '../../registration/index.ts'
import { deleteOldReports } from '../../reports/index.ts'
import { deleteOldRuns } from '../../runs/index.ts'
import { deleteOldTasks } from '../../tasks/index.ts'
import { deleteOldAudits } from '../audit/old-audits.ts'
import type { Job } from './jobs.ts'

/** Declares all periodic work of the service. */
export function declareJobs(
  ctx: RefreshContext & { readonly settings: () => Settings; readonly kind: Database['kind'] },
): Job[] {
  return [
    {
      name: 'vacuum',
      schedule: { everyMinutes: 10, minutesLater: 3 },
      work: async (signal) => void (await vacuumWhereDue(ctx, signal)),
    },
    {
      name: 'delete_old_audits',
      schedule: { everyMinutes: 24 * 60, minutesLater: 3 * 60 + 47 },
      work: async (signal) => {
        const audits = await deleteOldAudits(ctx.db, ctx.settings().audits_keep, signal)
        if (audits > 0) ctx.log.info({ audits }, 'old audits deleted')
      },
    },
    {
      name: 'delete_idle_sessions',
      schedule: { everyMinutes: 60, minutesLater: 23 },
      work: async (signal) => {
        while (!signal.aborted && (await deleteIdleSessions(ctx.db, ctx.settings().idle_timeout)) > 0);
      },
    },
    {
      name: 'refresh_directories',
      schedule: { everyMinutes: 30, minutesLater: 0 },
      work: (signal) => refreshDirectories(ctx, signal),
    },
    {
      name: 'forget_old_registrations',
      schedule: { everyMinutes: 60, minutesLater: 47 },
      work: async (signal) => {
        const forgotten = await deleteOldIdentities(ctx.db, ctx.settings().identity_certificate_days, signal)
        if (forgotten > 0) ctx.log.info({ forgotten }, 'old registration tokens and identities forgotten')
      },
    },
    {
      name: 'delete_old_config_runs',
      schedule: { everyMinutes: 24 * 60, minutesLater: 3 * 60 + 17 },
      work: async (signal) => {
        const runs = await deleteOldRuns(ctx.db, ctx.settings().configrun_keep, signal)
        if (runs > 0) ctx.log.info({ runs }, 'old configuration runs deleted')
      },
    },
    {
      name: 'delete_old_config_reports',
      schedule: { everyMinutes: 24 * 60, minutesLater: 3 * 60 + 27 },
      work: async (signal) => {
        const reports = await deleteOldReports(ctx.db, ctx.settings().config_reports_keep, signal)
        if (reports > 0) ctx.log.info({ reports }, 'old configuration reports deleted')
      },
    },
    {
      name: 'delete_old_tasks',
      schedule: { everyMinutes: 24 * 60, minutesLater: 3 * 60 + 37 },
      work: async (signal) => {
        const tasks = await deleteOldTasks(ctx.db, ctx.settings().tasks_keep, signal)
        if (tasks > 0) ctx.log.info({ tasks }, 'old tasks deleted')
      },
    },
  ]
}
