import { deleteInSteps, type Steps } from '../../../database/delete-in-steps.ts'
import type { Db } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** Deletes audits older than `days` days in small statements, once they are archived where that is wanted; 0 keeps all. Yields how many. */
export async function deleteOldAudits(
  db: Db,
  days: number,
  { signal, archive }: Pick<Steps, 'signal' | 'archive'>,
): Promise<number> {
  if (days === 0) return 0
  const parts = sql`select (select count(*) from audits_order o where o.id = known.id)
    + (select count(*) from event_order e where e.audit_id = known.id)`
  return deleteInSteps(db, 'audits', sql`created_at < now() - ${days} * interval '1 day'`, { parts, signal, archive })
}
