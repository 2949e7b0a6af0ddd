import { randomInt } from 'node:crypto'
import { joinTransaction } from '../../../database/savepoints.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { PermissionDeclaration } from './roles.ts'
import { syncPermissions, syncRoles } from './seed-roles.ts'

/** The options of the first start, and the permissions of this program. */
export interface Seeds {
  readonly adminLogin: string
  /** Null: a password is generated. */
  readonly adminPassword: string | null
  readonly passwordMemoryMiB?: number
  readonly permissions: readonly PermissionDeclaration[]
}

/** The result of a start: accounts that it found or created. */
export interface Seeded {
  /** The generated password of the administrator, which is not stored; null when there is none. */
  readonly generatedPassword: string | null
  /** Whether this call created the administrator. */
  readonly created: boolean
  /** Whether the configured password differs from that of the existing administrator, so that it has no effect. */
  readonly ignoresPassword: boolean
}

/** An arbitrary number that no other advisory lock uses. */
const LOCK = 5_280_417_001

/**
 * Stores what every installation has (core-api §7.3, §11): authentication sources, permissions, roles and, the first
 * time, an organization, a location and an administrator. It can be repeated without effect; processes that start
 * together wait for each other.
 */
export function seedIdentity(db: Db, seeds: Seeds): Promise<Seeded> {
  return joinTransaction(db, (tx) => seedInTransaction(tx, seeds))
}

async function seedInTransaction(tx: Db, seeds: Seeds): Promise<Seeded> {
  await rows(tx, sql`select pg_advisory_xact_lock(${LOCK})`)
  const first = (await row(tx, sql`select from auth_sources limit 1`)) === undefined
  await seedAuthSources(tx)
  if (first) await seedTaxonomies(tx)
  const added = await syncPermissions(tx, seeds.permissions)
  await syncRoles(tx, seeds.permissions, added)
  return seedAdministrator(tx, seeds)
}

async function seedAuthSources(tx: Db): Promise<void> {
  await rows(
    tx,
    sql`
      insert into auth_sources (type, name)
      select seed.type, seed.name
      from (values (1, 'AuthSourceInternal', 'Internal'), (2, 'AuthSourceHidden', 'Hidden'),
                   (3, 'AuthSourceExternal', 'External')) as seed (position, type, name)
      where not exists (select from auth_sources where auth_sources.type = seed.type)
      order by seed.position
      on conflict (name) do nothing`,
  )
}

/**
 * Creates the first organization and location, in each other and only once: if they were renamed or deleted, they stay so.
 */
async function seedTaxonomies(tx: Db): Promise<void> {
  const [organization] = await rows<{ id: number }>(
    tx,
    sql`
      insert into organizations (name, title)
      select 'Default Organization', 'Default Organization' where not exists (select from organizations) returning id`,
  )
  const [location] = await rows<{ id: number }>(
    tx,
    sql`
      insert into locations (name, title)
      select 'Default Location', 'Default Location' where not exists (select from locations) returning id`,
  )
  if (!organization || !location) return
  await rows(
    tx,
    sql`insert into location_organizations (location_id, organization_id) values (${location.id}, ${organization.id})`,
  )
}

/** Creates the administrator unless there is one already, or a user with the configured login. */
async function seedAdministrator(tx: Db, { adminLogin, adminPassword, passwordMemoryMiB }: Seeds): Promise<Seeded> {
  const existing = await row<{ isNamed: boolean; password: string | null }>(
    tx,
    sql`select fold(login) = fold(${adminLogin}) as "isNamed", password from users
      where admin or fold(login) = fold(${adminLogin}) order by 1 desc limit 1`,
  )
  if (existing) {
    const fits = adminPassword === null || (existing.isNamed && (await isPassword(existing.password, adminPassword)))
    return { generatedPassword: null, created: false, ignoresPassword: !fits }
  }
  const generatedPassword = adminPassword ? null : generatePassword()
  const password = await hashPassword(adminPassword || (generatedPassword ?? ''), passwordMemoryMiB)
  await rows(
    tx,
    sql`
      insert into users (login, firstname, lastname, admin, auth_source_id, password)
      select ${adminLogin}, 'Admin', 'User', true, id, ${password}
      from auth_sources where type = 'AuthSourceInternal' order by id limit 1`,
  )
  return { generatedPassword, created: true, ignoresPassword: false }
}

async function isPassword(stored: string | null, password: string): Promise<boolean> {
  return stored !== null && (await verifyPassword(stored, password)) !== 'wrong'
}

/** Generates a password of 119 random bits, of letters and digits that are not easily confused. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters = Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)])
  return letters.join('').replace(/(.{6})(?=.)/g, '$1-')
}
