import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { Failure } from '../../errors.ts'
import { createNetworkCheck } from '../../lib/networks.ts'
import { peerOf } from './addresses.ts'

/** Looks at the error of a refused login, and logs a lock-out that hits all clients behind a shared address. */
export type NoticeLockout = (request: FastifyRequest, error: unknown) => void

/** The addresses and networks of web servers that the configuration names, and the log for remarks on others. */
export interface UndeclaredProxyOptions {
  readonly trustedProxies: readonly string[]
  readonly log: Logger
}

const LOG_INTERVAL_MS = 60_000
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const
const HINT = 'if this is your reverse proxy, name it in trusted-proxies: else one client locks out all of them'

/**
 * Creates the notice about an undeclared reverse proxy: behind one that `trusted-proxies` does not name, all clients share
 * its address, and wrong passwords of one client lock everybody out (core-api §4.8). Its headers are not trusted, but show
 * that it is a proxy. A lock-out of its address is logged, at most once a minute.
 */
export function createNoticeLockout({ trustedProxies, log }: UndeclaredProxyOptions): NoticeLockout {
  const isProxy = createNetworkCheck(trustedProxies)
  const logged = new LRUCache<string, true>({ max: 1000, ttl: LOG_INTERVAL_MS })

  return (request, error) => {
    if (!(error instanceof Failure) || error.code !== 'locked_out') return
    const { headers } = request.raw
    const header = FORWARDING.find((name) => headers[name] !== undefined)
    const peer = peerOf(request)
    if (header === undefined || logged.has(peer) || isProxy(peer)) return
    logged.set(peer, true)
    log.warn({ address: peer, header, hint: HINT }, 'lock-out of an undeclared proxy')
  }
}
