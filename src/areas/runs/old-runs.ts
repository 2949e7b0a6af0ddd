import { sql } from 'kysely'
import { type Db, rows } from '../../database/sql.ts'

/** Rows of one statement, which must not take long. */
const BATCH = 1000

/**
 * Deletes runs that ended more than so many days ago, with their output, and rollouts of which nothing is left. Returns
 * how many runs. May be interrupted at any time.
 */
export async function deleteOldRuns(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const old = sql`finished_at < now() - ${days} * interval '1 day'`
  let deleted = 0
  for (let some = BATCH; some === BATCH && !signal.aborted; deleted += some) {
    const gone = await rows(
      db,
      sql`delete from config_runs where id in (select id from config_runs where ${old} limit ${BATCH}) returning id`,
    )
    some = gone.length
  }
  await rows(
    db,
    sql`
      delete from config_rollouts o
      where ${old} and not exists (select from config_runs r where r.rollout_id = o.id)`,
  )
  return deleted
}
