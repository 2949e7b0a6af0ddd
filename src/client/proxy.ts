import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import { EXIT, Failure } from './failure.ts'

/** Opens a tunnel through the proxy with CONNECT to an address that speaks TLS; yields the fresh connection. */
export function openTunnel(proxy: string, address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const host = `${hostname}:${port || 443}`
  const sent = request({ ...placeOf(proxy), method: 'CONNECT', path: host, headers: { host, ...loginOf(proxy) } })
  return new Promise((resolve, reject) => {
    sent.once('connect', (answer: IncomingMessage, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(refused(proxy, host, answer.statusCode))
    })
    // A response instead of a tunnel: proxies that refuse or do not know CONNECT answer so.
    sent.once('response', (answer) => reject(refused(proxy, host, answer.statusCode)))
    sent.once('error', (error) => reject(lost(proxy, error)))
    sent.end()
  })
}

/** Sends a request to an address without TLS through the proxy, with the whole address in the request line. */
export function requestThrough(proxy: string, address: string, options: RequestOptions): ClientRequest {
  const { host } = new URL(address)
  const headers = { ...(options.headers as Record<string, string>), host, ...loginOf(proxy) } // the options are built by this program
  return request({ ...options, ...placeOf(proxy), path: `http://${host}${options.path}`, headers })
}

function lost(proxy: string, error: unknown): Failure {
  const reason = error instanceof Error ? ('code' in error && String(error.code)) || error.message : String(error)
  return new Failure(
    EXIT.unreachable,
    `the proxy ${formatOrigin(proxy)} cannot be reached (${reason}); HTTPS_PROXY or HTTP_PROXY sets it; NO_PROXY=HOST bypasses it`,
  )
}

function refused(proxy: string, host: string, status: number | undefined): Failure {
  const advice = status === 407 ? 'it wants a login: write it as http://login:password@proxy:port' : 'ask who runs it'
  return new Failure(
    EXIT.unreachable,
    `the proxy ${formatOrigin(proxy)} opens no way to ${host} (status ${status}): ${advice}`,
  )
}

function placeOf(proxy: string): { hostname: string; port: string; agent: false } {
  const { hostname, port } = new URL(proxy)
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || '80', agent: false }
}

function loginOf(proxy: string): Record<string, string> {
  const { username, password } = new URL(proxy)
  if (!username) return {}
  const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(both).toString('base64')}` }
}

/** Yields the address of the proxy without its password, for messages. */
function formatOrigin(proxy: string): string {
  return new URL(proxy).origin
}
