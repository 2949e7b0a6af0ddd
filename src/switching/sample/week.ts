import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import { SAMPLE } from '../journal.ts'
import type { Working } from '../working.ts'
import type { SampleHost } from './hosts.ts'

const DAYS = 7
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const REQUESTER = 'Sample data'

/** Uploads reports of the last week for the hosts of the sample that have none, and stores finished runs of some. */
export async function storeWeek({ ctx, routes }: Working, hosts: readonly SampleHost[], now: Date): Promise<void> {
  const upload = routes.get('config_reports.create')
  if (!upload) throw new Error('the service has no route to upload reports')
  const silent = await rows<{ id: number; name: string }>(
    ctx.db,
    sql`select h.id, h.name from hosts h
      join imported_records r on r.our_id = h.id and r.kind = 'host' and r.server = ${SAMPLE} and r.created
      where not exists (select from config_reports c where c.host_id = h.id)
        and not exists (select from config_runs c where c.host_id = h.id)`,
  )
  const ids = new Map(silent.map(({ id, name }) => [name, id]))
  const runs: Run[] = []
  for (const [place, { record }] of hosts.entries()) {
    const host = ids.get(record.name)
    if (host === undefined) continue
    if (place % 75 === 74) continue // has never reported
    const body = { config_report: buildReport(record.name, place, now) }
    await upload.handle(ctx, { params: {}, query: {}, body, headers: {}, reading: null })
    if (place % 9 === 4) runs.push(buildRun(host, record.name, { place, now }))
  }
  await copyReports(ctx, [...ids.values()])
  await storeRuns(ctx, runs)
}

/**
 * Gives each host reports for the days before its last one, in one statement: hosts that fail have failed for up to three days,
 * and on all other days a host has the report of another one.
 */
async function copyReports({ db }: Context, hosts: readonly number[]): Promise<void> {
  const columns = sql.join(
    [...COUNTERS, 'metrics', 'log_levels', 'log_sources', 'log_messages'].map((one) => sql.ref(one)),
  )
  await sql`
    with own as (select * from config_reports where host_id = any (${hosts}::bigint[])),
    good as (select *, row_number() over (order by id) - 1 as place, count(*) over () as others from own where failed = 0),
    copied as (
      select own.host_id, own.origin, own.reported_at - day * interval '1 day' as reported_at, own.id as own_id,
        own.failed > 0 and day < 1 + 2 * (own.id % 2) as fails, (own.id + day * 13) as number
      from own, generate_series(1, ${DAYS - 1}::integer) as day
      where own.reported_at - day * interval '1 day' > now() - ${DAYS}::integer * interval '1 day'
    )
    insert into config_reports (host_id, origin, reported_at, ${columns})
    select copied.host_id, copied.origin, copied.reported_at, ${columns} from copied
    join lateral (
      select ${columns} from own where copied.fails and own.id = copied.own_id
      union all select ${columns} from good where not copied.fails and good.place = copied.number % good.others
    ) source on true`.execute(db)
}

const COUNTERS = ['applied', 'restarted', 'failed', 'failed_restarts', 'skipped', 'pending']

interface Trouble {
  /** One of so many hosts has it. */
  readonly every: number
  readonly source: string
  readonly message: string
}

const TROUBLES: readonly Trouble[] = [
  {
    every: 43,
    source: '/Stage[main]/Monitoring/Service[agent]/ensure',
    message: 'change from stopped to running failed: Systemd start for agent failed',
  },
  {
    every: 61,
    source: '/Stage[main]/Ntp/Package[chrony]/ensure',
    message: 'change from absent to latest failed: the package manager answers 100',
  },
]

function buildReport(host: string, place: number, now: Date): object {
  const trouble = TROUBLES.find(({ every }) => place % every === every - 1)
  const applied = trouble || place % 11 !== 0 ? 0 : 1 + (place % 3)
  const pending = !trouble && place % 29 === 11 ? 2 : 0
  const ago = place % 50 === 49 ? 2 : 0 // has stopped to report
  const changes = Array.from({ length: applied }, (_none, at) =>
    buildLine(
      'notice',
      `/Stage[main]/Ssh/File[/etc/ssh/sshd_config.d/${at + 1}0-site.conf]/content`,
      'content changed',
    ),
  )
  const failures = trouble ? [buildLine('err', trouble.source, trouble.message)] : []
  return {
    host,
    reported_at: new Date(now.getTime() - ago * DAY_MS - (place % 25) * MINUTE_MS).toISOString(),
    status: {
      applied,
      restarted: applied > 1 ? 1 : 0,
      failed: trouble ? 1 : 0,
      failed_restarts: 0,
      skipped: 0,
      pending,
    },
    metrics: { resources: { total: 140 + (place % 40), changed: applied }, time: { total: 8 + (place % 17) } },
    logs: [...changes, ...failures, buildLine('notice', 'Agent', `Applied catalog in ${8 + (place % 17)}.2 seconds`)],
  }
}

function buildLine(level: string, source: string, message: string): object {
  return { log: { level, sources: { source }, messages: { message } } }
}

interface Run {
  readonly host: number
  readonly name: string
  readonly failed: boolean
  readonly finished: string
  readonly text: string
}

function buildRun(host: number, name: string, { place, now }: { readonly place: number; readonly now: Date }): Run {
  const failed = TROUBLES.some(({ every }) => place % every === every - 1) || place % 45 === 4
  const text = failed ? 'Error: the package manager answers 100\n' : 'Notice: Applied catalog in 9.4 seconds\n'
  return { host, name, failed, finished: new Date(now.getTime() - (place % 48) * 60 * MINUTE_MS).toISOString(), text }
}

/** Stores runs as they are once they have ended: no runner may start on a host that does not exist. */
async function storeRuns({ db }: Context, runs: readonly Run[]): Promise<void> {
  await sql`
    with run as (
      select * from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb)
        as run (host bigint, name text, failed boolean, finished timestamptz, text text)
    ),
    made as (
      insert into config_runs (host_id, host_name, requested_by, status, runner, attempt, attempts, exit_status, reason,
        message, output_size, created_at, started_at, finished_at)
      select host, name, ${REQUESTER}, case when failed then 'failed' else 'succeeded' end, 'ssh', 1, 1,
        case when failed then 1 else 0 end, case when failed then 'exit_status' end,
        case when failed then 'exited with status 1' end, octet_length(text),
        finished - interval '20 seconds', finished - interval '18 seconds', finished from run
      returning id, host_id
    )
    insert into config_run_output (config_run_id, number, stream, text)
    select made.id, 1, case when run.failed then 'stderr' else 'stdout' end, run.text
    from made join run on run.host = made.host_id`.execute(db)
}

/** Deletes the runs of the sample whose hosts are gone. */
export async function deleteRuns({ db }: Context): Promise<void> {
  await sql`delete from config_runs where requested_by = ${REQUESTER} and user_id is null and host_id is null`.execute(
    db,
  )
}
