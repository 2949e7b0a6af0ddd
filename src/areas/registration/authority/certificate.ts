import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  ExtendedKeyUsage,
  Extension,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_kp_clientAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Time,
} from '@peculiar/asn1-x509'

/** Tags of DER (X.690), the encoding of certificates. */
export const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  directoryName: 0xa4,
} as const

/** Encodes a value in DER: tag, length and contents. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

/** Encodes a length (X.690 8.1.3): short ones as a byte, long ones behind the number of their bytes. */
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}

/** A signer of certificates, with the encoded parts that all of them share. */
export interface Issuer {
  readonly key: KeyObject
  readonly name: Buffer
  readonly algorithm: Buffer
  /** Extensions that all certificates of hosts have. */
  readonly extensions: readonly Buffer[]
}

/** The content of a host's certificate (RFC 5280). */
export interface Identity {
  readonly uuid: string
  /** Label of the organization. */
  readonly owner: string
  readonly hostName: string
  readonly publicKey: KeyObject
  readonly notBefore: Date
  readonly notAfter: Date
}

/** A certificate that our authority has signed. */
export interface SignedCertificate {
  /** The certificate in PEM. */
  readonly certificate: string
  /** The serial number in decimal digits. */
  readonly serial: string
}

/** Creates a pair of keys on the curve P-256. */
export function createKeyPair(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return generateKeys('ec', { namedCurve: 'P-256' })
}

const generateKeys = promisify(generateKeyPair)

/** Creates the signer for a key and its name. */
export function createIssuer(key: KeyObject, commonName: string): Issuer {
  const identifier = new KeyIdentifier(
    bufferOf(identifierOf(createPublicKey(key).export({ type: 'spki', format: 'der' }))),
  )
  return {
    key,
    name: nameOf([COMMON_NAME, commonName]),
    algorithm: encodeAsn(new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })),
    extensions: [
      encodeExtension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      encodeExtension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      encodeExtension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_clientAuth])),
      encodeExtension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: identifier })),
    ],
  }
}

/** Signs a certificate that identifies a host to this service, and is valid for nothing else. */
export function signIdentity(issuer: Issuer, identity: Identity): SignedCertificate {
  const subject = nameOf([COMMON_NAME, identity.uuid], [ORGANIZATION, identity.owner])
  // Clients show this name as the one that they are registered under.
  const alternative = encodeDer(TAG.sequence, encodeDer(TAG.directoryName, nameOf([COMMON_NAME, identity.hostName])))
  return signCertificate(issuer, subject, identity, [
    ...issuer.extensions,
    encodePlainExtension(ALTERNATIVE_NAME, alternative),
  ])
}

/** Signs the issuer's own certificate, which may sign certificates of hosts only. */
export function signAuthority(issuer: Issuer, validity: Pick<Identity, 'notBefore' | 'notAfter'>): SignedCertificate {
  return signCertificate(issuer, issuer.name, { ...validity, publicKey: createPublicKey(issuer.key) }, [
    encodeExtension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
    encodeExtension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
  ])
}

// Object identifiers of RFC 5280, encoded.
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ORGANIZATION = Buffer.from('060355040a', 'hex')
const KEY_IDENTIFIER = Buffer.from('0603551d0e', 'hex')
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex')
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const VERSION_3 = encodeDer(TAG.version, encodeDer(TAG.integer, Buffer.from([2])))

/**
 * Assembles and signs a certificate (RFC 5280, 4.1). The library encodes only the shared parts: encoding every
 * certificate with it would take longer than the rest of a registration.
 */
function signCertificate(
  issuer: Issuer,
  subject: Buffer,
  { publicKey, notBefore, notAfter }: Pick<Identity, 'publicKey' | 'notBefore' | 'notAfter'>,
  extensions: readonly Buffer[],
): SignedCertificate {
  const serial = createSerial()
  const info = publicKey.export({ type: 'spki', format: 'der' })
  const identifier = encodePlainExtension(KEY_IDENTIFIER, encodeDer(TAG.octets, identifierOf(info)))
  const content = encodeDer(
    TAG.sequence,
    VERSION_3,
    encodeDer(TAG.integer, serial),
    issuer.algorithm,
    issuer.name,
    encodeDer(TAG.sequence, encodeAsn(new Time(notBefore)), encodeAsn(new Time(notAfter))),
    subject,
    info,
    encodeDer(TAG.extensions, encodeDer(TAG.sequence, ...extensions, identifier)),
  )
  const signature = encodeDer(TAG.bits, Buffer.from([0]), sign('sha256', content, issuer.key))
  const text = encodeDer(TAG.sequence, content, issuer.algorithm, signature).toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
    serial: BigInt(`0x${serial.toString('hex')}`).toString(),
  }
}

/** A random positive number of 16 bytes. */
function createSerial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** The identifier of a key: a digest of it (RFC 5280, 4.2.1.2). */
function identifierOf(info: Buffer): Buffer {
  return createHash('sha1').update(info).digest()
}

function nameOf(...parts: readonly (readonly [type: Buffer, value: string])[]): Buffer {
  const attributes = parts.map(([type, value]) =>
    encodeDer(TAG.sequence, type, encodeDer(TAG.utf8, Buffer.from(value))),
  )
  return encodeDer(TAG.sequence, ...attributes.map((attribute) => encodeDer(TAG.set, attribute)))
}

/** Encodes an extension that is not critical. */
function encodePlainExtension(type: Buffer, value: Buffer): Buffer {
  return encodeDer(TAG.sequence, type, encodeDer(TAG.octets, value))
}

function encodeExtension(extnID: string, value: object, critical = false): Buffer {
  return encodeAsn(new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) }))
}

function encodeAsn(value: object): Buffer {
  return Buffer.from(AsnConvert.serialize(value))
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
