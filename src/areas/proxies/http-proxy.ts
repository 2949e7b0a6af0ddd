/** Sends requests through an HTTP proxy: plain ones are sent to it, for others it opens a tunnel. */
import { type ClientRequest, request as httpRequest, type RequestOptions, STATUS_CODES } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Duplex } from 'node:stream'
import { connect, type SecureContext } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { RE2JS } from 're2js'
import { trustOf } from './proxy-trust.ts'

/** An HTTP proxy, and the hosts that are reached without it. */
export interface HttpProxy {
  /** http or https URL without user, password and path. */
  readonly url: string
  /** Names and addresses; `*` stands for any characters. */
  readonly except: readonly string[]
}

/** The HTTP proxy of the settings; null: hosts are reached directly. */
export function httpProxyOf(settings: {
  readonly http_proxy: string
  readonly http_proxy_except_list: readonly string[]
}): HttpProxy | null {
  const { http_proxy: url, http_proxy_except_list: except } = settings
  return url === '' ? null : { url, except }
}

/** Resolves the proxy for requests to a host; null when the host is reached directly, as this machine always is. */
export function resolveDetour(host: string, through: HttpProxy | null): URL | null {
  if (through === null || isOwn(host)) return null
  const isExcepted = through.except.some((pattern) => expressionOf(pattern).matches(host))
  return isExcepted ? null : new URL(through.url)
}

/** The HTTP proxy refused a tunnel; the message is its own. */
export class TunnelRefusedError extends Error {
  override readonly name = 'TunnelRefusedError'
}

/**
 * Creates a request through the HTTP proxy. The body is sent once the host is connected; the signal ends a connection
 * attempt. `trust` is for the host's certificate; null for plain requests.
 */
export function requestThrough(
  detour: URL,
  options: RequestOptions,
  trust: SecureContext | null,
  signal: AbortSignal,
): ClientRequest {
  const authority = authorityOf(options, trust ? 443 : 80)
  if (trust) return httpsRequest({ ...options, agent: undefined, createConnection: tunnel })
  const headers = { ...options.headers, host: authority }
  return askDetour(detour, { ...options, headers, path: `http://${authority}${options.path ?? '/'}`, agent: false })

  function tunnel(_: unknown, ready: (error: Error | null, socket: Duplex) => void): undefined {
    const fail = (error: Error) => ready(error, undefined as unknown as Duplex) // the second argument is ignored when there is an error
    const order = { method: 'CONNECT', path: authority, headers: { host: authority }, agent: false as const, signal }
    const opening = askDetour(detour, order)
    opening.once('connect', ({ statusCode = 0 }, socket, early) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        return fail(new TunnelRefusedError(`${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim()))
      }
      if (early.length > 0) socket.unshift(early)
      const host = String(options.hostname)
      ready(null, connect({ socket, host, servername: isIP(host) ? '' : host, secureContext: trust ?? undefined }))
    })
    opening.once('error', fail)
    opening.end()
  }
}

function askDetour(detour: URL, options: RequestOptions): ClientRequest {
  const { protocol, hostname, port } = urlToHttpOptions(detour)
  const order = { ...options, protocol, hostname, port }
  if (protocol !== 'https:') return httpRequest(order)
  const trust = trustOf()
  const secured = { ...order, ...(trust !== 'unreadable' && { secureContext: trust }) } // passed on, which the types do not know
  return httpsRequest(secured)
}

function authorityOf({ hostname, port }: RequestOptions, usual: number): string {
  const host = String(hostname)
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port || usual}`
}

function isOwn(host: string): boolean {
  const name = host.toLowerCase()
  const family = isIP(host)
  if (family !== 0) return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4')
  return name === 'localhost' || name.endsWith('.localhost') || name === hostname().toLowerCase()
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

function expressionOf(pattern: string): RE2JS {
  return RE2JS.compile(pattern.split('*').map(RE2JS.quote).join('.*'), RE2JS.CASE_INSENSITIVE)
}
