import { Server as TlsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { readPem, refuseUnusableTls } from '../../areas/proxies/index.ts'

/** Paths of PEM files: certificate and key of a listener, and the authorities of client certificates; null for none. */
export interface TlsFiles {
  readonly tlsCertificate: string | null
  readonly tlsKey: string | null
  readonly tlsClientCa: string | null
}

/** Certificate and key of a listener, and the authorities of client certificates, as PEM. */
export interface ListenerTls {
  readonly cert: string
  readonly key: string
  readonly ca?: readonly string[]
  /** Whether clients are asked for a certificate. They need none: each request decides what is possible without one. */
  readonly requestCert: boolean
  readonly rejectUnauthorized: false
}

/** Reads the files of a listener; null for plain HTTP. {@throws Error} naming what is missing or cannot be used */
export function readListenerTls({ tlsCertificate, tlsKey, tlsClientCa }: TlsFiles): ListenerTls | null {
  if ((tlsCertificate === null) !== (tlsKey === null))
    throw new Error('tls-certificate and tls-key go together: set both or neither')
  if (tlsCertificate === null || tlsKey === null) {
    if (tlsClientCa !== null) throw new Error('tls-client-ca needs tls-certificate and tls-key')
    return null
  }
  const cert = readPem(tlsCertificate, 'CERTIFICATE', 'tls-certificate')
  const key = readPem(tlsKey, 'PRIVATE KEY', 'tls-key')
  refuseUnusableTls(`tls-certificate and tls-key: ${tlsCertificate}, ${tlsKey}`, { cert, key })
  if (tlsClientCa === null) return { cert, key, requestCert: false, rejectUnauthorized: false }
  const ca = readPem(tlsClientCa, 'CERTIFICATE', 'tls-client-ca')
  refuseUnusableTls(`tls-client-ca: ${tlsClientCa}`, { ca })
  return { cert, key, ca: [ca], requestCert: true, rejectUnauthorized: false }
}

/** Adds authorities for client certificates (PEM) to the options of a listener; null, for plain HTTP, stays null. */
export function withAuthorities<Tls extends ListenerTls | null>(tls: Tls, certificates: readonly string[]): Tls {
  return tls && { ...tls, ca: [...(tls.ca ?? []), ...certificates], requestCert: true }
}

/** Changes the certificate for new connections; open ones keep theirs. */
export function setCertificate({ server }: Pick<FastifyInstance, 'server'>, { cert, key, ca }: ListenerTls): void {
  if (server instanceof TlsServer) server.setSecureContext({ cert, key, ...(ca && { ca: [...ca] }) })
}
