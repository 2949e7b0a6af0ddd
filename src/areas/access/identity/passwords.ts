import { hash, parseOptions, verify } from '@node-rs/argon2'

/**
 * MiB that hashing a password takes unless the configuration says otherwise. With three passes of argon2id (the library's
 * default) it takes 50 to 100 ms of one core, and resists parallel guessing.
 */
const MEMORY_MIB = 32
const PASSES = 3

const LONGEST_PASSWORD = 1024

export type PasswordCheck = 'wrong' | 'right' | 'right_but_weakly_hashed'

/** The text to store for a password. The same password typed on another keyboard (composed or not) is the same password. */
export function hashPassword(password: string, memoryMiB = MEMORY_MIB): Promise<string> {
  return hash(password.normalize('NFC'), { memoryCost: memoryMiB * 1024, timeCost: PASSES, parallelism: 1 })
}

/**
 * Whether the password belongs to the stored hash; `right_but_weakly_hashed` asks the caller to store a new one. Without
 * a hash (nobody has that login, or nobody may log in with a password there) it takes as long as a wrong password.
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
  if (!(await verify(stored, password.normalize('NFC')))) return 'wrong'
  return isCurrent(stored, memoryMiB) ? 'right' : 'right_but_weakly_hashed'
}

/** False for what no account can have as a password, so that nothing needs to be computed or looked up for it. */
export function isPossiblePassword(password: string): boolean {
  return password.length > 0 && password.length <= LONGEST_PASSWORD && !password.includes('\0')
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
