import { listFormerAuthorities, openAuthority } from '../areas/registration/index.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { ClientCertificateOptions } from '../http/access/client-certificate.ts'
import { readListenerTls, withAuthorities } from '../http/listeners/tls.ts'

/** Reads the certificate files. With TLS, a listener accepts client certificates of hosts registered here, or with a server before. */
export async function readTls(config: Config, { db, encryption }: Pick<Context, 'db' | 'encryption'>) {
  const tls = readListenerTls(config)
  return (
    tls &&
    withAuthorities(tls, [(await openAuthority(db, encryption)).certificate, ...(await listFormerAuthorities(db))])
  )
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
