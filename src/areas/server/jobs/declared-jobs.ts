import type { Logger } from 'pino'
import type { ArchiveRows } from '../../../database/archive-rows.ts'
import type { Settings } from '../../../settings/settings.ts'
import {
  deleteIdleSessions,
  deleteOldLoginRequests,
  deleteOldLogins,
  type RefreshContext,
  refreshDirectories,
} from '../../access/index.ts'
import { deleteOldReportJobs } from '../../provisioning/index.ts'
import { deleteOldIdentities } from '../../registration/index.ts'
import { deleteOldReports } from '../../reports/index.ts'
import { deleteOldRuns } from '../../runs/index.ts'
import { deleteOldTasks } from '../../tasks/index.ts'
import { deleteOldAudits } from '../audit/old-audits.ts'
import type { Job } from './jobs.ts'

/** The data for all periodic work; audits are archived before they are deleted, where that is wanted. */
interface JobContext extends RefreshContext {
  readonly settings: () => Settings
  readonly archiveAudits: ArchiveRows | undefined
}

/** Declares all periodic work of the service. */
export function declareJobs(ctx: JobContext): Job[] {
  return [
    buildNightlyDeletion(ctx.log, {
      name: 'delete_old_audits',
      minutesLater: 47,
      counted: 'audits',
      event: 'old audits deleted',
      work: (signal) => deleteOldAudits(ctx.db, ctx.settings().audits_keep, { signal, archive: ctx.archiveAudits }),
    }),
    buildNightlyDeletion(ctx.log, {
      name: 'delete_old_logins',
      minutesLater: 51,
      counted: 'logins',
      event: 'old logins deleted',
      work: (signal) => deleteOldLogins(ctx.db, ctx.settings().login_events_keep, signal),
    }),
    {
      name: 'delete_idle_sessions',
      schedule: { everyMinutes: 60, minutesLater: 23 },
      work: async (signal) => {
        while (!signal.aborted && (await deleteIdleSessions(ctx.db, ctx.settings().idle_timeout)) > 0);
        await deleteOldLoginRequests(ctx.db, signal)
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
    buildNightlyDeletion(ctx.log, {
      name: 'delete_old_report_jobs',
      minutesLater: 57,
      counted: 'reports',
      event: 'old reports that were asked for deleted',
      work: (signal) => deleteOldReportJobs(ctx.db, signal),
    }),
    buildNightlyDeletion(ctx.log, {
      name: 'delete_old_config_runs',
      minutesLater: 17,
      counted: 'runs',
      event: 'old configuration runs deleted',
      work: (signal) => deleteOldRuns(ctx.db, ctx.settings().configrun_keep, signal),
    }),
    buildNightlyDeletion(ctx.log, {
      name: 'delete_old_config_reports',
      minutesLater: 27,
      counted: 'reports',
      event: 'old configuration reports deleted',
      work: (signal) => deleteOldReports(ctx.db, ctx.settings().config_reports_keep, signal),
    }),
    buildNightlyDeletion(ctx.log, {
      name: 'delete_old_tasks',
      minutesLater: 37,
      counted: 'tasks',
      event: 'old tasks deleted',
      work: (signal) => deleteOldTasks(ctx.db, ctx.settings().tasks_keep, signal),
    }),
  ]
}

interface Deletion {
  readonly name: string
  /** Minutes after three in the night. */
  readonly minutesLater: number
  /** What the log calls the number of deleted rows. */
  readonly counted: string
  readonly event: string
  readonly work: (signal: AbortSignal) => Promise<number>
}

/** Declares a job that deletes old rows each night, and says how many where there were any. */
function buildNightlyDeletion(log: Logger, { name, minutesLater, counted, event, work }: Deletion): Job {
  return {
    name,
    schedule: { everyMinutes: 24 * 60, minutesLater: 3 * 60 + minutesLater },
    work: async (signal) => {
      const deleted = await work(signal)
      if (deleted > 0) log.info({ [counted]: deleted }, event)
    },
  }
}
