import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../lib/sync-folder.ts'

/** Encrypts secrets that have to be known again, such as the password of a service account, before they are stored. */
export interface Encryption {
  readonly encrypt: (plain: string, purpose: Purpose) => string
  /**
   * {@throws Error} when no known key fits, or the value was made for another purpose, without telling anything of the
   * secret
   */
  readonly decrypt: (stored: string, purpose: Purpose) => string
  /** Describes the keys, the current one first. {@throws Error} when the key file cannot be read any more */
  readonly marks: () => readonly KeyMark[]
  /** Whether hidden values are stored encrypted: not while processes may run that cannot read them so (decision 0065). */
  readonly isSealing: () => boolean
  /** Path of the key file; null when keys are only in memory. */
  readonly file: string | null
  /** Whether the key file was just created. */
  readonly isNew: boolean
}

/** What an encrypted value is made for. It is authenticated, so that the value opens nothing else. */
export interface Purpose {
  readonly text: string
  /** Whether values that versions before have stored are read, which do not say what they were made for. */
  readonly readsOlder: boolean
}

/** A column that holds encrypted secrets. */
export interface EncryptedColumn {
  readonly table: string
  readonly column: string
  /** Columns that name the row of a value, where that is known when it is encrypted. */
  readonly row?: readonly string[]
}

/** The purpose of the values of a column; `row` are the values of its `row` columns. */
export function purposeOf({ table, column }: EncryptedColumn, ...row: readonly (string | number)[]): Purpose {
  return { text: JSON.stringify(['column', table, column, ...row.map(String)]), readsOlder: true }
}

/**
 * Decrypts a secret without which something still works. One whose key is lost, or that was made for something else, counts as
 * missing.
 */
export function decryptIfPossible(
  { decrypt }: Pick<Encryption, 'decrypt'>,
  stored: string | null,
  purpose: Purpose,
): string | null {
  try {
    return stored === null ? null : decrypt(stored, purpose)
  } catch {
    return null
  }
}

/** Whether a text looks like an encrypted value, which names its purpose. */
export function isSealed(text: string): boolean {
  return /^[0-9a-f]{8}\.[\w-]+\.2$/.test(text)
}

/** The facts of a key that are no secret. */
export interface KeyMark {
  /** The name of the key in stored secrets. */
  readonly name: string
  /** A digest made with the key, in hexadecimal digits; it does not reveal the key. */
  readonly fingerprint: string
}

/**
 * The part of the configuration that says where the keys are kept: in the file that it names, or else in the data
 * directory; in memory only where the database is, too.
 */
export interface KeyPlace {
  readonly encryptionKeyFile: string | null
  readonly databaseUrl: string | null
  readonly dataDir: string
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Opens the encryption of this configuration. A missing key file is created, with one new key and mode 0600. */
export function encryptionOf(place: KeyPlace): Encryption
/** Opens the encryption with an existing key file; null when it is missing. */
export function encryptionOf(place: KeyPlace, file: 'existing'): Encryption | null
export function encryptionOf(place: KeyPlace, existing?: 'existing'): Encryption | null {
  if (place.encryptionKeyFile === null && place.databaseUrl === null && place.dataDir === 'memory') {
    const keys = [randomBytes(KEY_BYTES)]
    return createEncryption(() => keys)
  }
  const file = keyFileOf(place)
  const found = readKeys(file)
  return found || !existing ? openEncryption(file, found) : null
}

/** The path of the key file: one key in base64 a line, the current one first. */
export function keyFileOf({ encryptionKeyFile, dataDir }: KeyPlace): string {
  return encryptionKeyFile ?? join(dataDir === 'memory' ? '.' : dataDir, 'encryption.key')
}

/**
 * Encrypts with the first key of a file and decrypts with any. The file is read again when it changes, so that a
 * rotation needs no restart. {@throws Error} naming the file when it holds anything but keys
 */
function openEncryption(file: string, found: readonly Buffer[] | null): Encryption {
  const made = found === null ? createKeys(file) : null
  let keys = made?.keys ?? found ?? []
  let read = stateOf(file)
  const kept = { file, isNew: made?.isNew ?? false }
  return createEncryption(() => {
    const state = stateOf(file)
    if (state !== read) {
      keys = readKeys(file) ?? keys
      read = state
    }
    return keys
  }, kept)
}

/** Identifies the present file: a rotation replaces it by another. */
function stateOf(file: string): string {
  const { ino, mtimeMs, size } = statSync(file)
  return `${ino} ${mtimeMs} ${size}`
}

/** Creates a key without using it. */
export function createKey(): { readonly key: Buffer; readonly mark: KeyMark } {
  const key = randomBytes(KEY_BYTES)
  return { key, mark: markOf(key) }
}

/** Puts a key first in the file. What was encrypted with the others can still be decrypted. */
export function addKey(file: string, { key } = createKey()): void {
  writeKeys(file, [key, ...(readKeys(file) ?? [])])
}

/** Removes a key file that was created and not needed. */
export function removeKeys(file: string): void {
  rmSync(file, { force: true })
}

/** Drops all keys but the current one and the one before, which some process may still be using. */
export function forgetOldKeys(file: string): void {
  writeKeys(file, (readKeys(file) ?? []).slice(0, 2))
}

/** Ends values whose purpose is authenticated; what versions before have stored ends without it. */
const WITH_PURPOSE = '2'

/** AES-256-GCM with the first key; stored as `<key id>.<nonce, ciphertext and tag in base64url>.2`. */
function createEncryption(
  keys: () => readonly Buffer[],
  kept: Pick<Encryption, 'file' | 'isNew'> = { file: null, isNew: false },
): Encryption {
  return {
    ...kept,
    marks: () => keys().map(markOf),
    isSealing: () => true,
    encrypt(plain, { text }) {
      const [current] = keys()
      if (!current) throw new Error('there is no key to encrypt with')
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current, nonce).setAAD(Buffer.from(text))
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${idOf(current)}.${sealed.toString('base64url')}.${WITH_PURPOSE}`
    },
    decrypt(stored, { text, readsOlder }) {
      const [id = '', sealed = '', format] = stored.split('.')
      const key = keys().find((candidate) => idOf(candidate) === id)
      if (!key) throw new Error('a stored secret was encrypted with a key that is not in the key file')
      if (format === WITH_PURPOSE) return open(key, sealed, text)
      if (format === undefined && readsOlder) return open(key, sealed, null)
      throw new Error('an encrypted value does not say what it was made for')
    },
  }
}

/** Decrypts what is sealed for a purpose; null for none. {@throws Error} */
function open(key: Buffer, text: string, purpose: string | null): string {
  const sealed = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  if (purpose !== null) decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  return plain.toString('utf8')
}

function markOf(key: Buffer): KeyMark {
  return { name: idOf(key), fingerprint: createHmac('sha256', key).update(FINGERPRINT_OF).digest('hex') }
}

const FINGERPRINT_OF = 'millwright encryption key'

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

function readKeys(file: string): Buffer[] | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const keys = lines.map((line) => Buffer.from(line.trim(), 'base64'))
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(
      `${file} is not a file of encryption keys: it must hold keys of ${KEY_BYTES} bytes in base64, one a line`,
    )
  }
  return keys
}

/**
 * Creates the key file. When two processes start at once, one of them creates it and both use it. The file gets its
 * name once it is complete and on the disk, so that no process reads a part of it.
 */
function createKeys(file: string): { readonly keys: Buffer[]; readonly isNew: boolean } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const key = randomBytes(KEY_BYTES)
  const beside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeWhole(beside, [key])
    linkFinished(beside, file)
    for (const folder of [dirname(file), dirname(dirname(file))]) syncFolder(folder)
    return { keys: [key], isNew: true }
  } catch (error) {
    const keys = hasCode(error, 'EEXIST') ? readKeys(file) : null
    if (!keys) throw error
    return { keys, isNew: false }
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Names the finished file. {@throws} EEXIST when there is one of that name */
function linkFinished(beside: string, file: string): void {
  try {
    linkSync(beside, file)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].some((code) => hasCode(error, code))) throw error
    copyFileSync(beside, file, constants.COPYFILE_EXCL) // file systems without hard links
  }
}

function writeKeys(file: string, keys: readonly Buffer[]): void {
  const beside = `${file}.new`
  writeWhole(beside, keys)
  renameSync(beside, file)
  syncFolder(dirname(file))
}

function writeWhole(file: string, keys: readonly Buffer[]): void {
  const text = keys.map((key) => `${key.toString('base64')}\n`).join('')
  writeFileSync(file, text, { mode: 0o600, flush: true })
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
