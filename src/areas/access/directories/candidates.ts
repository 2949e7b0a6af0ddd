import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { isDue } from '../identity/last-login.ts'
import type { Attempt } from '../identity/password-checks.ts'
import { hashPassword, type PasswordCheck } from '../identity/passwords.ts'
import type { StoredProfile } from './people.ts'
import { HAS_LINKED_GROUPS, type StoredSource } from './sources.ts'

/** The user for whom a password is checked. */
export interface LoginCandidate {
  readonly id: number
  readonly login: string
  readonly authSourceId: number
  readonly authSourceType: string
  readonly profile: StoredProfile
  /** The directory of the user; null for users of other sources. */
  readonly directory: StoredSource | null
  /** The stored hash, if there is one. */
  readonly password: string | null
  /** Whether the last stored login is long enough ago to store this one. */
  readonly noteDue: boolean
}

/** Login and password as sent, and the address of the client. */
export interface LoginAttempt extends Attempt {
  readonly login: string
  readonly password: string
}

/** The login fails for another reason than a wrong password. */
export interface LoginRefusal {
  /** The message to the client. */
  readonly details: string
  /** Whether a source did reject the password, so that it counts as a guess. */
  readonly guess: boolean
}

/** Checks a password of a known user with an authentication source. */
export type Verify = (candidate: LoginCandidate, attempt: LoginAttempt) => Promise<boolean | LoginRefusal>

/** Registers an unknown user whom an authentication source knows; yields the new id, or null when no source does. */
export type Register = (attempt: LoginAttempt) => Promise<number | LoginRefusal | null>

/** Loads the user with this login; upper and lower case do not matter. */
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
             ${isDue('users.last_login_on')} as "noteDue"
      from users join auth_sources on auth_sources.id = users.auth_source_id
      where fold(users.login) = fold(${login})`,
  )
}

/** Checks a password against the stored hash. A hash with outdated parameters is replaced. */
export async function verifyInternally(
  { db, passwordMemoryMiB }: { readonly db: Db; readonly passwordMemoryMiB?: number },
  candidate: LoginCandidate,
  password: string,
  check: (stored: string | null) => Promise<PasswordCheck>,
): Promise<boolean> {
  const result = await check(candidate.password)
  if (result === 'right_but_weakly_hashed') {
    const stronger = await hashPassword(password, passwordMemoryMiB)
    // The condition on the old hash keeps a password that was changed meanwhile.
    await rows(
      db,
      sql`update users set password = ${stronger} where id = ${candidate.id} and password = ${candidate.password}`,
    )
  }
  return result !== 'wrong'
}

/** Stores the time of a login, at most once a minute, and without waiting for a transaction that changes the user. */
export async function storeLoginTime(db: Db, userId: number): Promise<void> {
  const due = await row(
    db,
    sql`
      select from users
      where id = ${userId} and not disabled and ${isDue('last_login_on')}`,
  )
  if (!due) return
  await rows(
    db,
    sql`
      update users set last_login_on = now()
      where id in (select id from users where id = ${userId} for no key update skip locked)`,
  )
}
