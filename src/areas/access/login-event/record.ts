import { deleteInSteps } from '../../../database/delete-in-steps.ts'
import { type Db, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** A login to store. */
export interface LoginEvent {
  /** The id of the user, or what was sent as their login: stored only if it is one. */
  readonly user: number | string | null
  readonly outcome: 'granted' | 'refused'
  readonly method: string
  readonly reason: string | null
  readonly address: string | null
}

/** Programs that log in with each request are stored once in this time. */
const ONCE_IN = sql`interval '1 hour'`

/** Stores a login. An equal one that was granted is stored once an hour. */
export async function recordLogin(db: Db, { user, outcome, method, reason, address }: LoginEvent): Promise<void> {
  const id =
    typeof user === 'string' ? sql`(select id from users where fold(login) = fold(${user}))` : sql`${user}::bigint`
  await rows(
    db,
    sql`
      insert into login_events (user_id, outcome, method, reason, address)
      select known.id, ${outcome}, ${method}, ${reason}::text, ${address ?? ''}
      from (select ${id} as id) known
      where ${outcome} = 'refused' or not exists (
        select from login_events e where e.user_id = known.id and e.created_at > now() - ${ONCE_IN}
          and e.outcome = ${outcome} and e.method = ${method} and e.address = ${address ?? ''})`,
  )
}

/** Deletes logins older than so many days; 0 keeps all. Yields how many. */
export async function deleteOldLogins(db: Db, days: number, signal: AbortSignal): Promise<number> {
  if (days === 0) return 0
  return deleteInSteps(db, 'login_events', sql`created_at < now() - ${days} * interval '1 day'`, { signal })
}
