import { deleteInSteps } from '../../database/delete-in-steps.ts'
import type { Db } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Deletes tasks that ended more than `days` days ago, and yields how many. The signal may interrupt it at any time. */
export function deleteOldTasks(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const counts = ['deferred_requests', 'deferred_parts'].map(
    (table) => sql`(select count(*) from ${sql.table(table)} p where p.task_id = known.id)`,
  )
  const parts = sql`select ${sql.join(counts, sql` + `)}`
  return deleteInSteps(db, 'tasks', sql`ended_at < now() - ${days} * interval '1 day'`, { parts, signal })
}
