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

/** Encrypts what has to be known again, such as the password of a service account, before it is stored. */
export interface Encryption {
  readonly encrypt: (plain: string) => string
  /** {@throws Error} for what no known key encrypted, without saying what it was */
  readonly decrypt: (stored: string) => string
  /** The keys, the current one first. {@throws Error} when the file cannot be read any more */
  readonly marks: () => readonly KeyMark[]
  /** Where they are kept; null: nowhere. */
  readonly file: string | null
  /** Whether the file was made for this. */
  readonly isNew: boolean
}

/** What others may know of a key. */
export interface KeyMark {
  /** As stored secrets name it. */
  readonly name: string
  /** Made with the key, and says nothing of it. */
  readonly fingerprint: string
}

/** Where the keys are kept; null: nowhere, because the database does not outlive the process. */
export interface KeyPlace {
  readonly encryptionKeyFile: string | null
  readonly databaseUrl: string | null
  readonly dataDir: string
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The encryption of this configuration; the key file is created with one new key and mode 0600 when it is missing. */
export function encryptionOf(place: KeyPlace): Encryption
/** The encryption with the keys of the file, or null where the file is missing. */
export function encryptionOf(place: KeyPlace, file: 'existing'): Encryption | null
export function encryptionOf(place: KeyPlace, existing?: 'existing'): Encryption | null {
  if (place.encryptionKeyFile === null && place.databaseUrl === null && place.dataDir === 'memory') {
    const keys = [randomBytes(KEY_BYTES)]
    return encryptionWith(() => keys)
  }
  const file = keyFileOf(place)
  const found = readKeys(file)
  return found || !existing ? openEncryption(file, found) : null
}

/** The file with the keys: base64, one a line, the current one first. */
export function keyFileOf({ encryptionKeyFile, dataDir }: KeyPlace): string {
  return encryptionKeyFile ?? join(dataDir === 'memory' ? '.' : dataDir, 'encryption.key')
}

/**
 * Encrypts with the first key of a file and decrypts with any. Follows the file when it changes, so that a rotation needs
 * no restart. {@throws Error} naming the file when it holds anything but keys
 */
function openEncryption(file: string, found: readonly Buffer[] | null): Encryption {
  const made = found === null ? createKeys(file) : null
  let keys = made?.keys ?? found ?? []
  let read = stateOf(file)
  const kept = { file, isNew: made?.isNew ?? false }
  return encryptionWith(() => {
    const state = stateOf(file)
    if (state !== read) {
      keys = readKeys(file) ?? keys
      read = state
    }
    return keys
  }, kept)
}

/** A rotation puts another file in its place. */
function stateOf(file: string): string {
  const { ino, mtimeMs, size } = statSync(file)
  return `${ino} ${mtimeMs} ${size}`
}

/** A new key that is not in use yet. */
export function newKey(): { readonly key: Buffer; readonly mark: KeyMark } {
  const key = randomBytes(KEY_BYTES)
  return { key, mark: markOf(key) }
}

/** Puts a new key in front of a file; everything that was encrypted with the others can still be read. */
export function addKey(file: string, { key } = newKey()): void {
  writeKeys(file, [key, ...(readKeys(file) ?? [])])
}

/** Removes a file that was made for nothing. */
export function removeKeys(file: string): void {
  rmSync(file, { force: true })
}

/** Forgets all keys but the current one and the one before it, which a process may be using at this moment. */
export function forgetOldKeys(file: string): void {
  writeKeys(file, (readKeys(file) ?? []).slice(0, 2))
}

/** AES-256-GCM with the first key; stored as `<key id>.<nonce, ciphertext and tag in base64url>`. */
function encryptionWith(
  keys: () => readonly Buffer[],
  kept: Pick<Encryption, 'file' | 'isNew'> = { file: null, isNew: false },
): Encryption {
  return {
    ...kept,
    marks: () => keys().map(markOf),
    encrypt(plain) {
      const [current] = keys()
      if (!current) throw new Error('there is no key to encrypt with')
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current, nonce)
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${idOf(current)}.${sealed.toString('base64url')}`
    },
    decrypt(stored) {
      const [id = '', text = ''] = stored.split('.', 2)
      const key = keys().find((candidate) => idOf(candidate) === id)
      if (!key) throw new Error('a stored secret was encrypted with a key that is not in the key file')
      const sealed = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      return plain.toString('utf8')
    },
  }
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
 * Two processes may start at the same time: only one of them can create the file, and both use what it holds. It gets its
 * name when it is whole and on the disk, so that nobody reads half of it.
 */
function createKeys(file: string): { readonly keys: Buffer[]; readonly isNew: boolean } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const key = randomBytes(KEY_BYTES)
  const beside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeWhole(beside, [key])
    nameFirst(beside, file)
    return { keys: [key], isNew: true }
  } catch (error) {
    const keys = hasCode(error, 'EEXIST') ? readKeys(file) : null
    if (!keys) throw error
    return { keys, isNew: false }
  } finally {
    rmSync(beside, { force: true })
  }
}

/** {@throws} EEXIST where there is a file of that name. */
function nameFirst(beside: string, file: string): void {
  try {
    linkSync(beside, file)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].some((code) => hasCode(error, code))) throw error
    copyFileSync(beside, file, constants.COPYFILE_EXCL) // a file system without links
  }
}

function writeKeys(file: string, keys: readonly Buffer[]): void {
  const beside = `${file}.new`
  writeWhole(beside, keys)
  renameSync(beside, file)
}

function writeWhole(file: string, keys: readonly Buffer[]): void {
  const text = keys.map((key) => `${key.toString('base64')}\n`).join('')
  writeFileSync(file, text, { mode: 0o600, flush: true })
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
