import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { digestSecret } from '../identity/secrets.ts'

/** Seconds that somebody has for their passkey. */
export const CHALLENGE_SECONDS = 300

/** The most outdated challenges that one statement deletes, so that the login that causes it does not wait. */
const DELETED_AT_ONCE = 500

/** Whom a passkey has to answer for; the factor that is set up, or null for a proof. */
interface Purpose {
  readonly challenge: string
  readonly user: number
  readonly factor: number | null
}

type Asking = Pick<Context, 'db' | 'origin'>

/** Stores a challenge that a passkey of the user must sign in the session of the request, and deletes outdated ones. */
export async function storeChallenge({ db, origin }: Asking, { challenge, user, factor }: Purpose): Promise<void> {
  await rows(
    db,
    sql`insert into passkey_challenges (digest, user_id, session_id, second_factor_id, expires_at)
      values (${digestSecret(challenge)}, ${user}, ${selectSession(origin.session)}, ${factor}::bigint, now() + make_interval(secs => ${CHALLENGE_SECONDS}))`,
  )
  await rows(
    db,
    sql`delete from passkey_challenges where digest in (
      select digest from passkey_challenges where expires_at < now() - interval '1 hour' limit ${DELETED_AT_ONCE} for update skip locked)`,
  )
}

/** What became of a challenge. An unknown one was never given, or long ago. */
type Use = 'right' | 'expired' | 'replayed' | 'foreign'

/** Uses a challenge up, once in all processes, for the user and the session that it was made for. */
export async function useChallenge({ db, origin }: Asking, { challenge, user, factor }: Purpose): Promise<Use> {
  const named = sql`digest = ${digestSecret(challenge)} and user_id = ${user}
    and session_id is not distinct from ${selectSession(origin.session)} and second_factor_id is not distinct from ${factor}::bigint`
  const used = await row<{ expired: boolean }>(
    db,
    sql`update passkey_challenges set used = true where ${named} and not used returning expires_at < now() as expired`,
  )
  if (used) return used.expired ? 'expired' : 'right'
  return (await row(db, sql`select from passkey_challenges where ${named}`)) ? 'replayed' : 'foreign'
}

function selectSession(cookie: string | null) {
  return cookie === null ? sql`null::bigint` : sql`(select id from sessions where token = ${digestSecret(cookie)})`
}
