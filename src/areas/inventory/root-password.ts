import { createHash, randomBytes } from 'node:crypto'
import { encrypt, verify } from 'unixcrypt'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { type Encryption, isSealed, purposeOf } from '../../encryption/encryption.ts'
import { type Field, secret } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'

/** The methods to hash a root password that operating systems choose among (core-api §11). */
export type PasswordHash = 'MD5' | 'SHA256' | 'SHA512' | 'Base64' | 'Base64-Windows'

/** The tables with root passwords, of hosts and host groups. */
type Owner = 'hosts' | 'hostgroups'

/**
 * The field of a root password. The resource's `wrapWrite` hashes it, and encrypts the hash, with `sealDraftPassword`. It is also
 * the password of the boot loader.
 */
export function rootPassword(): Field<string | null> {
  const doc = 'Root password, at least 8 characters, or its hash; stored as a hash.'
  const field = secret({ min: 8, max: 255, clearable: true, sentTo: [], doc })
  return { ...field, secret: { sentTo: [], encrypted: true } }
}

/** Yields the hash of the root password of a host, its own or that of its group; those of earlier versions are not encrypted. */
export function openRootPassword({ decrypt }: Pick<Encryption, 'decrypt'>, stored: string | null): string | null {
  if (stored === null || !isSealed(stored)) return stored
  try {
    return decrypt(stored, passwordPurposeOf('hosts'))
  } catch {
    return decrypt(stored, passwordPurposeOf('hostgroups'))
  }
}

function passwordPurposeOf(table: Owner) {
  return purposeOf({ table, column: 'root_pass' })
}

/** Hashes and encrypts the root password of a draft as the operating system needs it; yields no field when none was sent. */
export async function sealDraftPassword(
  ctx: Context,
  table: Owner,
  { root_pass }: { readonly root_pass?: string | null },
  stored: { readonly root_pass: string | null } | null,
  operatingsystem: number | null | undefined,
): Promise<{ readonly root_pass?: string | null }> {
  if (root_pass === undefined) return {}
  const system = await row<{ method: PasswordHash }>(
    ctx.db,
    sql`select password_hash as method from operatingsystems where id = ${operatingsystem ?? null}::bigint`,
  )
  const before = openRootPassword(ctx.encryption, stored?.root_pass ?? null)
  const hash = hashRootPassword(root_pass, system?.method ?? 'SHA512', before)
  if (stored && hash === before) return { root_pass: stored.root_pass }
  if (hash === null || !ctx.encryption.isSealing()) return { root_pass: hash }
  return { root_pass: ctx.encryption.encrypt(hash, passwordPurposeOf(table)) }
}

/**
 * Hashes a root password by a method; text that is a hash already stays as it is. If `stored` is a hash of the password
 * it is kept, so that sending the password again changes nothing.
 */
export function hashRootPassword(plain: unknown, method: PasswordHash, stored: unknown = null): string | null {
  if (typeof plain !== 'string' || plain === '') return null
  if (isHash(plain) || plain === stored) return plain
  if (typeof stored === 'string' && isSame(plain, method, stored)) return stored
  switch (method) {
    case 'SHA512':
      return encrypt(plain)
    case 'SHA256':
      return encrypt(plain, `${PREFIX.SHA256}${createSalt(16)}`)
    case 'MD5':
      return computeMd5Crypt(plain, createSalt(8))
    case 'Base64':
      return Buffer.from(plain).toString('base64')
    case 'Base64-Windows':
      // The installer expects this word after the password, in UTF-16.
      return Buffer.from(`${plain}AdministratorPassword`, 'utf16le').toString('base64')
  }
}

const PREFIX = { MD5: '$1$', SHA256: '$5$', SHA512: '$6$', Base64: '', 'Base64-Windows': '' } as const

/** Whether text is a hash in the format of crypt(3): MD5-crypt, SHA-crypt, bcrypt, scrypt or yescrypt. */
function isHash(text: string): boolean {
  return /^\$(?:1|5|6|2[abxy]?|7|y|gy)\$[^\s:$]+(?:\$[^\s:$]+){1,3}$/.test(text)
}

/**
 * Whether a stored hash is that of this password. Only hashes in the forms that this module makes are compared: others
 * were sent as hashes, and might need hours or be invalid.
 */
function isSame(plain: string, method: PasswordHash, stored: string): boolean {
  if (method === 'Base64' || method === 'Base64-Windows' || !OWN[method].test(stored)) return false
  return method === 'MD5' ? computeMd5Crypt(plain, stored.split('$')[2] ?? '') === stored : verify(plain, stored)
}

const OWN = {
  MD5: /^\$1\$[./0-9A-Za-z]{1,8}\$[./0-9A-Za-z]{22}$/,
  SHA256: /^\$5\$[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{43}$/,
  SHA512: /^\$6\$[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{86}$/,
} as const

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function createSalt(length: number): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte & 63]).join('')
}

/** Computes MD5-crypt, for operating systems that know nothing newer. No maintained library has it. */
function computeMd5Crypt(plain: string, salt: string): string {
  const password = Buffer.from(plain)
  const computeMd5 = (...parts: (string | Buffer)[]) => {
    const hash = createHash('md5')
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  const alternate = computeMd5(password, salt, password)
  const first: (string | Buffer)[] = [password, PREFIX.MD5, salt]
  for (let left = password.length; left > 0; left -= 16) first.push(alternate.subarray(0, Math.min(16, left)))
  for (let bits = password.length; bits > 0; bits >>= 1)
    first.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1))
  let digest = computeMd5(...first)
  for (let round = 0; round < 1000; round++) {
    const parts: (string | Buffer)[] = [round & 1 ? password : digest]
    if (round % 3) parts.push(salt)
    if (round % 7) parts.push(password)
    parts.push(round & 1 ? digest : password)
    digest = computeMd5(...parts)
  }
  return `${PREFIX.MD5}${salt}$${encodeDigest(digest)}`
}

// The order in which MD5-crypt prints the bytes of its digest, four characters for three bytes.
const GROUPS = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const

function encodeDigest(digest: Buffer): string {
  const readByte = (index: number) => digest[index] ?? 0
  const groups = GROUPS.map(([a, b, c]) => encodeCharacters((readByte(a) << 16) | (readByte(b) << 8) | readByte(c), 4))
  return groups.join('') + encodeCharacters(readByte(11), 2)
}

function encodeCharacters(value: number, count: number): string {
  return Array.from({ length: count }, (_, index) => ALPHABET[(value >> (6 * index)) & 63]).join('')
}
