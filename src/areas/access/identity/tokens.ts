import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Db, row, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { isDue } from './last-login.ts'
import { digestSecret, hasSameBytes } from './secrets.ts'

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
 * Loads the active token with this value, of this user or (null) of anybody, and stores its use at most once a minute.
 */
export async function useToken(db: Db, value: string, owner: number | null): Promise<ActiveToken | undefined> {
  if (!isTokenLike(value)) return undefined
  const found = await row<ActiveToken & { noteUse: boolean }>(
    db,
    sql`
      select id, user_id as "userId",
             (extract(epoch from expires_at - now()) * 1000)::float8 as "expiresIn",
             ${isDue('last_used_at')} as "noteUse"
      from personal_access_tokens
      where token = ${digestSecret(value)} and user_id = coalesce(${owner}, user_id)
        and not revoked and (expires_at is null or expires_at > now())`,
  )
  if (!found) return undefined
  if (found.noteUse) await noteUse(db, found.id)
  return { id: found.id, userId: found.userId, expiresIn: found.expiresIn }
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
