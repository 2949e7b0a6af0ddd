import { type Db, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { digestSecret } from '../identity/secrets.ts'

/** The most outdated rows that one statement deletes, so that the login that causes it does not wait. */
const DELETED_AT_ONCE = 500

/**
 * Uses up a value that counts once, in all processes: true the first time within these seconds. Outdated ones are deleted.
 */
export async function spend(db: Db, value: string, seconds: number): Promise<boolean> {
  const inserted = await rows(
    db,
    sql`
      insert into spent_values (digest, expires_at)
      values (${digestSecret(value)}, now() + make_interval(secs => ${seconds}))
      on conflict do nothing returning 1 as done`,
  )
  await rows(
    db,
    sql`
      delete from spent_values where digest in (
        select digest from spent_values where expires_at < now() limit ${DELETED_AT_ONCE} for update skip locked)`,
  )
  return inserted.length > 0
}
