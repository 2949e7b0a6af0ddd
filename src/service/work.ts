import { deleteOldEvents, type EventTiming, openEventWork } from '../areas/events/index.ts'
import { listTaskHandlers } from '../areas/index.ts'
import { httpProxyOf } from '../areas/proxies/index.ts'
import { openRunWorkers, type Timing } from '../areas/runs/index.ts'
import { declareJobs, type Job } from '../areas/server/index.ts'
import { createTaskContext, openTaskWorkers, type TaskWorkerOptions } from '../areas/tasks/index.ts'
import type { Config } from '../config/config.ts'
import { createArchive } from '../database/archive-rows.ts'
import { foldChanges } from '../database/fold-changes.ts'
import type { Shared } from '../http/shared.ts'
import { loggerOf } from '../log.ts'
import { sealOlder } from '../operator/seal-older.ts'
import type { Workers } from '../queue/workers.ts'
import { createBackupJob } from './admin-socket.ts'

/** Options of task workers, for tests that need others than the defaults. */
export type TaskOptions = Partial<Pick<TaskWorkerOptions, 'kinds' | 'timing'>>

/** What the process does beside answering requests. */
export interface Work {
  /** The periodic work of this process. */
  readonly jobs: readonly Job[]
  readonly startRunWorkers: (timing?: Partial<Timing>) => Promise<Workers>
  readonly startTaskWorkers: (options?: TaskOptions) => Promise<Workers>
  /** Starts to give events their numbers, and to send them to webhooks. */
  readonly startEvents: (timing?: EventTiming) => Promise<Workers>
}

interface WorkOptions {
  readonly shared: Shared
  readonly config: Config
  readonly actor: Parameters<typeof createTaskContext>[0]['actor']
}

/** Creates the work of the process; its workers are started later. */
export function createWork({ shared, config, actor }: WorkOptions): Work {
  const { database, encryption, directories, proxies, settings, log, registry } = shared
  const { db } = database
  const archiveOf = (table: string) =>
    config.auditArchive === null ? undefined : createArchive(config.auditArchive, table)
  const contextFor = createTaskContext({ ...shared, db, actor })
  return {
    jobs: [
      ...declareJobs({
        db,
        encryption,
        directories,
        log: loggerOf(log, 'jobs'),
        settings,
        archiveAudits: archiveOf('audits'),
      }),
      {
        name: 'delete_old_events',
        schedule: { everyMinutes: 24 * 60, minutesLater: 3 * 60 + 52 },
        work: async (signal) => {
          const { audits_keep: events, tasks_keep: deliveries } = settings()
          await deleteOldEvents(db, { events, deliveries }, { signal, archive: archiveOf('event_notes') })
        },
      },
      {
        name: 'encrypt_hidden_values',
        schedule: { everyMinutes: 60, minutesLater: 7 },
        work: async (signal) => {
          const encrypted = await sealOlder({ db, encryption }, signal)
          if (encrypted > 0) log.info({ encrypted }, 'hidden values and root passwords of an earlier version encrypted')
        },
      },
      ...(config.backupDirectory === null ? [] : [createBackupJob({ database, config, log })]),
    ],
    startRunWorkers: (timing = {}) =>
      openRunWorkers({
        database,
        log: loggerOf(log, 'runs'),
        actor,
        settings: () => ({
          encryption,
          commands: proxies.commands,
          contacts: proxies.contacts,
          tls: proxies.tls,
          proxyTimeoutMs: settings().proxy_request_timeout * 1000,
          through: httpProxyOf(settings()),
        }),
        most: config.runWorkers,
        graceMs: config.shutdownTimeoutMs / 4,
        afterwards: () => foldChanges(db),
        timing,
      }),
    startTaskWorkers: ({ kinds = listTaskHandlers(registry), timing = {} } = {}) =>
      openTaskWorkers({
        database,
        log: loggerOf(log, 'tasks'),
        kinds,
        contextFor,
        afterwards: () => foldChanges(db),
        timing,
      }),
    startEvents: (timing = {}) =>
      openEventWork({
        database,
        registry,
        encryption,
        log: loggerOf(log, 'events'),
        contextOf: (user) => contextFor({ uuid: 'webhook', user, organization: null }),
        through: () => httpProxyOf(settings()),
        allowed: config.webhookAllow,
        version: shared.version,
        timing,
      }),
  }
}
