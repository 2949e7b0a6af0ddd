import { deleteInSteps } from '../../database/delete-in-steps.ts'
import type { Db } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Uses of texts are stored by day, and days end at different times. */
const SPARE_DAYS = 2

/**
 * Deletes reports older than `days` days, and texts without reports. Yields the number of reports. It can be
 * interrupted at any time: texts are deleted after all old reports.
 */
export async function deleteOldReports(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const old = sql`created_at < now() - make_interval(days => ${days}::integer)`
  const reports = await deleteInSteps(db, 'config_reports', old, { signal })
  await deleteInSteps(db, 'report_texts', sql`used_on < current_date - ${days + SPARE_DAYS}::integer`, { signal })
  return reports
}
