import { readFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { membersOf } from '../lib/values.ts'
import type { Target } from './commands/contexts.ts'
import { EXIT, Failure, usage } from './failure.ts'

/** A request of the client. */
export interface ApiCall {
  readonly method: string
  /** The path from `/api` on, with its query. */
  readonly path: string
  readonly body?: unknown
  /** Form data in place of a JSON body. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** A content type other than JSON, whose body is passed on unchanged. */
  readonly accepts?: string
}

/** The answer of the server; `body` is the parsed JSON. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly text: string
  readonly type: string
  readonly headers: IncomingMessage['headers']
}

/** Sends a request and reads the whole answer; network failures and foreign pages become a {@link Failure}. */
export async function ask(target: Target, asked: ApiCall): Promise<Reply> {
  const response = await open(target, asked)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer) // chunks are buffers because no encoding is set
  } catch (error) {
    throw unreachable(target, error)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  const type = String(response.headers['content-type'] ?? '').split(';')[0] ?? ''
  const status = response.statusCode ?? 0
  const isJson = /\bjson$/.test(type)
  if (!isJson && (text !== '' || status === 301 || status === 302) && !(asked.accepts && status < 300)) {
    throw foreign(target, response, text)
  }
  if (isJson && !asked.accepts) requireOwn(target, response)
  return {
    status,
    text,
    type,
    headers: response.headers,
    body: isJson && text !== '' ? jsonOf(target, text) : undefined,
  }
}

/** Sends a request and throws where the answer is an error. */
export async function askWell(target: Target, asked: ApiCall): Promise<Reply> {
  const reply = await ask(target, asked)
  if (reply.status >= 400) throw refusal(reply, target)
  return reply
}

/** Sends a request; the caller reads the answer. */
export async function open(target: Target, asked: ApiCall): Promise<IncomingMessage> {
  const body = bodyOf(asked)
  const sent = await begin(target, optionsOf(target, asked, body))
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', (error) => reject(unreachable(target, error)))
    endRequest(sent, body)
  })
}

function bodyOf({ body, form }: ApiCall): Buffer | undefined {
  if (form) return Buffer.from(String(new URLSearchParams(form)))
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body))
}

async function begin(target: Target, options: RequestOptions): Promise<ClientRequest> {
  const { protocol } = new URL(target.url)
  if (protocol !== 'https:') {
    if (target.proxy) return (await import('./proxy.ts')).requestThrough(target.proxy, target.url, options)
    return (await import('node:http')).request(options)
  }
  const { request } = await import('node:https')
  const tunnel = target.proxy && (await (await import('./proxy.ts')).openTunnel(target.proxy, target.url))
  try {
    if (!tunnel) return request(options)
    const { connect } = await import('node:tls')
    const { hostname, ca, cert, key } = options
    const name = /^[\d.]+$|:/.test(hostname ?? '') ? {} : { servername: hostname ?? '' }
    return request({
      ...options,
      createConnection: () => connect({ socket: tunnel, host: hostname ?? '', ca, cert, key, ...name }),
    })
  } catch (error) {
    // Certificate files are read before anything is sent.
    const files = [target.ca, target.certificate, target.key].filter(Boolean).join(', ')
    if (!files) throw error
    throw usage(
      `${files}: no certificate or key in PEM format (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

function endRequest(sent: ClientRequest, body: Buffer | undefined): void {
  if (body) sent.end(body)
  else sent.end()
}

function optionsOf(target: Target, { method, path, headers, accepts, form }: ApiCall, body?: Buffer): RequestOptions {
  const { hostname, port, pathname, protocol } = new URL(target.url)
  const encrypted = {
    ca: fileOf('ca', target.ca),
    cert: fileOf('client-certificate', target.certificate),
    key: fileOf('client-key', target.key),
  }
  return {
    ...(target.socket ? { socketPath: target.socket } : { hostname: hostname.replace(/^\[|\]$/g, ''), port }),
    ...(protocol === 'https:' ? encrypted : {}),
    method,
    path: `${pathname === '/' ? '' : pathname}${path}`,
    agent: false,
    headers: {
      accept: accepts ?? 'application/json',
      'user-agent': 'millwright',
      ...authorizationOf(target),
      ...(body ? { 'content-type': form ? FORM : 'application/json', 'content-length': body.length } : {}),
      ...headers,
    },
  }
}

const FORM = 'application/x-www-form-urlencoded'

function authorizationOf({ token, login }: Target): Record<string, string> {
  if (!token) return {}
  const basic = Buffer.from(`${login ?? ''}:${token}`).toString('base64')
  return { authorization: login ? `Basic ${basic}` : `Bearer ${token}` }
}

/** Reads the file that a flag names; undefined where it names none. {@throws Failure} that names the flag */
export function fileOf(flag: string, path: string | undefined): Buffer | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    throw usage(`--${flag}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the service running, and is the port right?',
  ECONNRESET: 'it closed the connection; is it https where http was written, or the other way round?',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it does not answer',
  ENOENT: 'its socket does not exist; is the service running?',
  EACCES: 'its socket belongs to another user',
  EPROTO: 'it does not speak TLS; write http:// if that is what it speaks',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; write http:// if that is what it speaks',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS; write http:// if that is what it speaks',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP; write https:// if it speaks TLS',
}

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired; is the clock of this machine right?',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock of this machine right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name; use the name that the certificate has',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; name a file that has it with --ca FILE',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known here; name its certificate with --ca FILE',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known here; name its certificate with --ca FILE',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known here; name its certificate with --ca FILE',
}

function unreachable(target: Target, error: unknown): Failure {
  if (error instanceof Failure) return error
  const first = error instanceof AggregateError ? error.errors[0] : error
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const reason = CERTIFICATES[code] ?? REASONS[code] ?? (first instanceof Error ? first.message : String(first))
  const what = CERTIFICATES[code] ? 'cannot be trusted' : 'cannot be reached'
  const between = target.proxy
    ? [`the request used the proxy ${new URL(target.proxy).origin}; NO_PROXY=HOST bypasses it`]
    : []
  return new Failure(EXIT.unreachable, `${target.socket ?? target.url} ${what}: ${reason}`, ...between)
}

function jsonOf(target: Target, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(EXIT.unreachable, `${target.url} sent JSON that ends in the middle: is there a proxy in between?`)
  }
}

/** Builds the failure for an answer that is not from this service, such as the page of a proxy. */
function foreign(target: Target, { statusCode, headers }: IncomingMessage, text: string): Failure {
  if (headers.location) {
    return new Failure(
      EXIT.unreachable,
      `${target.url} sends everybody to ${headers.location}: use that address instead`,
    )
  }
  const title = /<title[^>]*>([^<]{1,80})/i.exec(text)?.[1]?.trim()
  const page = title ? ` ("${title}")` : ''
  return new Failure(
    EXIT.unreachable,
    `${target.url} answered ${statusCode} with ${headers['content-type'] ?? 'something'} that is no JSON${page}: ` +
      'is that the address of the service, or is a proxy in between?',
  )
}

function requireOwn(target: Target, { headers, statusCode }: IncomingMessage): void {
  if ('millwright-version' in headers || 'x-request-id' in headers) return
  throw new Failure(
    EXIT.unreachable,
    `${target.url} answered ${statusCode} with JSON, but is not Millwright: ${headers.server ?? 'it does not say what it is'}`,
  )
}

const CODES: Readonly<Record<number, number>> = {
  401: EXIT.denied,
  403: EXIT.denied,
  404: EXIT.missing,
  409: EXIT.conflict,
  412: EXIT.conflict,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
}

/** Builds the failure for a refused request: the sentences of the server, with keys replaced by the flags in `flags`. */
export function refusal(
  { status, body, headers }: Reply,
  target: Target,
  flags?: ReadonlyMap<string, string>,
): Failure {
  const code = CODES[status] ?? EXIT.refused
  const { error, message, displayMessage } = membersOf(body)
  const facts = (
    typeof error === 'object' && error !== null ? error : { message: error ?? displayMessage ?? message }
  ) as {
    readonly message?: string
    readonly errors?: Readonly<Record<string, unknown>>
    readonly full_messages?: readonly string[]
    readonly details?: string
    readonly missing_permissions?: readonly string[]
  }
  if (status === 401) return new Failure(code, ...explainUnknownCaller(target, headers.date))
  const named = Object.entries(facts.errors ?? {}).flatMap(([key, messages]) =>
    [messages].flat().map((each) => `${flags?.get(key) ?? key}: ${String(each)}`),
  )
  const missing = facts.missing_permissions?.length ? [`needed: ${facts.missing_permissions.join(', ')}`] : []
  const sentences = named.length > 0 ? named : [facts.message ?? facts.full_messages?.join('; ') ?? `status ${status}`]
  return new Failure(code, ...sentences, ...(named.length > 0 ? [] : [facts.details ?? ''].filter(Boolean)), ...missing)
}

/** Explains why the server did not accept the credentials, as far as the client can tell. */
function explainUnknownCaller({ url, token }: Target, date: string | undefined): string[] {
  const skew = date ? Math.round((Date.parse(date) - Date.now()) / 1000) : 0
  const clock =
    Math.abs(skew) > 120
      ? [
          `the clocks differ: the server's is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}; set them, tokens end by them`,
        ]
      : []
  const what = token
    ? `${url} does not take this login: the token has expired or was revoked, or the password is wrong; run millwright login ${url}`
    : `${url} asks for a login: run millwright login ${url}, or set MILLWRIGHT_TOKEN`
  return [what, ...clock]
}
