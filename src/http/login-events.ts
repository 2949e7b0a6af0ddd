import type { Logger } from 'pino'
import type { Authenticate, Authentication } from '../areas/access/index.ts'
import { Failure } from '../errors.ts'
import type { Metrics } from './metrics.ts'

/**
 * Yields the authentication with an event for each login that is granted or refused; all logins are counted. Events say
 * from where and why, never what was typed: a login that nobody has may be a password that was typed into the wrong place.
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
      // Who offers nothing is about to be asked.
      if (offered !== null && error instanceof Failure) {
        const reason = RESULTS[error.code] ?? 'failed'
        metrics?.countLogin(offered, reason)
        log.info({ method: offered, address, reason }, 'login refused')
      }
      throw error
    }
  }

  /** Whoever goes on sending what is remembered logs in once, from each address. */
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
