import { sql } from 'kysely'
import { type Db, row, rows } from '../../../database/sql.ts'
import type { Attempt } from './password-checks.ts'
import { hashPassword, type PasswordCheck } from './passwords.ts'
import type { StoredProfile } from './people.ts'
import { HAS_LINKED_GROUPS, type StoredSource } from './sources.ts'

/** The user that a password is tried for. */
export interface LoginCandidate {
  readonly id: number
  readonly login: string
  readonly authSourceId: number
  readonly authSourceType: string
  readonly profile: StoredProfile
  /** Of users of directories only: theirs. */
  readonly directory: StoredSource | null
  /** Stored hash, if there is one. */
  readonly password: string | null
  /** Whether it is time to note the next login. */
  readonly noteDue: boolean
}

/** What was typed, and by whom it was sent. */
export interface LoginAttempt extends Attempt {
  readonly login: string
  readonly password: string
}

/** Nobody is logged in, but not because the password is known to be wrong. */
export interface LoginRefusal {
  /** What to tell the user. */
  readonly details: string
  /** Whether some source did say no, so that it may have been a guess all the same. */
  readonly guess: boolean
}

/** Asks an authentication source whether the password is this user's. */
export type Verify = (candidate: LoginCandidate, attempt: LoginAttempt) => Promise<boolean | LoginRefusal>

/** Makes a user of somebody unknown whom an authentication source knows; the new user's id, null when none does. */
export type Register = (attempt: LoginAttempt) => Promise<number | LoginRefusal | null>

/** The user with this login, in whatever case it was typed. */
export function loadCandidate(db: Db, login: string): Promise<LoginCandidate | undefined> {
  return row<LoginCandidate>(
    db,
    sql`
      select users.id, users.login, users.password,
             auth_sources.id as "authSourceId", auth_sources.type as "authSourceType",
             jsonb_build_object('firstname', users.firstname, 'lastname', users.lastname, 'mail', users.mail,
                                'avatar_hash', users.avatar_hash) as profile,
             case when auth_sources.type = 'AuthSourceLdap' then
               to_jsonb(auth_sources) || jsonb_build_object('has_linked_groups', ${HAS_LINKED_GROUPS})
             end as directory,
             (users.last_login_on is null or users.last_login_on < now() - interval '1 minute') as "noteDue"
      from users join auth_sources on auth_sources.id = users.auth_source_id
      where fold(users.login) = fold(${login})`,
  )
}

/** Compares with the stored hash, and replaces one that was made with other parameters than today's. */
export async function verifyInternally(
  { db, passwordMemoryMiB }: { readonly db: Db; readonly passwordMemoryMiB?: number },
  candidate: LoginCandidate,
  password: string,
  check: (stored: string | null) => Promise<PasswordCheck>,
): Promise<boolean> {
  const result = await check(candidate.password)
  if (result === 'right_but_weakly_hashed') {
    const stronger = await hashPassword(password, passwordMemoryMiB)
    // Not over a password that was changed meanwhile.
    await rows(
      db,
      sql`update users set password = ${stronger} where id = ${candidate.id} and password = ${candidate.password}`,
    )
  }
  return result !== 'wrong'
}

/** Notes that a user who may logged in, at most once a minute, and never waits for whoever is changing that user. */
export async function storeLoginTime(db: Db, userId: number): Promise<void> {
  const due = await row(
    db,
    sql`
      select from users
      where id = ${userId} and not disabled and (last_login_on is null or last_login_on < now() - interval '1 minute')`,
  )
  if (!due) return
  await rows(
    db,
    sql`
      update users set last_login_on = now()
      where id in (select id from users where id = ${userId} for no key update skip locked)`,
  )
}
