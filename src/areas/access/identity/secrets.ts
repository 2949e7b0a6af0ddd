import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What is stored of a random secret: enough to recognize it, useless to whoever reads the database. */
export function digestSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Compares without telling by its duration where the difference is. */
export function hasSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}

/**
 * Short names for secrets without NUL, equal for equal ones, that mean nothing outside of this process and after its end.
 * A key in front is enough, and five times as fast as an HMAC: nobody outside ever sees a result to extend.
 */
export function createFingerprint(): (...secrets: readonly string[]) => string {
  const key = randomBytes(32).toString('base64')
  return (...secrets) => hash('sha256', `${key}\0${secrets.join('\0')}`, 'base64')
}
