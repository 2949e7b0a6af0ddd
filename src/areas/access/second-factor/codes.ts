import { createHmac, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

// What all applications support (RFC 6238): SHA-1, six digits, half a minute.
const PERIOD_S = 30
const COMMON = { algorithm: 'SHA1', digits: 6, period: PERIOD_S }
const SECRET_BYTES = 20

/** A new secret in base32, as applications read it. */
export function generateSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address that applications read from a QR code. */
export function formatOtpauthUrl(secret: string, label: string, issuer: string): string {
  return new TOTP({ ...COMMON, secret: Secret.fromBase32(secret), label, issuer }).toString()
}

/** Yields the period that a code belongs to: the present one, the one before or the one after; null for a wrong code. */
export function findStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...COMMON, token: code, secret: Secret.fromBase32(secret), timestamp, window: 1 })
  return delta === null ? null : TOTP.counter({ period: PERIOD_S, timestamp }) + delta
}

/** Whether a text looks like a code of an application, not like a recovery code. */
export function isTimeCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

const RECOVERY_CODES = 10
const RECOVERY_LETTERS = 16 // 80 bits
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789' // 32 letters and digits that nobody mistakes for another

/** Ten codes that count once each. */
export function generateRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(RECOVERY_LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length])
    return (letters.join('').match(/.{4}/g) ?? []).join('-')
  })
}

/** The stored form of a recovery code. Who reads the database only cannot compute it: the secret is encrypted there. */
export function digestRecoveryCode(secret: string, code: string): Buffer {
  return createHmac('sha256', secret)
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest()
}
