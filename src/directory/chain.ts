/** The certificate chain that a server presents, as a diagnosis shows it. */
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { Deadline } from './deadline.ts'
import { DirectoryError, type DirectoryErrorCode } from './errors.ts'
import { formatServer, type Resolver, type Server } from './servers.ts'
import type { DirectorySource } from './source.ts'
import { inspect, openTcp } from './transport.ts'

/** One certificate of a chain. */
export interface PresentedCertificate {
  readonly subject: string
  readonly issuer: string
  readonly names: string | null
  readonly valid_from: string
  readonly valid_to: string
  readonly fingerprint256: string
  /** Included so that an administrator can decide to trust the issuer. */
  readonly pem: string
}

/** The certificates that a server presented, and whether they are trusted. */
export interface Presentation {
  readonly server: string
  readonly protocol: string | null
  /** OpenSSL's code of the problem; null when the certificate is trusted. */
  readonly why_not_trusted: string | null
  /** Days until the first certificate of the chain expires. */
  readonly days_left: number
  readonly chain: readonly PresentedCertificate[]
}

const DAY_MS = 86_400_000

/** Describes the certificates that a server presented on an encrypted connection. */
export function describePresentation(server: Server, socket: TLSSocket): Presentation {
  const chain = listChain(socket.getPeerCertificate(true))
  const expiry = Math.min(...chain.map(({ valid_to }) => Date.parse(valid_to)))
  return {
    server: formatServer(server),
    protocol: socket.getProtocol(),
    why_not_trusted: socket.authorized ? null : String(socket.authorizationError),
    days_left: Math.floor((expiry - Date.now()) / DAY_MS),
    chain,
  }
}

/** Adds to a TLS error the chain that was not accepted. The chain is read on one more connection, which sends nothing. */
export async function withChain(
  error: unknown,
  security: DirectorySource['security'],
  server: Server,
  resolver: Resolver,
  limit: Deadline,
): Promise<unknown> {
  if (!(error instanceof DirectoryError) || !ABOUT_CERTIFICATES.has(error.code)) return error
  const socket = await openTcp(server, resolver, limit)
    .then((tcp) => inspect(tcp, server, security, limit))
    .catch(() => null)
  if (!socket) return error
  const found = describePresentation(server, socket)
  socket.destroy()
  const detail = error.details.detail ?? explainCode(error.code, found)
  return new DirectoryError(error.code, error.step, {
    ...error.details,
    detail,
    found: { ...found },
    cause: error.cause,
  })
}

const ABOUT_CERTIFICATES: ReadonlySet<DirectoryErrorCode> = new Set([
  'tls_untrusted',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_name',
])

function explainCode(code: DirectoryErrorCode, { chain }: Presentation): string | undefined {
  if (code === 'tls_untrusted') return `issued by ${chain.at(-1)?.issuer}`
  if (code === 'tls_expired') return `valid until ${chain.map(({ valid_to }) => valid_to).sort()[0]}`
  if (code === 'tls_not_yet_valid')
    return `valid from ${chain
      .map(({ valid_from }) => valid_from)
      .sort()
      .at(-1)}`
  return undefined
}

/** Lists the certificates from that of the server upward; the last one may name itself as its issuer. */
function listChain(certificate: DetailedPeerCertificate): PresentedCertificate[] {
  const chain: PresentedCertificate[] = []
  const seen = new Set<string>()
  for (let at = certificate; at?.fingerprint256 && !seen.has(at.fingerprint256); at = at.issuerCertificate) {
    seen.add(at.fingerprint256)
    chain.push({
      subject: formatName(at.subject),
      issuer: formatName(at.issuer),
      names: at.subjectaltname ?? null,
      valid_from: new Date(at.valid_from).toISOString(),
      valid_to: new Date(at.valid_to).toISOString(),
      fingerprint256: at.fingerprint256,
      pem: formatPem(at.raw),
    })
  }
  return chain
}

function formatName(name: object): string {
  return Object.entries(name)
    .flatMap(([attribute, value]) => [value].flat().map((one) => `${attribute}=${one}`))
    .join(', ')
}

function formatPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
