import {
  createServer,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlain,
  type ServerResponse,
} from 'node:http'
import { Agent, createServer as createSecureServer, request as requestSecure } from 'node:https'
import type { Server } from 'node:net'
import { pipeline } from 'node:stream'

/** A request that the old server has answered. */
export interface Answered {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** The bodies, as they were sent; null where one is too long to be compared. */
  readonly sent: Buffer | null
  readonly body: Buffer | null
  readonly status: number
  readonly type: string
  readonly encoding: string
  /** From the request to the end of the answer. */
  readonly milliseconds: number
}

/** How a proxy reaches the old server, and by what certificate clients know it. */
export interface ProxyOptions {
  readonly upstream: URL
  readonly ca: Buffer | undefined
  readonly certificate: { readonly cert: Buffer; readonly key: Buffer } | null
  /** Tells whether the answer to a request is kept for `answered`. */
  readonly isKept: (method: string, url: string) => boolean
  readonly answered: (answered: Answered) => void
  /** Receives the method of each request that the old server has answered without an error. */
  readonly accepted: (method: string) => void
}

const LONGEST = { sent: 65_536, body: 8 * 1024 * 1024 }

/** A proxy, and whether it waits for the old server. */
export interface Proxy {
  readonly server: Server
  readonly isBusy: () => boolean
}

/**
 * Creates a reverse proxy: requests and answers pass unchanged but for the headers of the connection. Answers are handed
 * on once clients have them, so that nobody waits for a comparison.
 */
export function createProxy(options: ProxyOptions): Proxy {
  const { upstream, ca, certificate } = options
  const isSecure = upstream.protocol === 'https:'
  const agent = isSecure ? new Agent({ keepAlive: true, ca }) : new PlainAgent({ keepAlive: true })
  const send = isSecure ? requestSecure : requestPlain
  const handle = (request: IncomingMessage, response: ServerResponse) => pass(request, response)
  const server = certificate ? createSecureServer(certificate, handle) : createServer(handle)
  server.on('close', () => agent.destroy())
  let running = 0
  return { server, isBusy: () => running > 0 }

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = request
    const start = performance.now()
    running++
    response.on('close', () => running--)
    const isKept = options.isKept(method, url)
    const sent = isKept ? keep(request, LONGEST.sent) : null
    const path = `${upstream.pathname.replace(/\/$/, '')}${url}`
    const { hostname, port } = upstream
    const passed = [...withoutConnection(request.rawHeaders), 'host', upstream.host]
    const asked = send(
      { agent, hostname: hostname.replace(/^\[|\]$/g, ''), port, method, path, headers: toObject(passed) },
      (answer) => {
        const body = isKept ? keep(answer, LONGEST.body) : null
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutConnection(answer.rawHeaders))
        pipeline(answer, response, (error) => {
          if (error) return
          if ((answer.statusCode ?? 502) < 400) options.accepted(method)
          if (!isKept) return
          options.answered({
            method,
            url,
            headers,
            sent: sent?.() ?? null,
            body: body?.() ?? null,
            status: answer.statusCode ?? 502,
            milliseconds: performance.now() - start,
            type: String(answer.headers['content-type'] ?? ''),
            encoding: String(answer.headers['content-encoding'] ?? ''),
          })
        })
      },
    )
    asked.on('error', (error) => fail(response, upstream, error))
    response.on('close', () => asked.destroy())
    pipeline(request, asked, () => undefined)
  }
}

function fail(response: ServerResponse, upstream: URL, error: Error): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(502, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: `${upstream.origin} cannot be reached: ${error.message}` } }))
}

/** Keeps what passes, up to so many bytes; yields a function that returns it, or null where there was more. */
function keep(stream: IncomingMessage, longest: number): () => Buffer | null {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= longest) chunks.push(chunk)
    else chunks.length = 0
  })
  return () => (length <= longest ? Buffer.concat(chunks) : null)
}

/** Headers that are about one connection (RFC 9110 §7.6.1), and the host, which the proxy names itself. */
const OF_CONNECTION = /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|host)$/i

function withoutConnection(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) => (at % 2 === 0 && !OF_CONNECTION.test(name) ? [name, raw[at + 1] ?? ''] : []))
}

function toObject(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    const found = headers[name]
    headers[name] = found === undefined ? value : [found, value].flat()
  }
  return headers
}
