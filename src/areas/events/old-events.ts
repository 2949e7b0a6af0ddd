import { deleteInSteps, type Steps } from '../../database/delete-in-steps.ts'
import type { Db } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** The days for which events and deliveries of webhooks are kept; 0: for ever. */
export interface KeptDays {
  readonly events: number
  readonly deliveries: number
}

/**
 * Deletes notes of events, archived where that is wanted, and deliveries that have ended, in small statements. Audits, the other
 * events, have a job of their own. Yields how many.
 */
export async function deleteOldEvents(
  db: Db,
  { events, deliveries }: KeptDays,
  { signal, archive }: Pick<Steps, 'signal' | 'archive'>,
): Promise<number> {
  const parts = sql`select count(*) from event_order e where e.note_id = known.id`
  const isOld = (column: string, days: number) => sql`${sql.ref(column)} < now() - ${days} * interval '1 day'`
  const notes =
    events === 0 ? 0 : await deleteInSteps(db, 'event_notes', isOld('created_at', events), { parts, signal, archive })
  if (deliveries === 0) return notes
  return notes + (await deleteInSteps(db, 'webhook_deliveries', isOld('ended_at', deliveries), { signal }))
}
