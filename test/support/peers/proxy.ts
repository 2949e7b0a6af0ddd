import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CONFIG_ENGINE_PATH } from '../../../src/words/protocols.ts'
import type { Certificate } from '../directories/certificates.ts'
import { execFile } from '../processes.ts'

/** A request to the proxy. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A smart proxy with support for configuration runs (smart-parameters §7). */
export interface ProxyPeer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Every request, in order. */
  readonly asked: Asked[]
  /** Sets how it answers requests. */
  behave(behaviour: Behaviour): void
  /** Sets the answers to GET by path, e.g. `/v2/features`; other paths do not exist. */
  offer(pages: Readonly<Record<string, Behaviour>>): void
}

/** Answers a request that is well-formed. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** Answers and failures of proxies. */
export const BEHAVIOURS = {
  succeeds: (response) => response.end(),
  'says true': (response) => response.end('true'),
  'says an object': (response) => response.end('{"done": 1}'),
  'says blanks': (response) => response.end(' \n'),
  'says false': (response) => response.end('false'),
  'says null': (response) => response.end('null'),
  'says text': (response) => response.end('Welcome to\nthe wrong service'),
  'finds no nodes': (response) => response.writeHead(400).end(`${FAILED}No nodes defined`),
  'fails with text': (response) => response.writeHead(500).end(`${FAILED}Check Log files`),
  'fails with a page': (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end(
      `<!DOCTYPE HTML><html><head><title>502 Proxy Error</title><style>p { color: red }</style></head>
      <body><h1>502 Proxy Error</h1><p>The server &lt;backend&gt; <b>is</b>\u0007 away.</p>
      <script>steal("cookies")</script></body></html>`,
    ),
  'fails without a word': (response) => response.writeHead(503).end(),
  'has no runs': (response) => response.writeHead(501).end(),
  redirects: (response) =>
    response.writeHead(302, { location: 'https://admin:hidden@elsewhere.example.test/run?token=hidden' }).end(),
  'never answers': () => {},
  'resets at once': (response) => response.socket?.resetAndDestroy(),
  'resets in the middle': (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half', () => response.socket?.resetAndDestroy())
  },
  'closes in the middle': (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half', () => response.socket?.end())
  },
  drips: (response) => {
    const drop = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(drop))
  },
  'fails at length': (response) => {
    response.writeHead(500)
    pour(response)
  },
  'succeeds at length': (response) => pour(response),
  'is not HTTP': (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
} satisfies Record<string, Behaviour>

const FAILED = 'Failed config run: '

/** Starts a proxy on 127.0.0.1, with TLS if options for it are given. */
export async function startProxy(tls?: ServerOptions): Promise<ProxyPeer> {
  let behave: Behaviour = BEHAVIOURS.succeeds
  let offered: Readonly<Record<string, Behaviour>> = {}
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = await request.toArray()
    const body = Buffer.concat(chunks).toString()
    asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    const page = request.method === 'GET' ? offered[request.url ?? ''] : undefined
    const answer = page ?? refusal(request, body) ?? behave
    answer(response, request)
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => response.destroy()) // the client has gone away
  }
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a socket file
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    behave: (behaviour) => {
      behave = behaviour
    },
    offer: (pages) => {
      offered = pages
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Creates a self-signed client certificate, which is its own authority. */
export async function makeClientCertificate(folder: string, name: string): Promise<Certificate> {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  const use = ['-addext', 'extendedKeyUsage=clientAuth', '-addext', 'keyUsage=digitalSignature']
  const self = ['-x509', '-days', '30', '-subj', `/O=Example/CN=${name}`, ...use, '-out', cert]
  await promisify(execFile)('openssl', ['req', ...newKey, ...self])
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** Refuses what the real proxy does not support: other paths, missing lengths, malformed bodies, missing hosts. */
function refusal(request: IncomingMessage, body: string): Behaviour | null {
  const refuse = (status: number, text: string) => (response: ServerResponse) =>
    void response.writeHead(status).end(text)
  if (request.method !== 'POST' || request.url !== `/${CONFIG_ENGINE_PATH}`)
    return refuse(404, 'Requested url was not found')
  if (request.headers['content-length'] === undefined) return refuse(411, 'Length Required')
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
  const form = new URLSearchParams(isForm ? body : '')
  const hosts = [...form.getAll('nodes'), ...form.getAll('nodes[]')].filter(Boolean)
  return hosts.length > 0 ? null : refuse(400, `${FAILED}No nodes defined`)
}

/** Sends an answer that never ends. */
function pour(response: ServerResponse): void {
  const chunk = 'all work and no play makes a dull proxy\n'.repeat(1_000)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}
