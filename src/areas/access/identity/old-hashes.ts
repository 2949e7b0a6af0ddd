import { createHash, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'
import { invalid } from '../../../errors.ts'

/** Begins hashes of passwords that come from another server: `$before$`, their salt, and the argon2id hash of that hash. */
const PREFIX = '$before$'

/** Whether a stored hash was wrapped. */
export function isWrapped(stored: string): boolean {
  return stored.startsWith(PREFIX)
}

/** A higher cost keeps a login busy for seconds; existing servers use 4. */
const BCRYPT_SALT = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{22}/
/** Existing servers use 50,000. */
const MOST_ITERATIONS = 10_000_000

/**
 * Hashes the hash of another server once more, so that a weak hash in an old backup does not open a login here. `seal` is the
 * present way to hash. {@throws Failure} invalid for a salt that no login could be checked by
 */
export async function wrapHash(
  { salt, hash }: { readonly salt: string; readonly hash: string },
  seal: (text: string) => Promise<string>,
): Promise<string> {
  if (!isUsableSalt(salt)) throw invalid({ password: ['has a salt of an unknown form'] })
  return `${PREFIX}${Buffer.from(salt).toString('base64url')}${await seal(hash)}`
}

/** Whether a login can be checked by this salt within a second or so. */
export function isUsableSalt(salt: string): boolean {
  if (salt.startsWith('$2')) return BCRYPT_SALT.test(salt)
  const [, iterations = '1'] = PBKDF2.exec(salt) ?? []
  return Number(iterations) >= 1 && Number(iterations) <= MOST_ITERATIONS
}

/** Checks a password against a wrapped hash, by computing the hash that the other server had. */
export async function verifyWrapped(stored: string, password: string): Promise<boolean> {
  const end = stored.indexOf('$', PREFIX.length)
  const salt = Buffer.from(stored.slice(PREFIX.length, end), 'base64url').toString()
  return verify(stored.slice(end), await hashAsThere(password, salt))
}

const PBKDF2 = /^\$pbkdf2sha1\$(\d+)\$(.*)$/s
/** Bytes of those hashes. */
const LENGTH = 39

/** Computes the hash as existing servers do; the salt tells the algorithm. */
export async function hashAsThere(password: string, salt: string): Promise<string> {
  // Loaded when it is needed: after their first login, users have hashes of this service.
  if (salt.startsWith('$2')) return (await import('bcryptjs')).hash(password, salt)
  const [, iterations, text = ''] = PBKDF2.exec(salt) ?? []
  if (iterations === undefined)
    return createHash('sha1')
      .update(password + salt)
      .digest('hex')
  const hash = await promisify(pbkdf2)(password, text, Number(iterations), LENGTH, 'sha1')
  return `${salt}$${hash.toString('base64')}`
}
