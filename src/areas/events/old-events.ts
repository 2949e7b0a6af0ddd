import { deleteInSteps } from '../../database/delete-in-steps.ts'
import type { Db } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Days for which the log of deliveries is kept. */
const DELIVERIES_DAYS = 30

/**
 * Deletes old deliveries, and notes of events as old as the audits that are deleted, in small statements; with 0 `days` all
 * notes stay. Yields how many.
 */
export async function deleteOldEvents(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const isOld = (column: string, kept: number) => sql`${sql.ref(column)} < now() - ${kept} * interval '1 day'`
  const deliveries = await deleteInSteps(db, 'webhook_deliveries', isOld('ended_at', DELIVERIES_DAYS), { signal })
  if (days === 0) return deliveries
  const parts = sql`select count(*) from event_order e where e.note_id = known.id`
  return deliveries + (await deleteInSteps(db, 'event_notes', isOld('created_at', days), { parts, signal }))
}
