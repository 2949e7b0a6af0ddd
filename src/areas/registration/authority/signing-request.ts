import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import type { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import { Failure } from '../../../errors.ts'

/** Digests of accepted signatures by algorithm; Ed25519 has its own. */
const DIGESTS: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
}

const LONGEST = 20_000

/**
 * Reads the public key from a certificate signing request (RFC 2986, PEM) after verifying its signature. Its other
 * contents are ignored, because the service chooses names. {@throws Failure} malformed, naming `csr`
 */
export function readRequestKey(sent: unknown): KeyObject {
  if (typeof sent !== 'string' || sent.length > LONGEST) throw createRefusal('must be the text of a PEM file')
  const pem =
    /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/
  const content = pem.exec(sent)?.[1]
  if (content === undefined) throw createRefusal('must be a certificate signing request in PEM format')
  const { key, isProved } = read(Buffer.from(content, 'base64'))
  if (!isProved) throw createRefusal('is not signed with the private key of the public one in it')
  if (!isStrong(key))
    throw createRefusal('must be about a key on P-256, P-384, P-521 or Ed25519, or an RSA key of 2048 to 8192 bits')
  return key
}

function read(bytes: Buffer): { readonly key: KeyObject; readonly isProved: boolean } {
  try {
    const request = AsnConvert.parse(bytes, CertificationRequest)
    const info = request.certificationRequestInfoRaw ?? AsnConvert.serialize(request.certificationRequestInfo)
    const key = publicKeyOf(request.certificationRequestInfo.subjectPKInfo)
    const digest = DIGESTS[request.signatureAlgorithm.algorithm]
    if (digest === undefined)
      throw createRefusal('is signed by an algorithm that is not taken: use SHA-256, SHA-384, SHA-512 or Ed25519')
    return { key, isProved: verify(digest, Buffer.from(info), key, Buffer.from(request.signature)) }
  } catch (error) {
    throw error instanceof Failure ? error : createRefusal('is not a certificate signing request', error)
  }
}

function publicKeyOf(info: SubjectPublicKeyInfo): KeyObject {
  return createPublicKey({ key: Buffer.from(AsnConvert.serialize(info)), format: 'der', type: 'spki' })
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ed25519') return true
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'rsa') return modulusLength >= 2048 && modulusLength <= 8192
  return asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)
}

function createRefusal(reason: string, cause?: unknown): Failure {
  return new Failure('malformed', `csr ${reason}`, {}, { cause })
}
