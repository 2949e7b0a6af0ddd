import { sql } from 'kysely'
import { type Db, rows } from '../../database/sql.ts'

/** Rows deleted by one statement, to keep statements short. */
const BATCH = 1000

/** Deletes tasks that ended more than `days` days ago, and yields how many. It can be interrupted at any time. */
export async function deleteOldTasks(db: Db, days: number, signal: AbortSignal): Promise<number> {
  let deleted = 0
  for (let some = BATCH; some === BATCH && !signal.aborted; deleted += some) {
    const gone = await rows(
      db,
      sql`
        delete from tasks where id in (
          select id from tasks where ended_at < now() - ${days} * interval '1 day' limit ${BATCH}
          for update skip locked)
        returning id`,
    )
    some = gone.length
  }
  return deleted
}
