import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { decryptIfPossible, type Encryption, purposeOf } from '../../../encryption/encryption.ts'
import { sql } from '../../../sql.ts'
import { withAnnouncement } from '../identity/changes.ts'
import { digestSecret } from '../identity/secrets.ts'

const ID_TOKEN = purposeOf({ table: 'session_identities', column: 'id_token' })

/** How a session came about at a provider. */
export interface SessionAtProvider {
  readonly source: number
  /** The ID token, by which the provider recognizes its session; null when its key is lost. */
  readonly idToken: string | null
}

/** Stores by which login at a provider a session was begun. */
export async function storeSessionIdentity(
  db: Db,
  encryption: Encryption,
  cookie: string,
  login: { readonly identity: number; readonly sid: string | null; readonly idToken: string },
): Promise<void> {
  const token = encryption.encrypt(login.idToken, ID_TOKEN)
  await rows(
    db,
    sql`
      insert into session_identities (session_id, user_identity_id, sid, id_token)
      select id, ${login.identity}::bigint, ${login.sid}::text, ${token}::text
      from sessions where sessions.token = ${digestSecret(cookie)}`,
  )
}

/** Loads how the session of a cookie came about; undefined when that was not at a provider. */
export async function loadSessionAtProvider(
  db: Db,
  encryption: Encryption,
  cookie: string,
): Promise<SessionAtProvider | undefined> {
  const found = await row<{ source: number; id_token: string | null }>(
    db,
    sql`
      select user_identities.auth_source_oidc_id as source, session_identities.id_token
      from sessions join session_identities on session_identities.session_id = sessions.id
      join user_identities on user_identities.id = session_identities.user_identity_id
      where sessions.token = ${digestSecret(cookie)}`,
  )
  return found && { source: found.source, idToken: decryptIfPossible(encryption, found.id_token, ID_TOKEN) }
}

/** Tells whether the session of a cookie was begun at a provider, which asks for second factors itself. */
export async function isSessionOfProvider(db: Db, cookie: string): Promise<boolean> {
  const found = await row(
    db,
    sql`
      select from sessions join session_identities on session_identities.session_id = sessions.id
      where sessions.token = ${digestSecret(cookie)}`,
  )
  return found !== undefined
}

/** Ends the sessions that logins as this identity have begun. */
export function endSessionsOfIdentity(db: Db, identity: number): Promise<number> {
  return end(db, sql`user_identity_id = ${identity}`)
}

/** Ends the sessions of one session at the provider, or of all of a person there; yields how many. */
export function endSessionsAtProvider(
  db: Db,
  source: number,
  { sid, subject }: { readonly sid: string | null; readonly subject: string | null },
): Promise<number> {
  const ofSource = sql`
    user_identity_id in (
      select id from user_identities
      where auth_source_oidc_id = ${source} and (${subject}::text is null or subject = ${subject}::text))`
  if (sid === null) return end(db, ofSource)
  // A session whose ID token named none may be the one that is meant, if it is of that person.
  return end(db, sql`${ofSource} and (sid = ${sid} or (sid is null and ${subject !== null}::boolean))`)
}

async function end(db: Db, which: Sql): Promise<number> {
  const ids = await rows<{ session_id: number }>(db, sql`select session_id from session_identities where ${which}`)
  if (ids.length === 0) return 0
  const ended = ids.map(({ session_id }) => session_id)
  await rows(db, withAnnouncement(sql`delete from sessions where id = any (${ended}::bigint[])`))
  return ended.length
}
