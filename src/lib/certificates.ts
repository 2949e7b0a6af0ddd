import { X509Certificate } from 'node:crypto'

const PEM_BLOCK = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g

/** Parses all certificates in a text in PEM format; none where there is none. {@throws Error} for one that cannot be read */
export function parseCertificates(pem: string): X509Certificate[] {
  return (pem.match(PEM_BLOCK) ?? []).map((block) => new X509Certificate(block))
}

/**
 * Tells whether a text holds certificates in PEM format, and nothing else in that format, such as a key or half a
 * certificate.
 */
export function isCertificates(pem: string): boolean {
  try {
    const { length } = parseCertificates(pem)
    return length > 0 && length === pem.split('-----BEGIN ').length - 1
  } catch {
    return false
  }
}

/** Tells whether an authority has signed a certificate. */
export function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}
