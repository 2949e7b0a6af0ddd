import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { DelegatedUser } from '../../areas/access/index.ts'
import { createNetworkCheck } from '../../lib/networks.ts'
import type { Settings } from '../../settings/settings.ts'
import { peerOf } from '../listeners/addresses.ts'

/** Yields the user that a trusted web server has authenticated, or null. */
export type ReadDelegation = (request: FastifyRequest) => DelegatedUser | null

/** The web servers that may authenticate users if the settings allow it, and the log for ignored headers. */
export interface DelegationOptions {
  /** Addresses and networks of trusted web servers. */
  readonly trustedProxies: readonly string[]
  readonly settings: () => Settings
  readonly log: Logger
}

const LOGIN = 'remote-user'
const LOG_INTERVAL_MS = 60_000

/**
 * Creates the reader of the headers `REMOTE-USER`, `-EMAIL`, `-FIRSTNAME`, `-LASTNAME` and `-GROUPS` (core-api §4.7). They
 * count only if the other end of the connection itself is a trusted web server, the settings allow it and none is repeated.
 * Others are ignored and, except where the settings are the reason, logged once a minute for each address.
 */
export function createDelegation({ trustedProxies, settings, log }: DelegationOptions): ReadDelegation {
  const isProxy = createNetworkCheck(trustedProxies)
  const logged = new LRUCache<string, true>({ max: 1000, ttl: LOG_INTERVAL_MS })

  return (request) => {
    const { headers } = request.raw
    if (headers[LOGIN] === undefined) return null
    const peer = peerOf(request)
    const ignored = findReasonToIgnore(request, isProxy(peer), settings())
    if (ignored === null) return readDelegatedUser(request)
    if (ignored !== OFF && !logged.has(peer)) {
      logged.set(peer, true)
      log.warn({ address: peer, reason: ignored }, 'REMOTE-USER ignored')
    }
    return null
  }
}

const OFF = 'off'

function findReasonToIgnore(request: FastifyRequest, isTrusted: boolean, settings: Settings): string | null {
  if (!isTrusted) return 'not a trusted proxy'
  if (!settings.authorize_login_delegation || !settings.authorize_login_delegation_api) return OFF
  // A repeated header is ignored: a web server that adds its own to one from the client would let the client choose.
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const isRepeated = names.some((name, index) => name.startsWith(LOGIN) && names.indexOf(name) !== index)
  return isRepeated ? 'sent more than once' : null
}

function readDelegatedUser(request: FastifyRequest): DelegatedUser | null {
  const login = readHeader(request, LOGIN)
  if (login === null) return null
  return {
    login,
    mail: readHeader(request, `${LOGIN}-email`),
    firstname: readHeader(request, `${LOGIN}-firstname`),
    lastname: readHeader(request, `${LOGIN}-lastname`),
    groups:
      request.headers[`${LOGIN}-groups`] === undefined ? null : parseGroups(readHeader(request, `${LOGIN}-groups`)),
  }
}

function parseGroups(value: string | null): string[] {
  return (value ?? '')
    .split(':')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Reads a header as UTF-8: Node yields one character for each byte. Null where it is missing or blank. */
function readHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  if (typeof value !== 'string' || value.trim() === '') return null
  return Buffer.from(value.trim(), 'latin1').toString('utf8')
}
