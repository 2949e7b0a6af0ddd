import { hash, parseOptions, verify } from '@node-rs/argon2'
import { isWrapped, verifyWrapped } from './old-hashes.ts'

/**
 * Default of the MiB that hashing takes. With three passes of argon2id (the library's default) it takes 50 to 100 ms of
 * one core, and resists parallel guessing.
 */
const MEMORY_MIB = 32
const PASSES = 3

/** The result of a check; a weakly hashed password should be hashed again. */
export type PasswordCheck = 'wrong' | 'right' | 'right_but_weakly_hashed'

/**
 * Hashes a password for storage. Unicode is normalized, so that it does not matter how a keyboard composes characters.
 */
export function hashPassword(password: string, memoryMiB = MEMORY_MIB): Promise<string> {
  return hash(password.normalize('NFC'), { memoryCost: memoryMiB * 1024, timeCost: PASSES, parallelism: 1 })
}

/**
 * Checks a password against a stored hash. `right_but_weakly_hashed` asks the caller to store a new hash. Without a
 * hash it takes as long as for a wrong password.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  memoryMiB = MEMORY_MIB,
): Promise<PasswordCheck> {
  if (stored === null) {
    await hashPassword(password, memoryMiB)
    return 'wrong'
  }
  if (isWrapped(stored)) return (await verifyWrapped(stored, password)) ? 'right_but_weakly_hashed' : 'wrong'
  if (!(await verify(stored, password.normalize('NFC')))) return 'wrong'
  return isCurrent(stored, memoryMiB) ? 'right' : 'right_but_weakly_hashed'
}

function isCurrent(stored: string, memoryMiB: number): boolean {
  const used = parseOptions(stored)
  return (
    stored.startsWith('$argon2id$') &&
    used.memoryCost === memoryMiB * 1024 &&
    used.timeCost === PASSES &&
    used.parallelism === 1
  )
}
