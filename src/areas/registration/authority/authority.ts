import { createPrivateKey, createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto'
import { type Db, row, rows } from '../../../database/sql.ts'
import { decryptIfPossible, type EncryptedColumn, type Encryption, purposeOf } from '../../../encryption/encryption.ts'
import { Failure } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import type { Issuer } from './certificate.ts'

/** The authority that signs the certificates of hosts. */
export interface Authority extends Issuer {
  /** The certificate of the authority itself, in PEM. */
  readonly certificate: string
  readonly publicKey: KeyObject
}

/** Validity begins this long before the present, because clocks of hosts may be slow. */
export const BACKDATED_MS = 86_400_000

/** The encrypted column that holds the authority's private key. */
export const AUTHORITY_KEY: EncryptedColumn = { table: 'certificate_authorities', column: 'key', row: ['purpose'] }

const PURPOSE = 'identity'

const NAME = 'Millwright host identities'
const YEARS = 30

/**
 * Opens the authority of this database, and creates it on first use; if several processes do that at once, the first
 * one wins. A process reads it once. Do not call it in a transaction, because others would wait for that.
 */
export function openAuthority(db: Db, encryption: Encryption): Promise<Authority> {
  const known = KNOWN.get(db) ?? { authority: findOrMake(db, encryption) }
  KNOWN.set(db, known)
  known.authority.catch(() => KNOWN.delete(db))
  return known.authority
}

const KNOWN = new WeakMap<Db, { readonly authority: Promise<Authority> }>()

/** Whether the authority has signed a certificate. */
export function isSignedBy({ publicKey }: Authority, certificate: X509Certificate): boolean {
  return certificate.verify(publicKey)
}

/** Loads the code that signs when it is first needed: its libraries are ninety files. */
export function loadSigning(): Promise<typeof import('./certificate.ts')> {
  return import('./certificate.ts')
}

async function findOrMake(db: Db, encryption: Encryption): Promise<Authority> {
  const found = await find(db, encryption)
  if (found) return found
  const { createIssuer, createKeyPair, signAuthority } = await loadSigning()
  const { privateKey } = await createKeyPair()
  const notBefore = new Date()
  const notAfter = new Date(notBefore)
  notAfter.setFullYear(notAfter.getFullYear() + YEARS)
  const { certificate } = signAuthority(createIssuer(privateKey, NAME), { notBefore, notAfter })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = encryption.encrypt(pem, purposeOf(AUTHORITY_KEY, PURPOSE))
  await rows(
    db,
    sql`insert into certificate_authorities (purpose, certificate, key) values (${PURPOSE}, ${certificate}, ${key})
      on conflict (purpose) do nothing`,
  )
  const made = await find(db, encryption)
  if (!made) throw new Error('the authority that was stored a moment ago is gone')
  return made
}

async function find(db: Db, encryption: Encryption): Promise<Authority | null> {
  const stored = await row<{ certificate: string; key: string }>(
    db,
    sql`select certificate, key from certificate_authorities where purpose = ${PURPOSE}`,
  )
  if (!stored) return null
  const { createIssuer } = await loadSigning()
  const pem = decryptIfPossible(encryption, stored.key, purposeOf(AUTHORITY_KEY, PURPOSE))
  if (pem === null) throw new Failure('unavailable', 'The key that signs certificates of hosts cannot be decrypted')
  const key = createPrivateKey(pem)
  return { ...createIssuer(key, NAME), certificate: stored.certificate, publicKey: createPublicKey(key) }
}
