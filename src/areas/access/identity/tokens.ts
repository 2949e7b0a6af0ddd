import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { isDue } from './last-login.ts'
import { enableOldToken, isOldTokenLike } from './old-tokens.ts'
import { digestSecret, hasSameBytes } from './secrets.ts'
import type { Everything, TokenLimits } from './token-limits.ts'

/**
 * A token is `mw_`, 32 random bytes and their checksum in base64url: scanners recognize leaked ones, and typing errors
 * cost no query.
 */
const PREFIX = 'mw_'
const RANDOM_BYTES = 32
const SHAPE = /^mw_[A-Za-z0-9_-]{48}$/

/** A new token, with the form in which it is stored. */
export interface NewToken {
  /** The token, shown once to its creator. */
  readonly value: string
  /** The digest that is stored. */
  readonly digest: Buffer
}

/** A token that is neither revoked nor expired. */
export interface ActiveToken {
  readonly id: number
  readonly userId: number
  /** Milliseconds until it expires, by the database's clock; null means never. */
  readonly expiresIn: number | null
  /** Null: it may do all that its user may. */
  readonly limits: TokenLimits | null
}

/** Generates a personal access token (core-api §4.3); nothing is stored. */
export function generateToken(): NewToken {
  const random = randomBytes(RANDOM_BYTES)
  const value = PREFIX + Buffer.concat([random, computeChecksum(random)]).toString('base64url')
  return { value, digest: digestSecret(value) }
}

/** Whether a text has the form of a token; most passwords do not, and are not looked up. */
export function isTokenLike(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  return hasSameBytes(computeChecksum(bytes.subarray(0, RANDOM_BYTES)), bytes.subarray(RANDOM_BYTES))
}

/**
 * Loads the active token with this value, of this user or (null) of anybody, and stores its use at most once a minute. The
 * value before of a replaced token counts until its own end. A token of another server needs its owner when it is first used.
 */
export async function useToken(db: Db, value: string, owner: number | null): Promise<ActiveToken | undefined> {
  if (isTokenLike(value)) return findToken(db, value, owner)
  if (!isOldTokenLike(value)) return undefined
  const found = await findToken(db, value, owner)
  if (found || owner === null || !(await enableOldToken(db, value, owner))) return found
  return findToken(db, value, owner)
}

async function findToken(db: Db, value: string, owner: number | null): Promise<ActiveToken | undefined> {
  const digest = digestSecret(value)
  const found = await row<ActiveToken & { noteUse: boolean }>(
    db,
    sql`
      with known (id, until) as (
        select id, expires_at from personal_access_tokens where token = ${digest}
        union all
        select t.id, least(r.expires_at, t.expires_at)
        from replaced_tokens r join personal_access_tokens t on t.id = r.personal_access_token_id where r.token = ${digest}
      )
      select t.id, t.user_id as "userId",
             (extract(epoch from known.until - now()) * 1000)::float8 as "expiresIn",
             ${isDue('t.last_used_at')} as "noteUse", ${SELECT_LIMITS} as limits
      from known join personal_access_tokens t on t.id = known.id
      where t.user_id = coalesce(${owner}, t.user_id) and not t.revoked and (known.until is null or known.until > now())`,
  )
  if (!found) return undefined
  if (found.noteUse) await noteUse(db, found.id)
  return { id: found.id, userId: found.userId, expiresIn: found.expiresIn, limits: found.limits }
}

function selectBelow(plural: 'organizations' | 'locations', column: string): Sql {
  const named = sql.ref(`l.${column}`)
  return sql`case when ${named} is not null then
    (select coalesce(jsonb_agg(x.id), '[]') from ${sql.table(plural)} x where x.id = any (${named}) or x.ancestor_ids && ${named}) end`
}

const SELECT_LIMITS = sql`(
  select jsonb_build_object('permissions', l.permissions, 'organizations', ${selectBelow('organizations', 'organization_ids')},
    'locations', ${selectBelow('locations', 'location_ids')}, 'addresses', l.allowed_addresses::text[])
  from token_limits l where l.personal_access_token_id = t.id)`

/** All that a limited token of an administrator may name: permissions, organizations and locations. */
export async function loadEverything(db: Db): Promise<Everything> {
  const selectAll = (column: string, table: string) =>
    sql`(select coalesce(jsonb_agg(${sql.ref(column)}), '[]') from ${sql.table(table)})`
  const found = await row<Everything>(
    db,
    sql`select ${selectAll('name', 'permissions')} as permissions, ${selectAll('id', 'organizations')} as organizations,
      ${selectAll('id', 'locations')} as locations`,
  )
  return found ?? { permissions: [], organizations: [], locations: [] }
}

/** Stores the use of a token, unless another transaction is changing the row: a login never waits for that. */
async function noteUse(db: Db, id: number): Promise<void> {
  await rows(
    db,
    sql`
      update personal_access_tokens set last_used_at = now()
      where id in (select id from personal_access_tokens where id = ${id} for no key update skip locked)`,
  )
}

function computeChecksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
