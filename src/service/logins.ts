import type { Logger } from 'pino'
import {
  createAuthenticate,
  createDelegatedLogin,
  createDirectoryLogin,
  createFindAgain,
  createLoginSessions,
  createTokenLogin,
  findActingAdministrator,
  openIdentityCache,
  openLockout,
  recordLogin,
} from '../areas/access/index.ts'
import { httpProxyOf, requestThrough, resolveDetour } from '../areas/proxies/index.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { openDirectories } from '../directory/directories.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { withLoginEvents } from '../http/access/access.ts'
import type { Metrics } from '../http/listeners/metrics.ts'
import { loggerOf } from '../log.ts'
import { createRelyingParty } from '../openid/relying-party.ts'
import type { KeptSettings } from './kept.ts'
import { observeDirectories } from './observability.ts'

interface LoginOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly settings: KeptSettings
  readonly metrics: Metrics | null
  readonly config: Config
  readonly log: Logger
}

/** Opens what finds out who asks: passwords, directories, sessions, and the cache of what they yielded. */
export async function openLogins({ database, encryption, settings, metrics, config, log }: LoginOptions) {
  const { passwordMemoryMiB } = config
  const readIdleTimeout = () => settings.current().idle_timeout
  const cache = await openIdentityCache(database)
  const directories = openDirectories({ around: observeDirectories(loggerOf(log, 'directory')) })
  const { verify, register } = createDirectoryLogin({
    database,
    encryption,
    directories,
    cache,
    log: loggerOf(log, 'directory'),
  })
  const lockout = await openLockout(database, { settings: settings.current })
  const acceptDelegated = createDelegatedLogin({
    db: database.db,
    sourceOfNewUsers: () => settings.current().authorize_login_delegation_auth_source_user_autocreate,
    forget: cache.clear,
  })
  const openid = createRelyingParty((options, trust, signal) => {
    const detour = resolveDetour(String(options.hostname), httpProxyOf(settings.current()))
    return detour && requestThrough(detour, options, trust, signal)
  })
  const authenticate = createAuthenticate({
    database,
    cache,
    lockout,
    passwordMemoryMiB,
    idleTimeout: readIdleTimeout,
    verifiers: new Map([['AuthSourceLdap', verify]]),
    register,
    acceptDelegated,
    acceptToken: createTokenLogin({
      db: database.db,
      encryption,
      openid,
      forget: cache.clear,
      ofSettings: { settings: settings.current, accept: acceptDelegated },
    }),
    log: loggerOf(log, 'login'),
  })
  metrics?.watch({ cache: cache.uses, directories: directories.states })
  return {
    cache,
    directories,
    openid,
    lockout,
    passwordMemoryMiB,
    authenticate: withLoginEvents(authenticate, {
      log: loggerOf(log, 'login'),
      metrics,
      record: (event) => recordLogin(database.db, event),
    }),
    findAgain: createFindAgain({ database, cache, idleTimeout: readIdleTimeout, authenticate }),
    loginSession: createLoginSessions({ database, cache, idleTimeout: readIdleTimeout }),
    ownerOfData: async () => {
      const administrator = await findActingAdministrator(database.db, config.adminLogin)
      return administrator === null ? null : cache.actor(administrator)
    },
  }
}
