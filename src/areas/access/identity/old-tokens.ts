import { hash as computeHash } from 'node:crypto'
import { type Db, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { hashAsThere, isUsableSalt } from './old-hashes.ts'
import { digestSecret, hasSameBytes } from './secrets.ts'

/** The form of tokens of existing servers: 16 random bytes in base64url. */
const SHAPE = /^[\w-]{22}$/

/** The salt at the beginning of a hash, by PBKDF2 or bcrypt. */
const SALT = /^(?:\$pbkdf2sha1\$\d+\$[^$]*(?=\$)|\$2.{27}(?=[^$]{31}$))/
/** A hash by SHA-1 has none. */
const PLAIN = /^[\da-f]{40}$/

/** Whether a text may be a token of another server. Few passwords are, so that hardly any login looks for one. */
export function isOldTokenLike(text: string): boolean {
  return SHAPE.test(text)
}

/** What is kept of a token of another server until it is used. */
export interface OldToken {
  readonly salt: string
  readonly hash: Buffer
}

/**
 * Reads what another server stored of a token: its salt, which tells the algorithm, is made from the id of the user there.
 * Undefined for a hash that no login could be checked by.
 */
export function readOldToken(stored: string, theirUser: number): OldToken | undefined {
  const [salt] = PLAIN.test(stored) ? [computeHash('sha1', String(theirUser))] : (SALT.exec(stored) ?? [])
  return salt !== undefined && isUsableSalt(salt) ? { salt, hash: digestSecret(stored) } : undefined
}

/** Stores what is kept of a token of another server. */
export async function storeOldToken(tx: Db, id: number, { salt, hash }: OldToken): Promise<void> {
  await rows(tx, sql`insert into old_tokens (personal_access_token_id, salt, hash) values (${id}, ${salt}, ${hash})`)
}

/**
 * Finds the token of another server that has this value, and stores its digest: from then on it is a token like others.
 * Answers whether there is one.
 */
export async function enableOldToken(db: Db, value: string, owner: number): Promise<boolean> {
  const kept = await rows<OldToken & { readonly id: number }>(
    db,
    sql`select t.id, o.salt, o.hash from old_tokens o join personal_access_tokens t on t.id = o.personal_access_token_id
      where t.user_id = ${owner} and not t.revoked and (t.expires_at is null or t.expires_at > now())`,
  )
  for (const salt of new Set(kept.map((one) => one.salt))) {
    const hash = digestSecret(await hashAsThere(value, salt))
    const found = kept.find((one) => one.salt === salt && hasSameBytes(one.hash, hash))
    if (!found) continue
    await rows(
      db,
      sql`with used as (delete from old_tokens where personal_access_token_id = ${found.id} returning personal_access_token_id as id)
        update personal_access_tokens t set token = ${digestSecret(value)} from used where t.id = used.id`,
    )
    return true
  }
  return false
}
