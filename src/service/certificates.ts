import type { X509Certificate } from 'node:crypto'
import { listFormerAuthorities, openAuthority } from '../areas/registration/index.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { ClientCertificateOptions } from '../http/access/client-certificate.ts'
import { readListenerTls, withAuthorities } from '../http/listeners/tls.ts'
import { isSignedBy, parseCertificates } from '../lib/certificates.ts'

/** Authorities of client certificates, as they were last read. */
export interface ClientAuthorities {
  /** Authorities in `tls-client-ca`, which issue to machines. */
  ofMachines: readonly X509Certificate[]
  /** Authorities whose certificates identify registered hosts, and nothing else. */
  ofHosts: readonly X509Certificate[]
  /** Whether some of them come from a server before, which may have let others issue certificates, too. */
  isSomeImported: boolean
}

/**
 * Tells whether a certificate that a listener verified is one of a machine. With imported authorities, an authority in
 * `tls-client-ca` must have signed it itself: Node.js does not report which others lead from it to one that is trusted.
 */
export function isOfMachine(
  { ofMachines, ofHosts, isSomeImported }: ClientAuthorities,
  certificate: X509Certificate,
): boolean {
  const isSignedByOneOf = (authorities: readonly X509Certificate[]) =>
    authorities.some((one) => isSignedBy(certificate, one))
  return isSignedByOneOf(ofMachines) || (!isSomeImported && !isSignedByOneOf(ofHosts))
}

/**
 * Reads the certificate files. With TLS, a listener accepts client certificates of hosts registered here, or with a server
 * before; of other machines only by authorities in `tls-client-ca`.
 */
export async function readTls(
  config: Config,
  { db, encryption }: Pick<Context, 'db' | 'encryption'>,
  authorities: ClientAuthorities,
) {
  const tls = readListenerTls(config)
  if (!tls) return null
  const imported = await listFormerAuthorities(db)
  const ofHosts = [(await openAuthority(db, encryption)).certificate, ...imported]
  authorities.ofMachines = (tls.ca ?? []).flatMap(parseCertificates)
  authorities.ofHosts = ofHosts.flatMap(parseCertificates)
  authorities.isSomeImported = imported.length > 0
  return withAuthorities(tls, ofHosts)
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
