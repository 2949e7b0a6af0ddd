import type { Logger } from 'pino'
import type { Authenticate, Authentication } from '../areas/access/index.ts'
import { Failure } from '../errors.ts'
import type { Metrics } from './metrics.ts'

/**
 * Wraps authentication so that granted and refused logins are counted and logged; requests of open sessions are counted only.
 * Events of refused logins have the address and the reason, never what was typed: an unknown login may be a password in the
 * wrong field.
 */
export function withLoginEvents(authenticate: Authenticate, log: Logger, metrics: Metrics | null): Authenticate {
  const known = new WeakMap<Authentication, Set<string | null>>()
  return async (credentials, address) => {
    const offered = credentials.delegated
      ? 'delegated'
      : credentials.authorization
        ? METHODS[credentials.authorization.kind]
        : credentials.session && 'session'
    try {
      const found = await authenticate(credentials, address)
      metrics?.countLogin(found.method, 'granted')
      if (found.method !== 'session' && isNew(found, address))
        log.info({ method: found.method, user: found.actor.id, login: found.actor.login, address }, 'logged in')
      return found
    } catch (error) {
      // The refusal of a request without credentials only asks for them.
      if (offered !== null && error instanceof Failure) {
        const reason = RESULTS[error.code] ?? 'failed'
        metrics?.countLogin(offered, reason)
        log.info({ method: offered, address, reason }, 'login refused')
      }
      throw error
    }
  }

  /** Tells whether a login is new: requests that repeat credentials which are remembered are logged once for each address. */
  function isNew(found: Authentication, address: string | null): boolean {
    const addresses = known.get(found) ?? new Set()
    known.set(found, addresses)
    return addresses.size < addresses.add(address).size
  }
}

const METHODS = { basic: 'password', bearer: 'token' } as const

const RESULTS: Readonly<Record<string, string>> = {
  unauthenticated: 'refused',
  session_expired: 'expired',
  locked_out: 'locked_out',
  unavailable: 'unavailable',
}
