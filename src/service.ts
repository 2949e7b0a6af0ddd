import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { listApiRoutes } from './api-routes.ts'
import {
  type CacheEntry,
  createAuthenticate,
  createDelegatedLogin,
  createDirectoryLogin,
  createLoginSessions,
  findActingAdministrator,
  IDENTITY_CHANNEL,
  openIdentityCache,
  openLockout,
  REMEMBERED_MS,
  seedIdentity,
  warnOfUnreadableFilters,
} from './areas/access/index.ts'
import { answerMachine, answerUser, findConfigProxies, forgetCatalog } from './areas/configuration/index.ts'
import { assembleResources, listEncryptedColumns, listTaskHandlers } from './areas/index.ts'
import { loadTrees } from './areas/places/index.ts'
import { seedProvisioning, serveUnattended } from './areas/provisioning/index.ts'
import { httpProxyOf, logUnmetHosts, openProxyAccess } from './areas/proxies/index.ts'
import { createClientServing, createCommandServing, openAuthority } from './areas/registration/index.ts'
import { openFollowers, openRunWorkers, type RunWorkers, type Timing } from './areas/runs/index.ts'
import { declaredJobs, type Job, openJobs } from './areas/server/index.ts'
import { createTaskContext, openTaskWorkers, type TaskWorkerOptions, type TaskWorkers } from './areas/tasks/index.ts'
import type { LogLevels } from './config/log-levels.ts'
import type { Config } from './config.ts'
import type { CountCache, Trees } from './context.ts'
import type { Database } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { openVendor } from './dialect/vendor.ts'
import { openDirectories } from './directory/directories.ts'
import { openEncryption } from './encryption-keys.ts'
import { openDatabase } from './first-contact.ts'
import { createAccounting } from './http/accounting.ts'
import { createAdmission } from './http/admission.ts'
import { type ClientCertificateOptions, createClientCertificate, createClientNames } from './http/client-certificate.ts'
import { compressDescriptions } from './http/compressed.ts'
import { mountConsole } from './http/console.ts'
import { type ConsoleBuild, NO_BUILD, startConsoleBuild } from './http/console-build.ts'
import { createRequestHandler, REQUEST } from './http/deferred.ts'
import { createDelegation } from './http/delegation.ts'
import { mountDocs } from './http/docs.ts'
import { withLoginEvents } from './http/login-events.ts'
import type { Metrics } from './http/metrics.ts'
import { mountNode } from './http/node.ts'
import type { Shared } from './http/pipeline.ts'
import { mountRegister } from './http/register.ts'
import { mountClients } from './http/rhsm.ts'
import { createServer } from './http/server.ts'
import { readListenerTls, setCertificate, withAuthority } from './http/tls.ts'
import { mountUnattended } from './http/unattended.ts'
import { createNoticeLockout } from './http/undeclared-proxy.ts'
import type { Registry } from './kernel/definition.ts'
import type { Route } from './kernel/route.ts'
import { permissionsOf } from './kernel/routes.ts'
import { foldChanges } from './kernel/store/counts.ts'
import { loggerOf } from './log.ts'
import { createBackupJob, listenForOwner } from './owner.ts'
import { ROOT } from './root.ts'
import { loadSettings, type Settings, seedSettings } from './settings.ts'
import { version } from './version.ts'
import { exposeMetrics, keepLogLevels, observeDirectories, openMetrics, traceWhereAsked } from './watching.ts'

export interface Service extends AsyncDisposable {
  /** Base URL, e.g. http://127.0.0.1:3000. */
  readonly address: string
  /** Base URL of the vendor dialect; null when it is not served. */
  readonly vendorAddress: string | null
  /** The administrator that the first start created, with the password if that was generated; null on later starts. */
  readonly firstStart: { readonly login: string; readonly password: string | null } | null
  /** Whether the configuration has a password for the administrator that differs from the stored one, which is kept. */
  readonly ignoresPassword: boolean
  /**
   * Reads the certificate files and log levels again. {@throws Error} naming the file that cannot be used; nothing has
   * changed then
   */
  reload(logLevels: LogLevels): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('migrations', ROOT))

/**
 * Starts database, API and listeners in the order of their dependencies; disposing the result stops them in reverse.
 * {@throws} an abort when `stop` comes while it waits for the database
 */
export async function startService(
  configured: Config,
  log: Logger,
  stop: AbortSignal = new AbortController().signal,
): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  await traceWhereAsked(stack, configured, log)
  const opening = openDatabase(configured, loggerOf(log, 'database'), stop)
  const registry = assembleResources() // meanwhile the database opens in other threads and processes
  const { database, config } = await opening
  stack.use(database)
  await migrate(database, MIGRATIONS)
  const metrics = config.metricsPort === null && config.metricsToken === null ? null : await openMetrics(database)
  const api = await openApi(database, config, log, { metrics, registry })
  const { server, vendor, jobs, startRunWorkers, startTaskWorkers, firstStart, ignoresPassword, reload } = api
  stack.defer(() => server.close())
  if (metrics) await exposeMetrics(stack, server, metrics, config)
  await server.listen({ host: config.host, port: config.port })
  if (vendor) {
    stack.defer(() => vendor.close())
    await vendor.listen({ host: config.host, port: config.vendorPort ?? 0 })
  }
  await listenForOwner(stack, server, { database, config, log })
  if (config.consoleBuild) api.builtBy(stack.use(startConsoleBuild(log)))
  stack.use(openJobs(database, jobs, loggerOf(log, 'jobs')))
  stack.use(await startRunWorkers())
  stack.use(await startTaskWorkers())
  const kept = stack.move()
  return {
    address: addressOf(server.addresses(), config),
    vendorAddress: vendor && addressOf(vendor.addresses(), config),
    firstStart,
    ignoresPassword,
    reload,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

interface Api extends Pick<Service, 'firstStart' | 'ignoresPassword' | 'reload'> {
  readonly server: ReturnType<typeof createServer>
  /** The server for existing clients; null when the configuration does not ask for it. */
  readonly vendor: ReturnType<typeof createServer> | null
  readonly routes: readonly Route[]
  /** The periodic work of this process. */
  readonly jobs: readonly Job[]
  readonly startRunWorkers: (timing?: Partial<Timing>) => Promise<RunWorkers>
  readonly startTaskWorkers: (options?: TaskOptions) => Promise<TaskWorkers>
  /** Hands over the build of the console once it is ready; requests that come before wait for it. */
  readonly builtBy: (build: ConsoleBuild) => void
}

/** Options of task workers, for tests that need others than the defaults. */
export type TaskOptions = Partial<Pick<TaskWorkerOptions, 'kinds' | 'timing'>>

/** Parts that may be passed in: the routes of a registry know no database, so that several services can share them. */
interface ApiParts {
  readonly metrics?: Metrics | null
  readonly registry?: Registry
  readonly declared?: readonly Route[]
}

/** Opens the whole API over a migrated database, as a server that does not listen yet. */
export async function openApi(
  database: Database,
  config: Config,
  log: Logger,
  { metrics = null, registry = assembleResources(), declared }: ApiParts = {},
): Promise<Api> {
  const { passwordMemoryMiB } = config
  const encryption = await openEncryption(database.db, config, listEncryptedColumns(registry))
  const seeded = await seed(database, registry, config)
  await logUnmetHosts(database.db, log)
  await warnOfUnreadableFilters(database.db, registry, log)

  const levels = keepLogLevels(log, config.logLevels)
  const settings = await keepSettings(database, log, ({ log_levels }) => levels.chosen(log_levels))
  const cache = await openIdentityCache(database)
  const directories = openDirectories({ around: observeDirectories(loggerOf(log, 'directory')) })
  const { verify, register } = createDirectoryLogin({
    ...{ database, encryption, directories, cache },
    log: loggerOf(log, 'directory'),
  })
  const lockout = await openLockout(database, { limit: () => settings.current().failed_login_attempts_limit })
  const authenticate = createAuthenticate({
    database,
    cache,
    lockout,
    passwordMemoryMiB,
    idleTimeout: () => settings.current().idle_timeout,
    verifiers: new Map([['AuthSourceLdap', verify]]),
    register,
    acceptDelegated: createDelegatedLogin({
      db: database.db,
      sourceOfNewUsers: () => settings.current().authorize_login_delegation_auth_source_user_autocreate,
      forget: cache.clear,
    }),
  })
  metrics?.watch({ cache: cache.uses, directories: directories.states, replicas: database.replicaUses })
  const proxies = openProxyAccess(config)
  const followers = await openFollowers(database)
  const trees = () => cache.remember('trees', '', () => findTrees(database))
  // By the time followers wake, the identity cache is empty: it was subscribed to the channel first.
  await database.listen(IDENTITY_CHANNEL, followers.wake, followers.wake)
  const shared: Shared = {
    database,
    registry,
    authenticate: withLoginEvents(authenticate, loggerOf(log, 'login'), metrics),
    loginSession: createLoginSessions({ database, cache, idleTimeout: () => settings.current().idle_timeout }),
    ownerOfData: async () => {
      const administrator = await findActingAdministrator(database.db, config.adminLogin)
      return administrator === null ? null : cache.actor(administrator)
    },
    admits: createAdmission({
      clientNames: createClientNames(certificateOptions(config)),
      proxies: () => findConfigProxies(database.db),
      trees,
      settings: settings.current,
    }),
    delegation: createDelegation({ trustedProxies: config.trustedProxies, settings: settings.current, log }),
    lockout,
    passwordMemoryMiB,
    noticeLockout: createNoticeLockout({ trustedProxies: config.trustedProxies, log }),
    trees,
    counts: await keepCounts(database),
    replicaCounts: await keepCounts(database),
    settings: settings.current,
    encryption,
    directories,
    proxies,
    followers,
    version: version(),
    log,
    afterWrite: afterWrite(database, cache.clear, settings.reload, log),
  }
  const routes = listApiRoutes(shared, cache.clear, declared)
  const taskHandlers = {
    ...listTaskHandlers(registry),
    [REQUEST]: createRequestHandler({ routes, afterWrite: shared.afterWrite }),
  }
  const accounting = createAccounting(loggerOf(log, 'http'), metrics)
  const readTls = () => withHostCertificates(config, () => openAuthority(database.db, encryption))
  const options = { ...config, tls: await readTls() }
  const server = createServer(options, shared, routes, accounting)
  const dialect = config.vendorPort === null ? null : openVendor(routes)
  const vendor = dialect && createServer(options, shared, dialect.routes, accounting, dialect.dialect)
  mountDocs(server)
  compressDescriptions(server)
  let build = NO_BUILD
  mountConsole(server, { base: config.consoleBase, building: () => build.state() })
  const documents = { forMachine: answerMachine(registry), forUser: answerUser(registry) }
  mountNode(server, shared, documents, accounting)
  if (vendor) mountNode(vendor, shared, documents, accounting, dialect.dialect)
  const registering = {
    ...{ db: database.db, encryption, registry, version: version(), actor: cache.actor },
    ...{ connections: config.databasePoolSize, certificates: options.tls?.cert ?? null },
  }
  const certificateOf = createClientCertificate(certificateOptions(config))
  const clients = { ...createClientServing(registering), certificateOf }
  const installing = { unattended: serveUnattended(registry), trustedProxies: config.trustedProxies }
  for (const one of vendor ? [server, vendor] : [server]) {
    mountClients(one, shared, clients, accounting)
    mountRegister(one, shared, createCommandServing(registering), accounting)
    mountUnattended(one, shared, installing, accounting)
    one.addHook('preClose', async () => followers[Symbol.dispose]())
  }
  server.addHook('onClose', () => directories[Symbol.asyncDispose]())
  return {
    server,
    vendor,
    routes,
    builtBy: (started) => {
      build = started
    },
    jobs: [
      ...declaredJobs({
        ...{ db: database.db, kind: database.kind },
        encryption,
        directories,
        log: loggerOf(log, 'jobs'),
        settings: settings.current,
      }),
      ...(config.backupDirectory === null ? [] : [createBackupJob({ database, config, log })]),
    ],
    startRunWorkers: (timing = {}) =>
      openRunWorkers({
        database,
        log: loggerOf(log, 'runs'),
        settings: () => ({
          encryption,
          commands: proxies.commands,
          tls: proxies.tls,
          proxyTimeoutMs: settings.current().proxy_request_timeout * 1000,
          through: httpProxyOf(settings.current()),
        }),
        most: config.runWorkers,
        graceMs: config.shutdownTimeoutMs / 4,
        afterRuns: () => foldChanges(database.db),
        timing,
      }),
    startTaskWorkers: ({ kinds = taskHandlers, timing = {} } = {}) =>
      openTaskWorkers({
        database,
        log: loggerOf(log, 'tasks'),
        kinds,
        contextFor: createTaskContext({ ...shared, db: database.db, actor: cache.actor }),
        afterTasks: () => foldChanges(database.db),
        timing,
      }),
    firstStart: seeded.created ? { login: config.adminLogin, password: seeded.generatedPassword } : null,
    ignoresPassword: seeded.ignoresPassword,
    async reload(logLevels) {
      const tls = await readTls()
      levels.configured(logLevels)
      if (tls) for (const one of vendor ? [server, vendor] : [server]) setCertificate(one, tls)
    },
  }
}

/**
 * Creates the cache of counts and clears it when the connection is lost: a server that took over may lack the last
 * writes and repeat their versions. Only the loss matters, so that any channel would do.
 */
async function keepCounts(database: Database): Promise<CountCache> {
  const counts: CountCache = new LRUCache({ max: 5000 })
  await database.listen(
    'settings',
    () => undefined,
    () => {
      counts.clear()
      forgetCatalog(database.db)
    },
  )
  return counts
}

/** With TLS, a listener accepts client certificates of registered hosts. */
async function withHostCertificates(config: Config, authority: () => Promise<{ readonly certificate: string }>) {
  const tls = readListenerTls(config)
  return tls && withAuthority(tls, (await authority()).certificate)
}

function certificateOptions(config: Config): ClientCertificateOptions {
  const headers = {
    verify: config.clientVerifyHeader,
    subject: config.clientSubjectHeader,
    certificate: config.clientCertificateHeader,
  }
  return { trustedProxies: config.trustedProxies, headers }
}

async function findTrees({ db }: Database): Promise<CacheEntry<Trees>> {
  return { value: await loadTrees(db), lifetimeMs: REMEMBERED_MS }
}

async function seed(database: Database, registry: Registry, config: Config) {
  const seeded = await seedIdentity(database.db, { ...config, permissions: permissionsOf(registry) })
  await seedSettings(database.db)
  if (seeded.created) await seedProvisioning(database.db)
  return seeded
}

/** Keeps the current settings: changes by other processes are loaded when they are announced. */
async function keepSettings(
  database: Database,
  log: Logger,
  changed: (settings: Settings) => void,
): Promise<{ current: () => Settings; reload: () => Promise<void> }> {
  let settings = await loadSettings(database.db)
  changed(settings)
  const reload = async () => {
    settings = await loadSettings(database.db)
    changed(settings)
  }
  const reloadQuietly = () => void reload().catch((err) => log.warn({ err }, 'settings not reloaded'))
  await database.listen('settings', reloadQuietly, reloadQuietly)
  return { current: () => settings, reload }
}

/** After this many writes the lines of `table_changes` are folded, so that their sums stay fast to read. */
const WRITES_PER_FOLD = 64

function afterWrite(
  database: Database,
  forgetIdentities: () => void,
  reloadSettings: () => Promise<void>,
  log: Logger,
) {
  let writes = 0
  return async (route: Route) => {
    // The database tells other processes; this one forgets at once, so that its next request sees the change.
    if (route.invalidates === 'identities') forgetIdentities()
    if (route.invalidates === 'settings') await reloadSettings()
    if (++writes % WRITES_PER_FOLD !== 0) return
    // The write is done: a failure to fold is logged, and must not make the request fail.
    await foldChanges(database.db).catch((err) => log.warn({ err }, 'folding change lines failed'))
  }
}

function addressOf(
  [bound]: ReturnType<ReturnType<typeof createServer>['addresses']>,
  { host, port, tlsKey }: Config,
): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return `${tlsKey === null ? 'http' : 'https'}://${shown}:${typeof bound === 'object' ? bound.port : port}`
}
