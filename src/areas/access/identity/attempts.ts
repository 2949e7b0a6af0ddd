import { type Db, row, rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { sql } from '../../../sql.ts'

// Wrong codes after which no code counts for a while, and the seconds that this lasts.
const MOST_FAILURES = 5
const LOCK_SECONDS = 300

/** The tables that count wrong codes of users. */
type Counting = 'second_factor_failures' | 'user_code_failures'

/**
 * Counts an attempt of a user before it is checked, so that many at once are not more than the limit. {@throws Failure}
 * locked_out
 */
export async function countAttempt(db: Db, table: Counting, userId: number): Promise<void> {
  const counted = await row<{ failures: number; left: number }>(
    db,
    sql`
      insert into ${sql.table(table)} as known (user_id, failures, until)
      values (${userId}, 1, now() + make_interval(secs => ${LOCK_SECONDS}))
      on conflict (user_id) do update
        set failures = case when known.until > now() then known.failures + 1 else 1 end,
            until = case when known.until > now() and known.failures >= ${MOST_FAILURES} then known.until else excluded.until end
      returning failures, ceil(extract(epoch from until - now()))::integer as left`,
  )
  if (!counted || counted.failures <= MOST_FAILURES) return
  const message = `Too many wrong codes for this account: ${MOST_FAILURES} within ${LOCK_SECONDS / 60} minutes. Try again in ${counted.left} seconds.`
  throw new Failure('locked_out', message, { retryAfter: counted.left })
}

/** Forgets the wrong codes of a user, after a right one. */
export async function forgetAttempts(db: Db, table: Counting, userId: number): Promise<void> {
  await rows(db, sql`delete from ${sql.table(table)} where user_id = ${userId}`)
}
