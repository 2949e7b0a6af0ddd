/** Sends one request to a proxy, with a form, a text or neither, on a connection of its own and within a time limit. */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type HttpProxy, requestThrough, resolveDetour, TunnelRefusedError } from './http-proxy.ts'
import { formatPrintable } from './printable.ts'
import type { Trust } from './proxy-trust.ts'
import type { RunReason, Trouble } from './troubles.ts'

/** One request to a smart proxy or another HTTP server, with its limits. */
export interface ProxyRequest {
  readonly to: RequestOptions
  /** Null for http. */
  readonly trust: Trust | null
  /** The HTTP proxy on the way; null: none. */
  readonly through: HttpProxy | null
  /** Null for a GET. */
  readonly form: URLSearchParams | null
  /** The body that is no form. */
  readonly text?: { readonly type: string; readonly content: string }
  /** Default: POST with a body, GET without. */
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Gets the chunks of the body that are kept, as they arrive. */
  readonly onBody: (chunk: Buffer) => void
  /** The bytes of the body that are kept; default 64 KiB. */
  readonly mostBytes?: number
}

/** The answer to such a request, as far as its body is kept. */
export interface ProxyAnswer {
  readonly status: number
  readonly phrase: string
  readonly location: string | null
  readonly etag: string | null
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether the body was longer than is kept; the rest was not awaited. */
  readonly isCut: boolean
}

/** Why there is no answer. `sent`: part of the request may have reached the proxy. */
export type MissingAnswer =
  | { readonly trouble: Trouble }
  | { readonly late: true; readonly sent: boolean }
  | { readonly cancelled: true; readonly sent: boolean }

/** Default of the bytes that are read of an answer. */
const BODY_BYTES = 64 * 1024

/** The longest delay of a timer in Node. */
const LONGEST_MS = 2 ** 31 - 1

/** Sends the request and reads the answer. Rejects only with errors of `onBody`. */
export function sendRequest(order: ProxyRequest): Promise<ProxyAnswer | MissingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProxyAnswer | MissingAnswer>()
  let sent = false
  const detour = resolveDetour(String(order.to.hostname), order.through)
  const ending = new AbortController()
  const request = requestOf(order, detour, ending.signal)
  const timer = setTimeout(() => resolve({ late: true, sent }), Math.min(order.timeoutMs, LONGEST_MS))
  const cancel = () => resolve({ cancelled: true, sent })
  order.signal.addEventListener('abort', cancel, { once: true })
  request.once('socket', (socket) => {
    // Nothing is sent before the connection stands, so that a failure to connect is certain to have sent nothing.
    socket.once(order.trust ? 'secureConnect' : 'connect', () => {
      sent = true
      request.end(bodyOf(order)?.content)
    })
  })
  request.on('error', (error) => resolve({ trouble: withDetour(troubleOf(error, sent, order.trust !== null), detour) }))
  request.once('response', (response) => {
    read(response, order).then(
      (answer) => resolve(answer ?? { trouble: { reason: 'connection_lost', detail: 'in the middle of the answer' } }),
      reject,
    )
  })
  return promise.finally(() => {
    clearTimeout(timer)
    order.signal.removeEventListener('abort', cancel)
    request.destroy()
    ending.abort()
  })
}

function bodyOf({ form, text }: ProxyRequest): ProxyRequest['text'] {
  return form ? { type: 'application/x-www-form-urlencoded', content: form.toString() } : text
}

function requestOf(order: ProxyRequest, detour: URL | null, signal: AbortSignal): ClientRequest {
  const { to, trust, headers } = order
  const body = bodyOf(order)
  const options = {
    ...to,
    method: order.method ?? (body ? 'POST' : 'GET'),
    agent: false, // a reused connection may be closed by the proxy while we send
    autoSelectFamilyAttemptTimeout: 2_500, // the default of Node is too short for busy addresses
    headers: {
      ...headers,
      ...(body && {
        'content-type': body.type,
        'content-length': Buffer.byteLength(body.content), // some proxies do not take chunks
      }),
      connection: 'close',
    },
  }
  if (detour) return requestThrough(detour, options, trust, signal)
  if (!trust) return httpRequest(options)
  const secured = { ...options, secureContext: trust } // tls.connect takes it, though the type of options does not have it
  return httpsRequest(secured)
}

/** Reads the body; null when the connection ends before it does. */
function read(
  response: IncomingMessage,
  { onBody, mostBytes = BODY_BYTES }: ProxyRequest,
): Promise<ProxyAnswer | null> {
  const kept: Buffer[] = []
  let room = mostBytes
  return new Promise((resolve, reject) => {
    const answer = (isCut: boolean) => ({
      status: response.statusCode ?? 0,
      phrase: response.statusMessage ?? '',
      location: response.headers.location ?? null,
      etag: response.headers.etag ?? null,
      headers: response.headers,
      body: Buffer.concat(kept),
      isCut,
    })
    response.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, room)
      if (part.length > 0) {
        try {
          onBody(part)
        } catch (error) {
          reject(error)
        }
        kept.push(part)
        room -= part.length
      }
      if (part.length < chunk.length) resolve(answer(true))
    })
    response.on('error', () => {}) // it closes next
    response.once('close', () => resolve(response.complete ? answer(false) : null))
  })
}

/** Translates an error of Node, before or after something was sent. */
function troubleOf(error: NodeJS.ErrnoException, sent: boolean, isSecure: boolean): Trouble {
  const code = error.code ?? ''
  if (error instanceof TunnelRefusedError)
    return { reason: 'http_proxy_refused', detail: formatPrintable(error.message) }
  if (code.startsWith('HPE_')) return { reason: 'not_http' }
  if (CLIENT_CERTIFICATE.test(code)) return { reason: 'certificate_refused' }
  const guess = isSecure ? 'our TLS certificate is not accepted' : 'the URL has to begin with https://'
  if (sent) return { reason: 'connection_lost', detail: `${code}, perhaps because ${guess}` }
  if (code in REASONS) return { reason: REASONS[code] ?? 'closed_early' }
  if (/^ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH)/.test(code)) return { reason: 'tls_not_offered' }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) return { reason: 'tls_failed', detail: code }
  if (/^ERR_INVALID_|^ERR_UNESCAPED_/.test(code)) return { reason: 'settings', detail: code }
  return { reason: 'closed_early', detail: isSecure ? `${code}, perhaps because ${guess}` : code }
}

/** Marks a trouble as possibly caused by the HTTP proxy on the way. */
function withDetour(trouble: Trouble, detour: URL | null): Trouble {
  if (!detour) return trouble
  const detail = [trouble.detail, `on the way through the HTTP proxy ${detour.origin}`].filter(Boolean).join(', ')
  return { ...trouble, detail }
}

/** The TLS alerts by which servers refuse client certificates. */
const CLIENT_CERTIFICATE =
  /^ERR_SSL_.*ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/

const REASONS: Record<string, RunReason | undefined> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'no_answer',
  EMFILE: 'no_resources',
  ENFILE: 'no_resources',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_name',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_SIGNATURE_FAILURE: 'tls_untrusted',
  CERT_CHAIN_TOO_LONG: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
  INVALID_CA: 'tls_untrusted',
  INVALID_PURPOSE: 'tls_untrusted',
}
