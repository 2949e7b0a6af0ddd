import { X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { createNetworkCheck } from '../../lib/networks.ts'
import { peerOf } from '../listeners/addresses.ts'

/** Yields the names in the client certificate of a request; null without a verified one. */
export type ReadClientNames = (request: FastifyRequest) => readonly string[] | null

/** Yields the client certificate of a request; null without a verified one. */
export type ReadClientCertificate = (request: FastifyRequest) => X509Certificate | null

/** Which web servers may report client certificates, and in which headers. */
export interface ClientCertificateOptions {
  /** Addresses and networks of trusted web servers. */
  readonly trustedProxies: readonly string[]
  /**
   * Names of the headers in which web servers report whether a client's certificate is verified (`SUCCESS`), its subject,
   * and the certificate itself.
   */
  readonly headers: { readonly verify: string; readonly subject: string; readonly certificate: string }
}

/**
 * Creates the reader of certificate names. Certificates are verified by this listener, or by a trusted web server in front
 * of it, which reports them in headers; headers from anybody else are ignored. Alternative names (DNS names and addresses)
 * count, the common name only where there are none (smart-parameters §5.2). `isOfMachine` decides whether a
 * certificate that this listener verified names machines; a certificate of a registered host names none.
 */
export function createClientNames(
  options: ClientCertificateOptions,
  isOfMachine: (certificate: X509Certificate) => boolean,
): ReadClientNames {
  const read = createReader(options)
  return (request) => {
    const presented = read(request)
    if (presented === null) return null
    if (presented.isVerifiedHere && presented.certificate && !isOfMachine(presented.certificate)) return null
    return presented.certificate ? namesOf(presented.certificate) : parseCommonName(presented.subject)
  }
}

/**
 * Creates the reader of the certificate itself, for requests that need more than its names; a web server in front has to
 * pass it on.
 */
export function createClientCertificate(options: ClientCertificateOptions): ReadClientCertificate {
  const read = createReader(options)
  return (request) => read(request)?.certificate ?? null
}

interface Presented {
  readonly certificate: X509Certificate | null
  /** The subject that a web server reports where it does not pass the certificate on. */
  readonly subject: string | null
  readonly isVerifiedHere: boolean
}

function createReader({ trustedProxies, headers }: ClientCertificateOptions) {
  const isProxy = createNetworkCheck(trustedProxies)
  const names = [headers.verify, headers.subject, headers.certificate].map((name) => name.toLowerCase())
  const [verify = '', subject = '', certificate = ''] = names
  return (request: FastifyRequest): Presented | null => {
    const { socket, rawHeaders } = request.raw
    if (socket instanceof TLSSocket && socket.authorized) {
      const presented = socket.getPeerX509Certificate()
      if (presented) return { certificate: presented, subject: null, isVerifiedHere: true }
    }
    if (!isProxy(peerOf(request))) return null
    // Repeated headers count for nothing: a web server that adds its own to one from the client would let the client choose.
    const readHeaders = (name: string) =>
      rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1)
    if (names.some((name) => readHeaders(name).length > 1) || readHeaders(verify)[0] !== 'SUCCESS') return null
    return {
      certificate: readCertificate(readHeaders(certificate)[0] ?? null),
      subject: readHeaders(subject)[0] ?? null,
      isVerifiedHere: false,
    }
  }
}

/** Parses the common name of a subject, `CN=a,O=b` or `/O=b/CN=a`, into a list of one; null for none and for several. */
export function parseCommonName(subject: string | null): readonly string[] | null {
  if (subject === null) return null
  const parts = subject.startsWith('/') ? subject.split('/') : subject.split(/(?<!\\)[,+\n]/)
  const found = parts.flatMap((part) => /^CN\s*=\s*(.+)$/i.exec(part.trim())?.[1] ?? [])
  return found.length === 1 ? found : null
}

function namesOf(certificate: X509Certificate): readonly string[] | null {
  const alternatives = (certificate.subjectAltName ?? '')
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([^"]+)$/.exec(entry)?.[1] ?? [])
  return alternatives.length > 0 ? alternatives : parseCommonName(certificate.subject)
}

/** Parses a PEM certificate in a header, newlines percent-encoded or replaced by blanks; null for what is none. */
function readCertificate(header: string | null): X509Certificate | null {
  if (header === null) return null
  try {
    const text = header.includes('%') ? decodeURIComponent(header) : header
    const content = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(text)?.[1] ?? ''
    return new X509Certificate(Buffer.from(content, 'base64'))
  } catch {
    return null
  }
}
