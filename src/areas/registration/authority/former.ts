import { X509Certificate } from 'node:crypto'
import { type Db, rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { isSignedBy, parseCertificates } from '../../../lib/certificates.ts'
import { sql } from '../../../sql.ts'

/** The purpose of an authority of another server is this word and its fingerprint. Its key is empty: it only verifies. */
const FORMER = 'former'

/** Lists the certificates (PEM) of the authorities of servers that hosts were registered with before. */
export async function listFormerAuthorities(db: Db): Promise<readonly string[]> {
  const found = await rows<{ certificate: string }>(
    db,
    sql`select certificate from certificate_authorities where purpose like ${`${FORMER} %`} order by id`,
  )
  return found.map(({ certificate }) => certificate)
}

/** Tells whether one of these authorities has signed a certificate. */
export async function isSignedByFormer(db: Db, certificate: X509Certificate): Promise<boolean> {
  const authorities = (await listFormerAuthorities(db)).map((pem) => new X509Certificate(pem))
  return authorities.some((one) => isSignedBy(certificate, one))
}

/**
 * Stores authorities (PEM, one or more) whose certificates hosts still have, and yields their subjects.
 * {@throws Failure} malformed, naming what is none, and then stores nothing
 */
export async function storeFormerAuthorities(db: Db, pem: string, now: Date): Promise<readonly string[]> {
  const certificates = readCertificates(pem)
  if (certificates.length === 0) throw new Failure('malformed', 'the file has no certificate in PEM format')
  for (const one of certificates) requireAuthority(one, now)
  const values = certificates.map(
    (one) => sql`(${`${FORMER} ${one.fingerprint256.replaceAll(':', '').toLowerCase()}`}, ${one.toString()}, '')`,
  )
  await sql`insert into certificate_authorities (purpose, certificate, key) values ${sql.join(values)}
    on conflict (purpose) do nothing`.execute(db)
  return certificates.map(formatSubject)
}

function readCertificates(pem: string): X509Certificate[] {
  try {
    return parseCertificates(pem)
  } catch (error) {
    throw new Failure('malformed', 'a certificate in the file cannot be read', {}, { cause: error })
  }
}

function requireAuthority(certificate: X509Certificate, now: Date): void {
  const subject = formatSubject(certificate)
  if (!certificate.ca) throw new Failure('malformed', `${subject} is the certificate of no authority`)
  if (certificate.validToDate < now)
    throw new Failure('malformed', `${subject} has expired at ${certificate.validToDate.toISOString()}`)
}

function formatSubject({ subject }: X509Certificate): string {
  return subject.replaceAll('\n', ', ')
}
