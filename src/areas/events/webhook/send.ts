import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import {
  formatPrintable,
  formatTrouble,
  type HttpProxy,
  type ProxyAnswer,
  sendRequest,
  trustOf,
} from '../../proxies/index.ts'
import { type AddressCheck, RefusedAddressError } from './addresses.ts'

/** One attempt to send a message to a receiver. */
export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly method: string
  readonly type: string
  readonly verifies: boolean
  /** Authorities (PEM) that are trusted instead of those of the machine. */
  readonly authorities: string | null
  readonly through: HttpProxy | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What came back: an answer, or the reason why there is none. */
export type Outcome = { readonly answer: ProxyAnswer } | { readonly error: string }

/** So much of an answer is read and kept. */
const MOST_BYTES = 4096

/** Sends a message. Redirects are answers like others; a connection is made to an address that was checked, to no other. */
export async function sendMessage(addresses: AddressCheck, message: Message): Promise<Outcome> {
  const { url, headers, body, method, type, verifies, authorities, through, timeoutMs, signal } = message
  const target = new URL(url)
  const trust = target.protocol === 'https:' ? findTrust(authorities) : null
  if (trust === 'unreadable') return { error: 'the certificates in ssl_ca_certs cannot be read' }
  const found = await resolveWithin(addresses, target.hostname, timeoutMs)
  if ('error' in found) return found
  const end = await sendRequest({
    to: {
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port,
      path: `${target.pathname}${target.search}`,
      lookup: answerAlways(found),
      ...(trust && !verifies && { rejectUnauthorized: false }),
    },
    trust,
    through,
    form: null,
    method,
    text: { type: type.includes(';') ? type : `${type}; charset=utf-8`, content: body },
    headers,
    timeoutMs,
    signal,
    onBody: () => undefined,
    mostBytes: MOST_BYTES,
  })
  if ('status' in end) return { answer: end }
  if ('trouble' in end) {
    const { reason, detail = '' } = end.trouble
    if (reason === 'connection_lost') return { error: `the connection was lost ${detail}` }
    return { error: TROUBLES.get(reason) ?? formatTrouble(end.trouble) }
  }
  return { error: 'late' in end ? `no answer within ${timeoutMs / 1000} seconds` : 'interrupted' }
}

/** Faults of receivers, with the fields of webhooks that repair them; other sentences name no side. */
const TROUBLES: ReadonlyMap<string, string> = new Map([
  [
    'tls_untrusted',
    'the certificate of the receiver is not signed by a trusted authority; store the certificate of its authority in ssl_ca_certs',
  ],
  ['tls_expired', 'a certificate of the receiver is not valid today; have it renewed; check the clocks'],
  ['tls_name', 'the certificate of the receiver is for another name; use a name of the certificate in target_url'],
  ['tls_not_offered', 'the port does not speak TLS; check the port, or use http:// in target_url'],
  ['tls_failed', 'the TLS handshake failed; check which TLS versions the receiver offers (1.2 is needed)'],
  ['certificate_refused', 'the receiver wants a TLS certificate, which webhooks do not send; use another path to it'],
  ['closed_early', 'the connection was closed before anything was sent; look into the log of the receiver'],
])

function findTrust(authorities: string | null) {
  if (authorities === null || authorities.trim() === '') return trustOf()
  try {
    return createSecureContext({ ca: authorities, minVersion: 'TLSv1.2', allowPartialTrustChain: true })
  } catch {
    return 'unreadable'
  }
}

type Resolved = Awaited<ReturnType<AddressCheck['resolve']>>

async function resolveWithin(
  addresses: AddressCheck,
  host: string,
  timeoutMs: number,
): Promise<Resolved | { readonly error: string }> {
  const { promise: late, resolve } = Promise.withResolvers<{ readonly error: string }>()
  const timer = setTimeout(() => resolve({ error: `${host} was not resolved in time` }), timeoutMs)
  try {
    return await Promise.race([addresses.resolve(host), late])
  } catch (error) {
    if (error instanceof RefusedAddressError) return { error: error.message }
    return { error: formatPrintable(`${host} cannot be resolved: ${error instanceof Error ? error.message : error}`) }
  } finally {
    clearTimeout(timer)
  }
}

/** Answers each look-up with the addresses that were checked. */
function answerAlways(found: Resolved): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = found
    if (all) callback(null, [...found])
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
}
