import type { Logger } from 'pino'
import type { Authenticate, Authentication, Credentials, LoginEvent } from '../../areas/access/index.ts'
import { type Context, hasPermission } from '../../context.ts'
import { denied, Failure } from '../../errors.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import type { Access, Route } from '../../requests/route.ts'
import type { Metrics } from '../listeners/metrics.ts'

/** First step of authorization (core-api §7.2). {@throws Failure} denied for callers who may not do this to any record */
export function requireAccess(ctx: Pick<Context, 'user'>, access: Access): void {
  if (access.kind !== 'public' && access.unlimited && ctx.user.limited)
    throw new Failure('denied', 'Access denied', { details: LIMITED, missingPermissions: null })
  if (access.kind !== 'permission' || (access.own && !ctx.user.limited)) return
  if (!access.anyOf.some((permission) => hasPermission(ctx, permission))) throw denied([...access.anyOf])
}

/** Does work for a caller, and logs an event if a permission is missing: the user, request, address and permission. */
export async function withDenialEvents<Result>(
  ctx: Context,
  { method, path }: Pick<Route, 'method' | 'path'>,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && error.code === 'denied') {
      const { id: user, login } = ctx.user
      const { requestId, address } = ctx.origin
      const permissions = error.details.missingPermissions ?? []
      ctx.log.info({ requestId, user, login, address, method, route: path, permissions }, 'permission denied')
    }
    throw error
  }
}

/**
 * Wraps authentication so that granted and refused logins are counted and logged; requests of open sessions are counted only.
 * The log of a refused login has the address and the reason, not the login: people type passwords into the wrong field.
 */
export function withLoginEvents(authenticate: Authenticate, { log, metrics, record }: LoginEventOptions): Authenticate {
  const known = new WeakMap<Authentication, Set<string | null>>()
  // A program that logs in with each request is forgotten after a minute. Its login is not stored again for ten.
  const stored = createLruCache<string, true>(MOST_STORED, { ttl: STORED_MS })
  return async (credentials, address) => {
    const offered = credentials.delegated
      ? 'delegated'
      : credentials.authorization
        ? METHODS[credentials.authorization.kind]
        : credentials.session && 'session'
    try {
      const found = await authenticate(credentials, address)
      metrics?.countLogin(found.method, 'granted')
      if (found.method !== 'session' && isNew(found, address)) await announce(found, address)
      return found
    } catch (error) {
      // The refusal of a request without credentials only asks for them.
      if (offered !== null && error instanceof Failure) {
        const reason = RESULTS[error.code] ?? 'failed'
        metrics?.countLogin(offered, reason)
        log.info({ method: offered, address, reason }, 'login refused')
        // The failures that led to a lockout are stored already.
        if (error.code !== 'locked_out' && error.code !== 'session_expired' && error.code !== 'unavailable')
          await store({
            user: loginOf(credentials),
            outcome: 'refused',
            method: offered,
            reason: reasonOf(error),
            address,
          })
      }
      throw error
    }
  }

  async function announce({ actor, method }: Authentication, address: string | null): Promise<void> {
    log.info({ method, user: actor.id, login: actor.login, address }, 'logged in')
    const key = `${actor.id} ${method} ${address}`
    if (stored.has(key)) return
    const isStored = await store({ user: actor.id, outcome: 'granted', method, reason: null, address })
    if (isStored) stored.set(key, true)
  }

  /** Tells whether the login is stored. It does not fail because it cannot be. */
  async function store(event: LoginEvent): Promise<boolean> {
    try {
      await record(event)
      return true
    } catch (err) {
      log.warn({ err }, 'a login could not be stored')
      return false
    }
  }

  /** Tells whether a login is new: requests that repeat credentials which are remembered are logged once for each address. */
  function isNew(found: Authentication, address: string | null): boolean {
    const addresses = known.get(found) ?? new Set()
    known.set(found, addresses)
    return addresses.size < addresses.add(address).size
  }
}

/** Number of logins, and milliseconds, for which the process knows that an equal one is stored. */
const MOST_STORED = 10_000
const STORED_MS = 10 * 60_000

const LIMITED = 'A token with limits does not suffice for this: use one without limits, or log in with the password'

/** The log, the metrics, and the table that logins are stored in. */
interface LoginEventOptions {
  readonly log: Logger
  readonly metrics: Metrics | null
  readonly record: (event: LoginEvent) => Promise<void>
}

function loginOf({ authorization, delegated }: Credentials): string | null {
  return delegated?.login ?? (authorization?.kind === 'basic' ? authorization.login : null)
}

function reasonOf({ details, code }: Failure): string {
  return details.details ?? (code === 'unauthenticated' ? 'wrong login, password or token' : code)
}

const METHODS = { basic: 'password', bearer: 'token' } as const

const RESULTS: Readonly<Record<string, string>> = {
  unauthenticated: 'refused',
  session_expired: 'expired',
  locked_out: 'locked_out',
  unavailable: 'unavailable',
}
