import { existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type Db, row, rows } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { sql } from '../sql.ts'
import {
  type EncryptedColumn,
  type Encryption,
  encryptionOf,
  type KeyPlace,
  keyFileOf,
  removeKeys,
} from './encryption.ts'
import { selectEncrypted } from './hidden-values.ts'

/** The database's record of the key that its secrets are encrypted with. */
interface KnownKey {
  readonly name: string
  readonly fingerprint: string
  readonly next_fingerprint: string | null
  readonly host: string
  readonly file: string
}

/**
 * Opens the encryption after checking that the secrets in the database belong to its key. When processes start on a new
 * database with different keys, the first one wins. {@throws Failure} unavailable, which names the right file; a new
 * key file that is of no use is removed
 */
export async function openEncryption(
  db: Db,
  place: KeyPlace,
  columns: readonly EncryptedColumn[],
): Promise<Encryption> {
  const known = await loadKnownKey(db)
  if (known && isKept(place)) requireFile(place, known)
  const encryption = encryptionOf(place)
  if (encryption.file === null) return encryption
  try {
    if (!known) await claim(db, encryption, columns)
    return await remember(db, encryption)
  } catch (error) {
    if (encryption.isNew) removeKeys(encryption.file)
    throw error
  }
}

/**
 * Opens the encryption for a command that only reads: it stores nothing, and makes no key if the database knows one.
 * {@throws Failure} unavailable, which names the right file
 */
export async function openEncryptionToRead(db: Db, place: KeyPlace): Promise<Encryption> {
  const known = await loadKnownKey(db)
  if (known && isKept(place)) requireFile(place, known)
  const encryption = encryptionOf(place)
  if (known && encryption.file !== null) requireFit(encryption, known)
  return encryption
}

/**
 * Opens the encryption of a database whose key of this name is lost, with a new file of keys where there is none. {@throws Failure}
 * unavailable when the database has another key, or has it still
 */
export async function openWithoutKey(db: Db, place: KeyPlace, name: string): Promise<Encryption> {
  const known = await loadKnownKey(db)
  if (!known || !isKept(place)) throw new Failure('unavailable', 'No file of keys belongs to this database')
  if (known.name !== name)
    throw new Failure(
      'unavailable',
      `The secrets of this database are encrypted with the key ${known.name}, not ${name}`,
    )
  const file = resolve(keyFileOf(place))
  const present = encryptionOf(place, 'existing')
  if (present && canDecrypt(present.marks(), known))
    throw new Failure('unavailable', `The key ${name} is in ${file}: nothing is lost`)
  if (known.host === hostname() && known.file !== file && existsSync(known.file))
    throw new Failure(
      'unavailable',
      `The key ${name} was in ${known.file}, which is there: name that file (encryption-key-file)`,
    )
  return encryptionOf(place)
}

/** What there is to say of the file of keys of a database. */
interface KeyFileState {
  /** Null where the database knows no key, or keeps its keys in memory. */
  readonly file: string | null
  /** Why the file is of no use for this database. */
  readonly problem: string | null
  /** Whether others than its owner may read it. */
  readonly isOpenToOthers: boolean
}

/** Examines the file of keys, and changes nothing. */
export async function examineEncryptionKeys(db: Db, place: KeyPlace): Promise<KeyFileState> {
  const known = await loadKnownKey(db)
  const nothing = { file: null, problem: null, isOpenToOthers: false }
  if (!known || !isKept(place)) return nothing
  const file = resolve(keyFileOf(place))
  try {
    await openEncryptionToRead(db, place)
    return { file, problem: null, isOpenToOthers: (statSync(file).mode & 0o077) !== 0 }
  } catch (error) {
    return { ...nothing, file, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether this process can read and write the secrets of the database. {@throws Failure} when the database is away */
export async function areSecretsReadable(db: Db, { file, marks }: Encryption): Promise<boolean> {
  const known = await loadKnownKey(db)
  if (file === null) return true
  try {
    return known !== undefined && canDecrypt(marks(), known)
  } catch {
    return false // the file is missing, or does not hold keys
  }
}

/** Tells other processes which key comes first in this file now, so that processes with that key are accepted. */
export async function announceKey(db: Db, fingerprint: string): Promise<void> {
  await rows(db, sql`update encryption_keys set next_fingerprint = ${fingerprint}`)
}

/** Records that secrets are encrypted with the current key; call it in the transaction that encrypts them. */
export async function changeKey(tx: Db, { marks, file }: Encryption): Promise<void> {
  const [current] = marks()
  if (!current || file === null) return
  await rows(
    tx,
    sql`update encryption_keys set name = ${current.name}, fingerprint = ${current.fingerprint},
      next_fingerprint = nullif(next_fingerprint, ${current.fingerprint}),
      host = ${hostname()}, file = ${resolve(file)}, used_at = now()`,
  )
}

function isKept(place: KeyPlace): boolean {
  return !(place.encryptionKeyFile === null && place.databaseUrl === null && place.dataDir === 'memory')
}

/** Refuses a missing key file when the database knows its key: a new file would hold another key. */
function requireFile(place: KeyPlace, known: KnownKey): void {
  const encryption = encryptionOf(place, 'existing')
  if (!encryption) throw wrongFile(`There is no file ${resolve(keyFileOf(place))} of encryption keys`, known)
}

/**
 * Records the current key in a database that has no record of one. {@throws Failure} unavailable when secrets are stored
 * and the file has none of their keys
 */
async function claim(db: Db, { marks, file }: Encryption, columns: readonly EncryptedColumn[]): Promise<void> {
  const names = marks().map(({ name }) => name)
  const [current] = marks()
  const stored = await namesOfStored(db, columns)
  if (stored.length > 0 && !stored.some((name) => names.includes(name))) {
    const message = `The stored secrets are encrypted with the key ${stored.join(' or ')}, which is not in ${file}: put the file that holds it there, or name it with encryption-key-file`
    throw new Failure('unavailable', message)
  }
  await rows(
    db,
    sql`insert into encryption_keys (name, fingerprint, host, file)
      values (${current?.name}, ${current?.fingerprint}, ${hostname()}, ${resolve(file ?? '')}) on conflict do nothing`,
  )
}

async function namesOfStored(db: Db, columns: readonly EncryptedColumn[]): Promise<string[]> {
  const each = columns.map((column) => {
    const text = selectEncrypted(column, 't')
    return sql`select split_part(${text}, '.', 1) as name from ${sql.table(column.table)} t where ${text} is not null`
  })
  if (each.length === 0) return []
  const found = await rows<{ name: string }>(db, sql`${sql.join(each, sql` union `)} order by name`)
  return found.map(({ name }) => name)
}

/** Records where the key is used, and yields the encryption, which learns when hidden values begin to be encrypted. */
async function remember(db: Db, encryption: Encryption): Promise<Encryption> {
  requireFit(encryption, await loadKnownKey(db))
  const file = resolve(encryption.file ?? '')
  const known = await row<{ seconds: number }>(
    db,
    sql`update encryption_keys set host = ${hostname()}, file = ${file}, used_at = now()
      returning extract(epoch from sealing_from - now())::float8 as seconds`,
  )
  const from = Date.now() + (known?.seconds ?? 0) * 1000
  return { ...encryption, isSealing: () => Date.now() >= from }
}

function requireFit({ marks, file }: Encryption, known: KnownKey | undefined): void {
  if (known && canDecrypt(marks(), known)) return
  const message = `The encryption keys in ${resolve(file ?? '')} are not those of this database`
  throw known ? wrongFile(message, known) : new Failure('unavailable', message)
}

async function loadKnownKey(db: Db): Promise<KnownKey | undefined> {
  return row<KnownKey>(db, sql`select name, fingerprint, next_fingerprint, host, file from encryption_keys`)
}

/** Whether this process can decrypt what is stored, and other processes what it encrypts. */
function canDecrypt(
  marks: readonly { readonly fingerprint: string }[],
  { fingerprint, next_fingerprint }: KnownKey,
): boolean {
  const [current] = marks
  const writes = current?.fingerprint === fingerprint || current?.fingerprint === next_fingerprint
  return writes && marks.some((mark) => mark.fingerprint === fingerprint)
}

function wrongFile(problem: string, { name, host, file }: KnownKey): Failure {
  const message = `${problem}: the secrets of this database are encrypted with the key ${name}, which was used last on ${host} as ${file}. Use that file, or a copy of it (encryption-key-file); \`millwright keys give-up ${name}\` drops them where there is none`
  return new Failure('unavailable', message)
}
