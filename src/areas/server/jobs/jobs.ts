import type { Logger } from 'pino'
import type { Database } from '../../../database/database.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { withSpan } from '../../../tracing/tracing.ts'
import { computeNextDue, type Schedule } from './schedule.ts'

/** Periodic work that no request causes. */
export interface Job {
  readonly name: string
  readonly schedule: Schedule
  /**
   * The work. It may be interrupted, and is then executed again. The signal asks it to stop because the process ends.
   */
  readonly work: (signal: AbortSignal) => Promise<void>
}

/** The result of a job's last execution. */
export interface JobResult {
  readonly name: string
  readonly failed: boolean
  /** Seconds since 1970. */
  readonly endedAt: number
}

/** The last result of every job that has ended at least once, in any process. */
export function listJobResults(db: Db): Promise<JobResult[]> {
  return rows<JobResult>(
    db,
    sql`select name, failed, extract(epoch from ended_at)::float8 as "endedAt" from timed_jobs
      where ended_at is not null and failed is not null order by name`,
  )
}

/** The jobs of one process. Processes on one database share them: each job is executed by one process at a time. */
export interface Jobs extends AsyncDisposable {
  /** Makes the job due at once; false when it is waiting or running already. {@throws} when the database is away */
  run(name: string): Promise<boolean>
}

const LOOK_MS = 30_000
/** After this time a job of a process that died can be claimed by another. */
const LONGEST = sql`interval '20 minutes'`
const STOP_MS = 1000

/**
 * Starts the periodic jobs (docs/decisions/0007-jobs.md): at once, and then every half minute, it looks for those that
 * are due. Errors of the database are logged and tried again.
 */
export function openJobs(database: Database, jobs: readonly Job[], log: Logger, lookMs = LOOK_MS): Jobs {
  const { db } = database
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let looking: Promise<void> = look()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, lookMs).unref()
  return {
    async run(name) {
      await looking
      if (closing.signal.aborted) return false
      // One second ago: rounded to the column's milliseconds, now might be later than `now()` in the claim below.
      const asked = await row(
        db,
        sql`update timed_jobs set due_at = now() - interval '1 second'
          where name = ${name} and due_at > now() and (running_until is null or running_until < now()) returning name`,
      )
      if (asked) await look()
      return asked !== undefined
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      closing.abort()
      await looking
      await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
    },
  }

  /** Begins the jobs that are due and that no other process has claimed. */
  async function look(): Promise<void> {
    try {
      for (const job of jobs) {
        if (closing.signal.aborted) return
        if (!(await claim(job))) continue
        const work = perform(job)
        running.add(work)
        void work.finally(() => running.delete(work))
      }
    } catch (err) {
      log.error({ err }, 'jobs could not be looked at')
    }
  }

  /** Claims a job. A lease further ahead than any job takes was stored by a wrong clock, and is ignored. */
  async function claim({ name, schedule }: Job): Promise<boolean> {
    const period = sql`make_interval(mins => ${schedule.everyMinutes})`
    const due = computeNextDue(schedule, new Date()).toISOString()
    const claimed = await row(
      db,
      sql`
        with known as (
          insert into timed_jobs (name, due_at) values (${name}, ${due}::timestamptz) on conflict do nothing
        )
        update timed_jobs
        set due_at = ${due}::timestamptz, began_at = now(), running_until = now() + ${LONGEST}
        where name = ${name} and (due_at <= now() or due_at > ${due}::timestamptz + ${period})
          and (running_until is null or running_until < now() or running_until > now() + 2 * ${LONGEST})
        returning name`,
    )
    return claimed !== undefined
  }

  async function perform({ name, work }: Job): Promise<void> {
    const start = performance.now()
    const failed = await withSpan(
      () => ({ name: `job ${name}`, kind: 'works' }),
      () => work(closing.signal),
    ).then(
      () => false,
      (err: unknown) => {
        log.error({ err, job: name }, 'job failed')
        return true
      },
    )
    if (!failed) log.info({ job: name, milliseconds: Math.round(performance.now() - start) }, 'job done')
    await rows(
      db,
      sql`update timed_jobs set running_until = null, ended_at = now(), failed = ${failed} where name = ${name}`,
    ).catch((err: unknown) => log.error({ err, job: name }, 'the end of a job could not be stored'))
  }
}
