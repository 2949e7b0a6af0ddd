import { hash, parseOptions, verify } from '@node-rs/argon2'

/** argon2id (the library's default): 32 MiB and three passes take 50 to 100 ms of one core, and resist parallel guessing. */
const PARAMETERS = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const

const LONGEST_PASSWORD = 1024

export type PasswordCheck = 'wrong' | 'right' | 'right_but_weakly_hashed'

/** The text to store for a password. The same password typed on another keyboard (composed or not) is the same password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), PARAMETERS)
}

/**
 * Whether the password belongs to the stored hash; `right_but_weakly_hashed` asks the caller to store a new one. Without
 * a hash (nobody has that login, or nobody may log in with a password there) it takes as long as a wrong password.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<PasswordCheck> {
  if (stored === null) {
    await hashPassword(password)
    return 'wrong'
  }
  if (!(await verify(stored, password.normalize('NFC')))) return 'wrong'
  return isCurrent(stored) ? 'right' : 'right_but_weakly_hashed'
}

/** False for what no account can have as a password, so that nothing needs to be computed or looked up for it. */
export function isPossiblePassword(password: string): boolean {
  return password.length > 0 && password.length <= LONGEST_PASSWORD && !password.includes('\0')
}

function isCurrent(stored: string): boolean {
  const used = parseOptions(stored)
  return (
    stored.startsWith('$argon2id$') &&
    used.memoryCost === PARAMETERS.memoryCost &&
    used.timeCost === PARAMETERS.timeCost &&
    used.parallelism === PARAMETERS.parallelism
  )
}
