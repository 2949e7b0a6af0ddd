import { sql } from 'kysely'
import { type Db, rows } from '../../../database/sql.ts'

const BATCH = 500

/** Deletes audits older than `days` days in small statements; 0 keeps all. Yields how many. */
export async function deleteOldAudits(db: Db, days: number, signal: AbortSignal): Promise<number> {
  if (days === 0) return 0
  let deleted = 0
  for (let some = BATCH; some === BATCH && !signal.aborted; deleted += some) {
    const gone = await rows(
      db,
      sql`
        delete from audits where id in (
          select id from audits where created_at < now() - ${days} * interval '1 day' order by created_at limit ${BATCH}
          for update skip locked)
        returning id`,
    )
    some = gone.length
  }
  return deleted
}
