import { deleteInSteps } from '../../database/delete-in-steps.ts'
import type { Db } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/**
 * Deletes runs that ended more than `days` days ago, with their output, and rollouts without runs. Yields the number of
 * runs. The signal may interrupt it at any time.
 */
export async function deleteOldRuns(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const old = sql`finished_at < now() - ${days} * interval '1 day'`
  const parts = sql`select count(*) from config_run_output o where o.config_run_id = known.id`
  const deleted = await deleteInSteps(db, 'config_runs', old, { parts, signal })
  const empty = sql`${old} and not exists (select from config_runs r where r.rollout_id = known.id)`
  await deleteInSteps(db, 'config_rollouts', empty, { signal })
  return deleted
}
