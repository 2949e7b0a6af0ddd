import { hash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { COUNTERS } from '../counters.ts'
import type { LogLine, SentReport } from './read-report.ts'

/**
 * Stores a report of a host, and the host's state unless a newer report has set it. One statement; two more for new
 * texts, of which most are known (docs/decisions/0026-config-reports.md). Yields its id.
 */
export async function storeReport(ctx: Context, host: number, report: SentReport): Promise<number> {
  const { lines, reportedAt, origin, counts } = report
  await storeTexts(ctx, lines)
  const counted = sql.join(COUNTERS.map((name) => sql`${counts[name]}::integer`))
  const names = sql.join(COUNTERS.map((name) => sql.ref(name)))
  const made = await row<{ id: number }>(
    ctx.db,
    sql`
      with state as (
        insert into configuration_statuses as s (host_id, origin, reported_at, ${names})
        values (${host}, ${origin}, ${reportedAt}::timestamptz, ${counted})
        on conflict (host_id) do update set origin = excluded.origin, reported_at = excluded.reported_at,
          ${sql.join(COUNTERS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
        where s.reported_at <= excluded.reported_at
      ),
      seen as (
        update hosts set last_report = ${reportedAt}::timestamptz
        where id = ${host} and (last_report is null or last_report < ${reportedAt}::timestamptz)
      )
      insert into config_reports (host_id, origin, reported_at, ${names}, metrics, log_levels, log_sources, log_messages)
      select ${host}::bigint, ${origin}::text, ${reportedAt}::timestamptz, ${counted}, ${JSON.stringify(report.metrics)}::jsonb,
        ${lines.map(({ level }) => level)}::smallint[], ${idsOf(lines.map(({ source }) => source))}, ${idsOf(lines.map(({ message }) => message))}
      returning id`,
  )
  if (!made) throw new Error('a report that was inserted has no id')
  return made.id
}

/** Selects the ids of stored texts, in order. */
function idsOf(texts: readonly string[]) {
  return sql`array(select x.id from unnest(${texts.map(computeDigest)}::bytea[]) with ordinality as u (digest, place)
    join report_texts x on x.digest = u.digest order by u.place)`
}

/** Stores texts and that they were used today; texts already used today cost nothing. */
async function storeTexts(ctx: Context, lines: readonly LogLine[]): Promise<void> {
  const texts = new Map(lines.flatMap(({ source, message }) => [source, message]).map((text) => [toHex(text), text]))
  if (texts.size === 0) return
  const known = await rows<{ digest: string }>(
    ctx.db,
    sql`select encode(digest, 'hex') as digest from report_texts
      where digest = any (${[...texts.values()].map(computeDigest)}::bytea[]) and used_on = current_date`,
  )
  for (const { digest: known_digest } of known) texts.delete(known_digest)
  if (texts.size === 0) return
  const missing = [...texts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  // In a fixed order, so that reports with equal texts wait for each other instead of deadlocking.
  await rows(
    ctx.db,
    sql`insert into report_texts (digest, value)
      select digest, value from unnest(${missing.map(computeDigest)}::bytea[], ${missing}::text[]) as s (digest, value) order by digest
      on conflict (digest) do update set used_on = excluded.used_on`,
  )
}

function computeDigest(text: string): Buffer {
  return Buffer.from(toHex(text), 'hex')
}

function toHex(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}
