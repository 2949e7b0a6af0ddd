import { userInfo } from 'node:os'
import type { AuditCause, AuditEntry } from '../../../database/audits.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { Failure, invalid } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { guardLogin } from '../directories/shared-names.ts'
import { isPossibleLogin, LOGIN_NAME, LONGEST_LOGIN } from './login-names.ts'
import { hashPassword } from './passwords.ts'
import { generatePassword } from './seed.ts'
import { endSessionsOf } from './sessions.ts'
import { recordIdentityAudit } from './system-audit.ts'

/** A request by the owner of the database, who need not log in. */
export interface Recovery {
  readonly login: string
  /** Null: a password is generated. */
  readonly password: string | null
  readonly passwordMemoryMiB: number
  readonly by: AuditCause
}

/** The user whose password was set, and what to tell the operator. */
export interface Recovered {
  readonly login: string
  /** Null when the caller chose the password. */
  readonly generatedPassword: string | null
  /** Whether the user is disabled and so still cannot log in. */
  readonly disabled: boolean
}

/**
 * Sets another password for a user of the internal source and ends their sessions and tokens, because somebody else may
 * know the old one. {@throws Failure} not_found, invalid
 */
export async function resetPassword(db: Db, recovery: Recovery): Promise<Recovered> {
  const { hash, generatedPassword } = await passwordOf(recovery)
  return db.transaction(async (tx) => {
    const user = await row<{ id: number; login: string; disabled: boolean; source: string; type: string }>(
      tx,
      sql`
        select u.id, u.login, u.disabled, s.name as source, s.type from users u join auth_sources s on s.id = u.auth_source_id
        where fold(u.login) = fold(${recovery.login}) and s.type <> 'AuthSourceHidden' for update of u`,
    )
    if (!user)
      throw new Failure('not_found', `Nobody has the login ${recovery.login}${await describeAdministrators(tx)}`)
    const { id, login, disabled, source, type } = user
    if (type !== 'AuthSourceInternal')
      throw invalid({ login: [`has no password here: ${login} logs in with ${source}, which keeps the password`] }, id)
    await rows(tx, sql`update users set password = ${hash}, updated_at = now() where id = ${id}`)
    await endSessionsOf(tx, id)
    const tokens = await rows<{ id: number }>(
      tx,
      sql`update personal_access_tokens set revoked = true, updated_at = now()
        where user_id = ${id} and not revoked returning id`,
    )
    const record = (type: 'User' | 'PersonalAccessToken', of: number, changes: AuditEntry['changes']) =>
      recordIdentityAudit(tx, recovery.by, { action: 'update', type, id: of, changes })
    await record('User', id, CHANGED)
    for (const token of tokens) await record('PersonalAccessToken', token.id, { revoked: [false, true] })
    return { login, generatedPassword, disabled }
  })
}

/**
 * Removes all second factors of a user, who has lost them, and ends their sessions. {@throws Failure} not_found
 */
export async function resetSecondFactor(db: Db, { login, by }: Pick<Recovery, 'login' | 'by'>): Promise<FactorReset> {
  return db.transaction(async (tx) => {
    const user = await row<{ id: number; login: string }>(
      tx,
      sql`select u.id, u.login from users u where fold(u.login) = fold(${login}) for update`,
    )
    if (!user) throw new Failure('not_found', `Nobody has the login ${login}${await describeAdministrators(tx)}`)
    const removed = await rows<{ id: number }>(
      tx,
      sql`delete from second_factors where user_id = ${user.id} returning id`,
    )
    await endSessionsOf(tx, user.id)
    const changes = { second_factors: [removed.length, 0] }
    await recordIdentityAudit(tx, by, { action: 'update', type: 'User', id: user.id, changes })
    return { login: user.login, removed: removed.length }
  })
}

/** The user whose second factors were removed, and how many. */
export interface FactorReset {
  readonly login: string
  readonly removed: number
}

/** Creates another administrator with a password. {@throws Failure} invalid */
export async function createAdministrator(db: Db, recovery: Recovery): Promise<Recovered> {
  const { login } = recovery
  if (!isPossibleLogin(login))
    throw invalid({ login: [`must have 1 to ${LONGEST_LOGIN} characters, and ${LOGIN_NAME.message}`] })
  const { hash, generatedPassword } = await passwordOf(recovery)
  return db.transaction(async (tx) => {
    if (!(await guardLogin(tx, login))) throw invalid({ login: ['is the name of a user group'] })
    const made = await row<{ id: number }>(
      tx,
      sql`
        insert into users (login, firstname, lastname, admin, auth_source_id, password)
        select ${login}, 'Admin', 'User', true, id, ${hash} from auth_sources where type = 'AuthSourceInternal' order by id limit 1
        on conflict do nothing returning id`,
    )
    if (!made)
      throw invalid({ login: [`already exists: millwright reset-password ${login} gives it another password`] })
    await recordIdentityAudit(tx, recovery.by, {
      action: 'create',
      type: 'User',
      id: made.id,
      changes: { login, admin: true, password: '[redacted]' },
    })
    return { login, generatedPassword, disabled: false }
  })
}

/**
 * Finds the administrator for whom the owner of the data acts: the one with this login, or the first by id; null when there
 * is none. Disabled users, and members of groups of administrators, do not count.
 */
export async function findActingAdministrator(db: Db, login: string): Promise<number | null> {
  const found = await row<{ id: number }>(
    db,
    sql`select u.id from users u where u.admin and not u.disabled order by fold(u.login) <> fold(${login}), u.id limit 1`,
  )
  return found?.id ?? null
}

/** The name of the owner of the data in audits. */
export function formatOwner(): string {
  return `${findAccountName()} (on this machine)`
}

function findAccountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.geteuid?.()}` // in a container their number may have no name
  }
}

const CHANGED = { password: ['[redacted]', '[redacted]'] }
const SHORTEST = 8
const LONGEST = 128

async function passwordOf({ password, passwordMemoryMiB }: Recovery) {
  const chosen = password ?? generatePassword()
  if (chosen.length < SHORTEST || chosen.length > LONGEST || chosen.includes('\0'))
    throw invalid({ password: [`must have ${SHORTEST} to ${LONGEST} characters`] })
  const hash = await hashPassword(chosen, passwordMemoryMiB)
  return { hash, generatedPassword: password === null ? chosen : null }
}

async function describeAdministrators(tx: Db): Promise<string> {
  const found = await rows<{ login: string }>(tx, sql`select login from users where admin order by id limit 5`)
  return found.length === 0 ? '' : `; administrators are ${found.map(({ login }) => login).join(', ')}`
}
