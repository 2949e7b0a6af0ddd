import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Db as BossDatabase, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../database/connect.ts'
import { type Tally, tallyStatements } from '../database/statements.ts'

/** Work that is done again and again, whatever requests there are. */
export interface Job {
  readonly name: string
  /** When, as a cron expression in UTC. */
  readonly schedule: string
  /** Must be able to run again after it was interrupted. The signal asks it to stop because the process ends. */
  readonly work: (signal: AbortSignal) => Promise<void>
}

/** The jobs of one process; all processes on a database share them, and one job runs in one of them at a time. */
export interface Jobs extends AsyncDisposable {
  /** Has the job run soon, unless it is waiting or running already; false then. {@throws} when the database is away */
  run(name: string): Promise<boolean>
}

/** Making the tables keeps the embedded database busy just when the first requests come. */
const DELAY_MS = 3000
const RETRY_MS = 30_000
/** A process that died in the middle of a job holds it up for so long. */
const LONGEST_SECONDS = 20 * 60
const STOP_MS = 1000

/**
 * Begins to work on jobs (docs/decisions/0007-jobs.md). Returns at once: their tables are made a little later, and tried
 * again while the database is away, so that the service does not wait for its jobs. What goes wrong is logged.
 */
export function openJobs(database: Database, jobs: readonly Job[], log: Logger, delayMs = DELAY_MS): Jobs {
  const closing = new AbortController()
  const opening = open()
  return {
    async run(name) {
      const opened = await opening
      if (!opened || (await opened.boss.send(name, {})) === null) return false
      opened.boss.notifyWorker(opened.workers.get(name) ?? '')
      return true
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      const opened = await opening
      await opened?.boss.stop({ timeout: STOP_MS }).catch((err) => log.warn({ err }, 'jobs could not be stopped'))
    },
  }

  /** Null when the end came first. */
  async function open(): Promise<Opened | null> {
    await pause(delayMs)
    while (!closing.signal.aborted) {
      try {
        return await started(database, jobs, log, closing.signal)
      } catch (err) {
        log.error({ err }, 'jobs could not be started')
        await pause(RETRY_MS)
      }
    }
    return null
  }

  async function pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
  }
}

interface Opened {
  readonly boss: PgBoss
  /** By the name of the job. */
  readonly workers: ReadonlyMap<string, string>
}

async function started(database: Database, jobs: readonly Job[], log: Logger, closing: AbortSignal): Promise<Opened> {
  // Loaded late, because it takes longer than everything else at start.
  const library = await import('pg-boss')
  const boss = new library.PgBoss({
    db: sharing(database),
    backend: database.kind === 'pglite' ? 'pglite' : 'postgres',
    schema: 'jobs',
    ...QUIET,
  })
  boss.on('error', (err) => log.error({ err }, 'jobs'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  const workers = new Map<string, string>()
  try {
    await tallyStatements(SLOW, () => boss.start())
    for (const job of jobs) workers.set(job.name, await declare(boss, job, log, closing))
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
  return { boss, workers }
}

/** Making tables takes long, once. */
const SLOW: Tally = { count: 0, milliseconds: 0, mayBeSlow: true }

/** As few statements as it can do with: the embedded database runs one at a time, and an idle service should be idle. */
const QUIET = {
  cronMonitorIntervalSeconds: 45,
  cronWorkerIntervalSeconds: 45,
  flowIntervalSeconds: 3600,
  bamIntervalSeconds: 3600,
  queueCacheIntervalSeconds: 3600,
  monitorVacuum: false,
  reindex: false,
} as const
const POLLING_SECONDS = 15

/** Returns the id of the worker. */
async function declare(
  boss: PgBoss,
  { name, schedule, work }: Job,
  log: Logger,
  closing: AbortSignal,
): Promise<string> {
  const limits = { expireInSeconds: LONGEST_SECONDS, retryLimit: 0, deleteAfterSeconds: 24 * 3600 }
  await boss.createQueue(name, { policy: 'exclusive', ...limits })
  await boss.schedule(name, schedule)
  return boss.work(name, { pollingIntervalSeconds: POLLING_SECONDS }, async ([job]) => {
    const start = performance.now()
    const signal = job ? AbortSignal.any([job.signal, closing]) : closing
    try {
      await work(signal)
      log.info({ job: name, milliseconds: Math.round(performance.now() - start) }, 'job done')
    } catch (err) {
      log.error({ err, job: name }, 'job failed')
      throw err
    }
  })
}

/**
 * The library's statements over our own handle, with our limits. It gets the rows of the last of several statements, which
 * all but its statistics live with. A block that fails must not leave its connection inside a broken transaction.
 */
function sharing({ db }: Database): BossDatabase {
  return {
    executeSql: (text, values = []) =>
      db.connection().execute(async (connection) => {
        try {
          const { rows } = await connection.executeQuery(CompiledQuery.raw(text, [...values]))
          return { rows }
        } catch (error) {
          await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
          throw error
        }
      }),
  }
}
