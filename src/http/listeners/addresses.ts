import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { NO_ADDRESS, normalizeAddress } from '../../areas/access/index.ts'
import { createNetworkCheck } from '../../lib/networks.ts'

/**
 * Yields the address of the client that sent a request: the one that counts for lock-outs, in audits and logs, and for machines
 * that are known by their addresses.
 */
export type ReadClientAddress = (request: FastifyRequest) => string

/** The addresses and networks of web servers that are believed, and the log for what they say that is no address. */
interface ClientAddressOptions {
  readonly trustedProxies: readonly string[]
  readonly log: Logger
}

const LOG_INTERVAL_MS = 60_000
const HINT = 'each client whose address is not told counts as this proxy: wrong passwords of one lock out all of them'

/**
 * Creates the reader of clients' addresses. `X-Forwarded-For` is read from its end for as long as the one who wrote an entry is
 * a trusted proxy; ports are cut off. Where an entry is no address, the proxy that wrote it counts as the client, which is
 * logged once a minute.
 */
export function createClientAddress({ trustedProxies, log }: ClientAddressOptions): ReadClientAddress {
  const isProxy = createNetworkCheck(trustedProxies)
  const logged = new LRUCache<string, true>({ max: 1000, ttl: LOG_INTERVAL_MS })
  const known = new WeakMap<FastifyRequest, string>() // the connection of an answered request may be gone

  return (request) => {
    const client = known.get(request) ?? find(peerOf(request), request.headers['x-forwarded-for'])
    known.set(request, client)
    return client
  }

  function find(peer: string, header: string | string[] | undefined): string {
    let client = peer
    for (const entry of header === undefined ? [] : String(header).split(',').reverse()) {
      if (!isProxy(client)) return client
      const address = parseForwarded(entry)
      if (address === null) {
        notice(client, entry)
        return client
      }
      client = address
    }
    return client
  }

  function notice(proxy: string, entry: string): void {
    if (logged.has(proxy)) return
    logged.set(proxy, true)
    log.warn({ address: proxy, sent: entry.trim().slice(0, 100), hint: HINT }, 'X-Forwarded-For holds no address')
  }
}

/** Parses an entry of `X-Forwarded-For`, an address that may have a port: `192.0.2.1:80`, `[2001:db8::1]:443`. */
function parseForwarded(entry: string): string | null {
  const text = entry.trim()
  const [, inBrackets, plain] = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(text) ?? []
  if (inBrackets !== undefined && !inBrackets.includes(':')) return null
  const address = normalizeAddress(inBrackets ?? plain ?? text)
  return address === NO_ADDRESS ? null : address
}

/** Yields the address of the other end of a request's connection, which may be a web server. */
export function peerOf({ raw }: FastifyRequest): string {
  return normalizeAddress(raw.socket.remoteAddress)
}
