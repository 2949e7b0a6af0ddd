import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { normalizeAddress } from '../areas/access/index.ts'
import { Failure } from '../errors.ts'
import { createBlockList } from './delegation.ts'

/** Notices a refused login whose lock-out is meant for others than the address that it counts for. */
export type NoticeLockout = (request: FastifyRequest, error: unknown) => void

export interface UndeclaredProxyOptions {
  readonly trustedProxies: readonly string[]
  readonly log: Logger
}

const LOG_INTERVAL_MS = 60_000
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const
const HINT = 'if this is your reverse proxy, name it in trusted-proxies: else one client locks out all of them'

/**
 * Behind a reverse proxy that `trusted-proxies` does not name, all clients share its address, and a few wrong passwords of one
 * refuse everybody (core-api §4.8). The headers of such a proxy are not believed, but they tell that it is one: that is
 * logged once a minute for each address.
 */
export function createNoticeLockout({ trustedProxies, log }: UndeclaredProxyOptions): NoticeLockout {
  const trusted = createBlockList(trustedProxies)
  const logged = new LRUCache<string, true>({ max: 1000, ttl: LOG_INTERVAL_MS })

  return (request, error) => {
    if (!(error instanceof Failure) || error.code !== 'locked_out') return
    const { headers, socket } = request.raw
    const header = FORWARDING.find((name) => headers[name] !== undefined)
    const peer = normalizeAddress(socket.remoteAddress)
    if (header === undefined || logged.has(peer) || trusted.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return
    logged.set(peer, true)
    log.warn({ address: peer, header, hint: HINT }, 'lock-out of an undeclared proxy')
  }
}
