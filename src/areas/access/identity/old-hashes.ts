import { createHash, pbkdf2Sync } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { hashBcrypt } from './bcrypt.ts'

/** Begins hashes of passwords that come from another server: `$before$`, their salt, and the argon2id hash of that hash. */
const PREFIX = '$before$'

/** Whether a stored hash was wrapped. */
export function isWrapped(stored: string): boolean {
  return stored.startsWith(PREFIX)
}

/**
 * Hashes the hash of another server once more, so that a weak hash in an old backup does not open a login here. `seal` is the
 * present way to hash.
 */
export async function wrapHash(
  { salt, hash }: { readonly salt: string; readonly hash: string },
  seal: (text: string) => Promise<string>,
): Promise<string> {
  return `${PREFIX}${Buffer.from(salt).toString('base64url')}${await seal(hash)}`
}

/** Checks a password against a wrapped hash, by computing the hash that the other server had. */
export async function verifyWrapped(stored: string, password: string): Promise<boolean> {
  const end = stored.indexOf('$', PREFIX.length)
  const salt = Buffer.from(stored.slice(PREFIX.length, end), 'base64url').toString()
  return verify(stored.slice(end), hashAsThere(password, salt))
}

const PBKDF2 = /^\$pbkdf2sha1\$(\d+)\$(.*)$/s
/** Bytes of those hashes. */
const LENGTH = 39

/** Computes the hash as existing servers do; the salt tells the algorithm. */
function hashAsThere(password: string, salt: string): string {
  if (salt.startsWith('$2')) return hashBcrypt(password, salt)
  const [, iterations, text = ''] = PBKDF2.exec(salt) ?? []
  if (iterations === undefined)
    return createHash('sha1')
      .update(password + salt)
      .digest('hex')
  return `${salt}$${pbkdf2Sync(password, text, Number(iterations), LENGTH, 'sha1').toString('base64')}`
}
