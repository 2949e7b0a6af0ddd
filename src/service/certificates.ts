import type { X509Certificate } from 'node:crypto'
import { listFormerAuthorities, openAuthority } from '../areas/registration/index.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { ClientCertificateOptions } from '../http/access/client-certificate.ts'
import { readListenerTls, withAuthorities } from '../http/listeners/tls.ts'
import { isSignedBy, parseCertificates } from '../lib/certificates.ts'

/** Authorities whose certificates identify registered hosts, and nothing else, as they were last read. */
export interface HostAuthorities {
  current: readonly X509Certificate[]
}

/** Tells whether an authority for registered hosts alone has signed a certificate. */
export function isOfHost({ current }: HostAuthorities, certificate: X509Certificate): boolean {
  return current.some((one) => isSignedBy(certificate, one))
}

/**
 * Reads the certificate files. With TLS, a listener accepts client certificates of hosts registered here, or with a server
 * before; of other machines only by authorities in `tls-client-ca`.
 */
export async function readTls(
  config: Config,
  { db, encryption }: Pick<Context, 'db' | 'encryption'>,
  hostAuthorities: HostAuthorities,
) {
  const tls = readListenerTls(config)
  if (!tls) return null
  const authorities = [(await openAuthority(db, encryption)).certificate, ...(await listFormerAuthorities(db))]
  const ofMachines = new Set(tls.ca?.flatMap(parseCertificates).map(({ fingerprint256 }) => fingerprint256))
  hostAuthorities.current = authorities
    .flatMap(parseCertificates)
    .filter(({ fingerprint256 }) => !ofMachines.has(fingerprint256))
  return withAuthorities(tls, authorities)
}

/** The headers in which trusted proxies pass client certificates on. */
export function certificateOptionsOf(config: Config): ClientCertificateOptions {
  const headers = {
    verify: config.clientVerifyHeader,
    subject: config.clientSubjectHeader,
    certificate: config.clientCertificateHeader,
  }
  return { trustedProxies: config.trustedProxies, headers }
}
