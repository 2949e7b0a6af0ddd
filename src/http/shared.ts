import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Authenticate, FindAgain, GiveLoginSession } from '../areas/access/index.ts'
import {
  type Actor,
  type Context,
  type Followers,
  type Lockout,
  type ProxyAccess,
  SERVICE,
  type Trees,
} from '../context.ts'
import type { Database } from '../database/database.ts'
import type { RowCounts } from '../database/row-counts.ts'
import type { Directories } from '../directory/directories.ts'
import type { Encryption } from '../encryption/encryption.ts'
import type { Registry } from '../kernel/index.ts'
import type { RelyingParty } from '../openid/relying-party.ts'
import type { References } from '../references/references.ts'
import type { Route } from '../requests/route.ts'
import type { Settings } from '../settings/settings.ts'
import type { ReadDelegation } from './access/delegation.ts'
import type { AdmitMachine } from './access/machine-auth.ts'
import type { ReadClientAddress } from './listeners/addresses.ts'
import type { NoticeLockout } from './listeners/undeclared-proxy.ts'
import { baseOf } from './paths.ts'

/** The objects that all requests of a process share. */
export interface Shared {
  readonly database: Database
  readonly registry: Registry
  readonly authenticate: Authenticate
  readonly findAgain: FindAgain
  /** Yields the cookie of a session of a user, for dialects that answer a login with a cookie. */
  readonly loginSession: GiveLoginSession
  /** Yields the actor for requests through the socket of the data directory; null or undefined without an administrator. */
  readonly ownerOfData: () => Promise<Actor | null | undefined>
  readonly admits: AdmitMachine
  readonly clientAddress: ReadClientAddress
  readonly delegation: ReadDelegation
  readonly lockout: Lockout
  /** The memory that hashing a password takes, in MiB. */
  readonly passwordMemoryMiB: number
  readonly noticeLockout: NoticeLockout
  readonly trees: () => Promise<Trees>
  readonly counts: RowCounts
  readonly settings: () => Settings
  readonly encryption: Encryption
  readonly directories: Directories
  readonly openid: RelyingParty
  readonly references: References
  readonly followers: Followers
  readonly proxies: ProxyAccess
  readonly version: string
  /** The path under which browsers reach the service (`console-base`). */
  readonly base: string
  readonly log: Logger
  /** Called before the answer to a write is sent, so that what processes remember of the old state is dropped. */
  readonly afterWrite: (route: Route) => Promise<void>
}

/** Builds the part of a request's context that is known before its caller is. */
export function beginContext(shared: Shared, request: FastifyRequest): Omit<Context, 'user' | 'scope' | 'trees'> {
  return {
    db: shared.database.db,
    origin: {
      requestId: request.id,
      address: shared.clientAddress(request),
      host: request.host,
      base: baseOf(request, shared.base).slice(0, -1),
      secure: request.protocol === 'https',
      login: null,
      session: null,
    },
    settings: shared.settings(),
    encryption: shared.encryption,
    lockout: shared.lockout,
    passwordMemoryMiB: shared.passwordMemoryMiB,
    directories: shared.directories,
    openid: shared.openid,
    references: shared.references,
    followers: shared.followers,
    proxies: shared.proxies,
    counts: shared.counts,
    now: () => new Date(),
    log: shared.log,
    afterCommit: (effect) => void effect(),
  }
}

/** The caller, scope and trees for public routes: nobody, who sees nothing. */
export const NOBODY = {
  user: { ...SERVICE, name: '', admin: false },
  scope: { organization: null, location: null, named: false },
  trees: { organizations: new Map(), locations: new Map() },
} as const
