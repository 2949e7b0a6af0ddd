/** Sends the requests to providers: by TLS, within a time limit, without redirects, and with answers of limited size. */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { OpenIdError } from './errors.ts'
import { isAllowedEndpoint, type ProviderSettings } from './provider.ts'

/** Begins a request through the HTTP proxy of the service; null where the host is reached directly. */
export type RequestThrough = (
  options: RequestOptions,
  trust: SecureContext | null,
  signal: AbortSignal,
) => ClientRequest | null

/** A request as openid-client and jose make it. */
export interface FetchOptions {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: unknown
}

/** Fetches from a provider. {@throws OpenIdError} */
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>

/** The most bytes of an answer, and the longest time until it is complete. */
const MOST_BYTES = 512 * 1024
const TIMEOUT_MS = 5_000

/** Creates the function that fetches from one provider. */
export function createFetch(
  { issuer, caCertificate }: Pick<ProviderSettings, 'issuer' | 'caCertificate'>,
  through: RequestThrough,
): Fetch {
  return async (address, { method = 'GET', headers, body }) => {
    const url = new URL(address)
    if (!isAllowedEndpoint(url, issuer))
      throw new OpenIdError('misconfigured', `${url.origin} is not asked without TLS`)
    const trust = url.protocol === 'https:' ? buildTrust(caCertificate) : null
    const sent = Object.fromEntries(new Headers(headers))
    const text = body === undefined || body === null ? null : String(body)
    const options: RequestOptions = {
      ...urlToHttpOptions(url),
      method,
      agent: false,
      headers: { ...sent, ...(text !== null && { 'content-length': Buffer.byteLength(text) }), connection: 'close' },
    }
    return exchange(options, trust, text, through)
  }
}

function buildTrust(caCertificate: string | null): SecureContext {
  const ca = caCertificate?.trim()
    ? [caCertificate]
    : [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
  try {
    return createSecureContext({ ca, minVersion: 'TLSv1.2', allowPartialTrustChain: true })
  } catch (cause) {
    throw new OpenIdError('untrusted', 'ca_certificate cannot be read', cause)
  }
}

async function exchange(
  options: RequestOptions,
  trust: SecureContext | null,
  body: string | null,
  through: RequestThrough,
): Promise<Response> {
  const where = `${options.method} ${options.protocol}//${options.hostname}${String(options.path).split('?', 1)[0]}`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = through(options, trust, signal) ?? requestDirectly(options, trust)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      request.once('response', resolve)
      request.on('error', reject)
      request.end(body ?? undefined)
    })
    return await read(response, signal, where)
  } catch (cause) {
    if (cause instanceof OpenIdError) throw cause
    throw translate(cause, where)
  } finally {
    request.destroy()
  }
}

function requestDirectly(options: RequestOptions, trust: SecureContext | null): ClientRequest {
  if (!trust) return httpRequest(options)
  const secured = { ...options, secureContext: trust } // tls.connect takes it, though the type of options does not have it
  return httpsRequest(secured)
}

async function read(response: IncomingMessage, signal: AbortSignal, where: string): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  signal.addEventListener('abort', () => response.destroy(signal.reason), { once: true })
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES) throw new OpenIdError('too_large', `${where} answers with more than ${MOST_BYTES} bytes`)
  }
  const status = response.statusCode ?? 0
  if (status >= 500) throw new OpenIdError('unreachable', `${where} answers with status ${status}`)
  if (status >= 300 && status < 400) throw new OpenIdError('misconfigured', `${where} redirects, which is not followed`)
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}

function translate(cause: unknown, where: string): OpenIdError {
  const { code = '', name = '' } = cause as NodeJS.ErrnoException // whatever has no code is described by its name
  if (name === 'TimeoutError' || name === 'AbortError')
    return new OpenIdError('slow', `${where} did not answer within ${TIMEOUT_MS / 1000} seconds`, cause)
  if (/CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|INVALID_(?:CA|PURPOSE)/.test(code))
    return new OpenIdError('untrusted', `${where}: ${code}`, cause)
  return new OpenIdError('unreachable', `${where}: ${code || name || 'failed'}`, cause)
}
