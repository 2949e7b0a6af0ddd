import { sql } from 'kysely'
import { type Db, rows } from '../../database/sql.ts'

/** Rows deleted by one statement, to keep statements short. */
const BATCH = 1000

/** Uses of texts are stored by day, and days end at different times. */
const SPARE_DAYS = 2

/**
 * Deletes reports older than `days` days, and texts without reports. Yields the number of reports. It can be
 * interrupted at any time: texts are deleted after all old reports.
 */
export async function deleteOldReports(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const inBatches = async (statement: Parameters<typeof rows>[1]) => {
    let deleted = 0
    for (let some = BATCH; some === BATCH && !signal.aborted; deleted += some) some = (await rows(db, statement)).length
    return deleted
  }
  const reports = await inBatches(
    sql`delete from config_reports where id in (
      select id from config_reports where created_at < now() - make_interval(days => ${days}::integer) limit ${BATCH} for update skip locked) returning id`,
  )
  if (signal.aborted) return reports
  await inBatches(
    sql`delete from report_texts where id in (
      select id from report_texts where used_on < current_date - ${days + SPARE_DAYS}::integer limit ${BATCH} for update skip locked) returning id`,
  )
  return reports
}
