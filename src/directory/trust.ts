/** TLS: which certificates are trusted, and what went wrong. */
import type { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { parseCertificates } from '../lib/certificates.ts'
import { DirectoryError, type DirectoryErrorCode } from './errors.ts'

/**
 * Builds the trust of a source's connections: its own CA certificates and nothing else, or all that this machine trusts. An
 * own certificate may also be an intermediate one, or that of the server itself. Fails with `ca_unreadable`.
 */
export function trust(caCertificate: string | null): SecureContext {
  const ca = caCertificate?.trim() ? splitCertificates(caCertificate) : listSystemCertificates()
  return createSecureContext({ ca, minVersion: 'TLSv1.2', allowPartialTrustChain: true })
}

/** Translates the error of a failed handshake. Node names certificate errors by OpenSSL's codes. */
export function handshakeCodeOf(error: NodeJS.ErrnoException): DirectoryErrorCode {
  const code = error.code ?? ''
  if (CERTIFICATE_CODES[code]) return CERTIFICATE_CODES[code]
  if (code.startsWith('ERR_SSL_WRONG_VERSION') || code.startsWith('ERR_SSL_PACKET_LENGTH')) return 'tls_not_offered'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'tls_not_offered'
  return 'tls_failed'
}

const CERTIFICATE_CODES: Record<string, DirectoryErrorCode | undefined> = {
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_name',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_SIGNATURE_FAILURE: 'tls_untrusted',
  CERT_CHAIN_TOO_LONG: 'tls_untrusted',
  INVALID_CA: 'tls_untrusted',
  INVALID_PURPOSE: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
}

function splitCertificates(pem: string): string[] {
  const certificates = readCertificates(pem)
  if (certificates.length === 0) throw new DirectoryError('ca_unreadable', 'tls')
  return certificates.map(String)
}

function readCertificates(pem: string): X509Certificate[] {
  try {
    return parseCertificates(pem)
  } catch (cause) {
    throw new DirectoryError('ca_unreadable', 'tls', { cause })
  }
}

/**
 * Lists the certificates that this machine trusts: by itself Node trusts its built-in list only, not what administrators
 * added.
 */
function listSystemCertificates(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
}
