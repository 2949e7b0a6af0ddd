import { hash } from 'node:crypto'
import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { isPossibleLogin } from '../identity/login-names.ts'
import { buildSystemCause, recordIdentityAudit } from '../identity/system-audit.ts'
import { guardLogin } from './shared-names.ts'

/** The data of a person from a source of users. */
export interface Profile {
  readonly login: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly mail: string | null
  readonly photo: Buffer | null
}

/**
 * Registers a person whom a source has authenticated, with the organizations and locations of the source and without
 * values that cannot be stored (core-api §6.2). Yields the id, also of a user that a concurrent login has created, or
 * the reason of the refusal.
 */
export async function registerPerson(
  db: Db,
  sourceId: number,
  person: Profile,
  address: string | null,
): Promise<number | string> {
  const { login } = person
  if (!isPossibleLogin(login)) return 'Logins like this one cannot be used here.'
  const id = await db.transaction(async (tx) =>
    (await guardLogin(tx, login)) ? insertPerson(tx, sourceId, person, address) : NAME_OF_GROUP,
  )
  if (id !== null) return id
  const other = await row<{ id: number; sourceId: number }>(
    db,
    sql`select id, auth_source_id as "sourceId" from users where fold(login) = fold(${login})`,
  )
  return other?.sourceId === sourceId ? other.id : 'A user of another source has this login here.'
}

const NAME_OF_GROUP = 'The login is the name of a user group here.'

/** The data of a known user that a login may update: the whole profile, or only the photo, which nobody edits. */
export type Refreshed = 'profile' | 'photo'

/**
 * Updates a user from the profile that the source tells; blank and invalid values are skipped (core-api §6.1). Writes
 * only differences, and reads nothing if there are none to `known`. Yields whether there were any.
 */
export async function refreshPerson(
  db: Db,
  userId: number,
  person: Profile,
  refreshed: Refreshed,
  address: string | null,
  known: StoredProfile | null = null,
): Promise<boolean> {
  const profile = refreshed === 'profile' ? profileOf(person) : {}
  const wanted: Partial<StoredProfile> = { ...profile, avatar_hash: computePhotoHash(person.photo) }
  const listDiffering = (stored: StoredProfile) =>
    COLUMNS.filter((column) => wanted[column] && wanted[column] !== stored[column])
  if (known && listDiffering(known).length === 0) return false
  const current = await row<StoredProfile>(
    db,
    sql`select firstname, lastname, mail, avatar_hash from users where id = ${userId}`,
  )
  const changed = current ? listDiffering(current) : []
  if (!current || changed.length === 0) return false
  await db.transaction(async (tx) => {
    await storePhoto(tx, person.photo)
    const assignments = changed.map((column) => sql`${sql.ref(column)} = ${wanted[column]}`)
    await rows(tx, sql`update users set ${sql.join(assignments)}, updated_at = now() where id = ${userId}`)
    if (changed.includes('avatar_hash')) await dropUnusedPhoto(tx, current.avatar_hash)
    const changes = Object.fromEntries(changed.map((column) => [column, [current[column], wanted[column]]]))
    await recordIdentityAudit(tx, buildSystemCause(address), { action: 'update', type: 'User', id: userId, changes })
  })
  return true
}

/** The stored part of a profile; the photo by its hash. */
export interface StoredProfile {
  readonly firstname: string | null
  readonly lastname: string | null
  readonly mail: string | null
  readonly avatar_hash: string | null
}

const COLUMNS = ['firstname', 'lastname', 'mail', 'avatar_hash'] as const
const MAIL = /^[^\s@]+@[^\s@]+$/u

/** Leaves out values that cannot be stored, so that they do not hinder the login. */
function profileOf({ firstname, lastname, mail }: Profile): Omit<StoredProfile, 'avatar_hash'> {
  const address = toStorable(mail, 254)
  return {
    firstname: toStorable(firstname, 50),
    lastname: toStorable(lastname, 50),
    mail: address !== null && MAIL.test(address) ? address : null,
  }
}

function toStorable(value: string | null, longest: number): string | null {
  const text = value?.trim() ?? ''
  return text === '' || [...text].length > longest || text.includes('\0') ? null : text
}

/** Inserts a user of a source, with its organizations and locations; null when the login is taken. */
export async function insertPerson(
  tx: Db,
  sourceId: number,
  person: Profile,
  address: string | null,
): Promise<number | null> {
  const { firstname, lastname, mail } = profileOf(person)
  const avatar = computePhotoHash(person.photo)
  await storePhoto(tx, person.photo)
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into users (login, firstname, lastname, mail, avatar_hash, auth_source_id)
      values (${person.login}, ${firstname}, ${lastname}, ${mail}, ${avatar}, ${sourceId})
      on conflict do nothing
      returning id`,
  )
  if (!inserted) return null
  const { id } = inserted
  for (const kind of ['organization', 'location'] as const) {
    const column = sql.ref(`${kind}_id`)
    await rows(
      tx,
      sql`
        insert into ${sql.table(`user_${kind}s`)} (user_id, ${column})
        select ${id}::bigint, ${column} from ${sql.table(`auth_source_${kind}s`)} where auth_source_id = ${sourceId}`,
    )
  }
  const changes = { login: person.login, firstname, lastname, mail, auth_source_id: sourceId, admin: false }
  await recordIdentityAudit(tx, buildSystemCause(address), { action: 'create', type: 'User', id, changes })
  return id
}

function computePhotoHash(photo: Buffer | null): string | null {
  return photo && hash('sha1', photo)
}

async function storePhoto(tx: Db, photo: Buffer | null): Promise<void> {
  if (!photo) return
  await rows(
    tx,
    sql`insert into avatars (hash, image) values (${computePhotoHash(photo)}, ${photo}) on conflict do nothing`,
  )
}

async function dropUnusedPhoto(tx: Db, photo: string | null): Promise<void> {
  if (photo === null) return
  await rows(
    tx,
    sql`delete from avatars where hash = ${photo} and not exists (select from users where avatar_hash = ${photo})`,
  )
}
