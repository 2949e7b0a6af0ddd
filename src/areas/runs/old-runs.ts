import { sql } from 'kysely'
import { type Db, rows } from '../../database/sql.ts'

/** Rows deleted by one statement, to keep statements short. */
const BATCH = 1000

/**
 * Deletes runs that ended more than `days` days ago, with their output, and rollouts without runs. Yields the number of
 * runs. It can be interrupted at any time.
 */
export async function deleteOldRuns(db: Db, days: number, signal: AbortSignal): Promise<number> {
  const old = sql`finished_at < now() - ${days} * interval '1 day'`
  let deleted = 0
  for (let some = BATCH; some === BATCH && !signal.aborted; deleted += some) {
    const gone = await rows(
      db,
      sql`delete from config_runs where id in (select id from config_runs where ${old} limit ${BATCH} for update skip locked) returning id`,
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
