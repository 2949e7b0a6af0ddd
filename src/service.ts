import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type Config, databaseConfig } from './config.ts'
import type { CountCache, Trees } from './context.ts'
import { connect, type Database } from './database/connect.ts'
import { migrate } from './database/migrate.ts'
import { openVendor } from './dialect/vendor.ts'
import { openDirectories } from './directory/directories.ts'
import { encryptionOf } from './encryption.ts'
import { createAccounting } from './http/accounting.ts'
import { createAdmission } from './http/admission.ts'
import { batchRoute } from './http/batch.ts'
import { type ClientCertificateOptions, createClientCertificate, createClientNames } from './http/client-certificate.ts'
import { createDelegation } from './http/delegation.ts'
import { mountDocs } from './http/docs.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { listenForMetrics, mountMetrics } from './http/metrics-access.ts'
import { mountNode } from './http/node.ts'
import { openApiRoute } from './http/openapi.ts'
import { indexRoute, serviceRoutes } from './http/operations.ts'
import type { Shared } from './http/pipeline.ts'
import { mountRegister } from './http/register.ts'
import { mountClients } from './http/rhsm.ts'
import { createServer } from './http/server.ts'
import { sessionRoutes } from './http/session.ts'
import { readListenerTls, withAuthority } from './http/tls.ts'
import { type Finding, openIdentityCache, REMEMBERED_MS } from './identity/cache.ts'
import { createDelegatedLogin } from './identity/delegated-login.ts'
import { createDirectoryLogin } from './identity/directory-login.ts'
import { openLockout } from './identity/lockout.ts'
import { createAuthenticate } from './identity/login.ts'
import { seedIdentity } from './identity/seed.ts'
import { declaredJobs } from './jobs/declared.ts'
import { type Job, openJobs } from './jobs/jobs.ts'
import type { Registry } from './kernel/resource.ts'
import type { Route } from './kernel/route.ts'
import { permissionsOf, routesOf } from './kernel/routes.ts'
import { foldChanges } from './kernel/store/counts.ts'
import { loadTrees } from './kernel/trees.ts'
import { openProxyAccess } from './proxies/access.ts'
import { authorityOf } from './registration/authority.ts'
import { resources } from './resources/index.ts'
import { configProxyHosts } from './resources/node/callers.ts'
import { forgetCatalog } from './resources/node/keeping.ts'
import { answerProxy, answerUser } from './resources/node/serving.ts'
import { registrationCommandRoute } from './resources/registration-command/command.ts'
import { servingClients, servingCommands } from './resources/registration-command/serving.ts'
import { seedProvisioning } from './resources/seed.ts'
import { taskKinds } from './resources/task/kinds.ts'
import { openFollowers } from './runs/followers.ts'
import { httpProxyOf } from './runs/runners/http-proxy.ts'
import { openRunWorkers, type RunWorkers, type Timing } from './runs/workers.ts'
import { loadSettings, type Settings, seedSettings } from './settings.ts'
import { actingFor } from './tasks/acting.ts'
import { openTaskWorkers, type TaskWorkerOptions, type TaskWorkers } from './tasks/workers.ts'
import { version } from './version.ts'

export interface Service extends AsyncDisposable {
  /** Where it listens, e.g. http://127.0.0.1:3000. */
  readonly address: string
  /** Where it speaks the vendor dialect; null where it does not. */
  readonly vendorAddress: string | null
  /** The administrator this start created, with the password if it was made up; null on later starts. */
  readonly firstStart: { readonly login: string; readonly password: string | null } | null
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Starts everything in the order it depends on each other: database, API, listeners. Disposing undoes it. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await connect(databaseConfig(config), log))
  await migrate(database, MIGRATIONS)
  const metrics =
    config.metricsPort === null && config.metricsToken === null ? null : createMetrics(() => database.connections())
  const { server, vendor, jobs, startRunWorkers, startTaskWorkers, firstStart } = await openApi(
    database,
    config,
    log,
    metrics,
  )
  stack.defer(() => server.close())
  if (metrics) await exposeMetrics(stack, server, metrics, config)
  await server.listen({ host: config.host, port: config.port })
  if (vendor) {
    stack.defer(() => vendor.close())
    await vendor.listen({ host: config.host, port: config.vendorPort ?? 0 })
  }
  stack.use(openJobs(database, jobs, log))
  stack.use(await startRunWorkers())
  stack.use(await startTaskWorkers())
  const kept = stack.move()
  return {
    address: addressOf(server.addresses(), config),
    vendorAddress: vendor && addressOf(vendor.addresses(), config),
    firstStart,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

interface Api extends Pick<Service, 'firstStart'> {
  readonly server: ReturnType<typeof createServer>
  /** The same for existing clients, where the configuration asks for it. */
  readonly vendor: ReturnType<typeof createServer> | null
  readonly routes: readonly Route[]
  /** What is to be done beside answering requests. */
  readonly jobs: readonly Job[]
  readonly startRunWorkers: (timing?: Partial<Timing>) => Promise<RunWorkers>
  readonly startTaskWorkers: (options?: TaskOptions) => Promise<TaskWorkers>
}

/** How tasks are worked on, where not as usual. */
export type TaskOptions = Partial<Pick<TaskWorkerOptions, 'kinds' | 'timing'>>

/** The whole API over a migrated database, as a server that does not listen yet. */
export async function openApi(
  database: Database,
  config: Config,
  log: Logger,
  metrics: Metrics | null = null,
): Promise<Api> {
  const registry = resources()
  const seeded = await seed(database, registry, config)

  const settings = await keepSettings(database, log)
  const cache = await openIdentityCache(database)
  const encryption = encryptionOf(config)
  const directories = openDirectories()
  const { verify, register } = createDirectoryLogin({ database, encryption, directories, log, cache })
  const authenticate = createAuthenticate({
    database,
    cache,
    lockout: await openLockout(database, { limit: () => settings.current().failed_login_attempts_limit }),
    idleTimeout: () => settings.current().idle_timeout,
    verifiers: new Map([['AuthSourceLdap', verify]]),
    register,
    acceptDelegated: createDelegatedLogin({
      db: database.db,
      sourceOfNewUsers: () => settings.current().authorize_login_delegation_auth_source_user_autocreate,
      forget: cache.clear,
    }),
  })
  const proxies = openProxyAccess(config)
  const followers = await openFollowers(database)
  const shared: Shared = {
    database,
    registry,
    authenticate,
    admits: createAdmission({
      clientNames: createClientNames(certificateOptions(config)),
      proxyHosts: () => configProxyHosts(database.db),
      settings: settings.current,
    }),
    delegation: createDelegation({ trustedProxies: config.trustedProxies, settings: settings.current, log }),
    trees: () => cache.remember('trees', '', () => findTrees(database)),
    counts: await keepCounts(database),
    settings: settings.current,
    encryption,
    directories,
    proxies,
    followers,
    version: version(),
    log,
    afterWrite: afterWrite(database, cache.clear, settings.reload, log),
  }
  const routes = apiRoutes(database, registry, cache.clear, shared.afterWrite)
  const accounting = createAccounting(log, metrics)
  const options = { ...config, tls: await trustingHosts(config, () => authorityOf(database.db, encryption)) }
  const server = createServer(options, shared, routes, accounting)
  const vendor = config.vendorPort === null ? null : vendorServer(options, shared, routes, accounting)
  mountDocs(server)
  mountNode(server, shared, { forProxy: answerProxy, forUser: answerUser(registry) }, accounting)
  const registering = {
    ...{ db: database.db, encryption, registry, version: version(), actor: cache.actor },
    ...{ connections: config.databasePoolSize, certificates: options.tls?.cert ?? null },
  }
  const certificateOf = createClientCertificate(certificateOptions(config))
  const clients = { ...servingClients(registering), certificateOf }
  for (const one of vendor ? [server, vendor] : [server]) {
    mountClients(one, shared, clients, accounting)
    mountRegister(one, shared, servingCommands(registering), accounting)
    one.addHook('preClose', async () => followers[Symbol.dispose]())
  }
  server.addHook('onClose', () => directories[Symbol.asyncDispose]())
  return {
    server,
    vendor,
    routes,
    jobs: declaredJobs({ db: database.db, encryption, directories, log, settings: settings.current }),
    startRunWorkers: (timing = {}) =>
      openRunWorkers({
        database,
        log,
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
    startTaskWorkers: ({ kinds = taskKinds(registry), timing = {} } = {}) =>
      openTaskWorkers({
        database,
        log,
        kinds,
        contextFor: actingFor({ ...shared, db: database.db, actor: cache.actor }),
        afterTasks: () => foldChanges(database.db),
        timing,
      }),
    firstStart: seeded.created ? { login: config.adminLogin, password: seeded.generatedPassword } : null,
  }
}

function vendorServer(...[options, shared, routes, accounting]: Parameters<typeof createServer>) {
  const vendor = openVendor(routes)
  return createServer(options, shared, vendor.routes, accounting, vendor.dialect)
}

/**
 * Totals are forgotten with the connection: a server that took over may lack the last writes, and their versions come
 * again. Only the loss is listened for, so any channel would do.
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

/** A listener with TLS takes the certificates of registered hosts. */
async function trustingHosts(config: Config, authority: () => Promise<{ readonly certificate: string }>) {
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

async function findTrees({ db }: Database): Promise<Finding<Trees>> {
  return { value: await loadTrees(db), lifetimeMs: REMEMBERED_MS }
}

/** Every route of the service, as data. */
function apiRoutes(
  database: Database,
  registry: Registry,
  forgetIdentities: () => void,
  afterWrite: Shared['afterWrite'],
): Route[] {
  const routes = [
    ...routesOf(registry),
    ...serviceRoutes(database, registry, version()),
    ...sessionRoutes(database, forgetIdentities),
    registrationCommandRoute(registry),
  ]
  const described = [...routes, batchRoute(routes, { registry, afterWrite }), indexRoute(routes)]
  return [...described, openApiRoute(described, version())]
}

async function seed(database: Database, registry: Registry, { adminLogin, adminPassword }: Config) {
  const seeded = await seedIdentity(database.db, { adminLogin, adminPassword, permissions: permissionsOf(registry) })
  await seedSettings(database.db)
  if (seeded.created) await seedProvisioning(database.db)
  return seeded
}

/** The settings in force, kept up with what other processes change. */
async function keepSettings(
  database: Database,
  log: Logger,
): Promise<{ current: () => Settings; reload: () => Promise<void> }> {
  let settings = await loadSettings(database.db)
  const reload = async () => {
    settings = await loadSettings(database.db)
  }
  const reloadQuietly = () => void reload().catch((err) => log.warn({ err }, 'settings not reloaded'))
  await database.listen('settings', reloadQuietly, reloadQuietly)
  return { current: () => settings, reload }
}

/** One write in so many folds the change lines, so that reading their sums stays as quick as it was. */
const WRITES_PER_FOLD = 64

/** What actors are made of. Other processes are told by the database; the one that wrote must not wait for that. */
const IDENTITIES = new Set([
  'users',
  'usergroups',
  'roles',
  'filters',
  'personal_access_tokens',
  'organizations',
  'locations',
  'auth_source_ldaps',
  'external_usergroups',
])

function afterWrite(
  database: Database,
  forgetIdentities: () => void,
  reloadSettings: () => Promise<void>,
  log: Logger,
) {
  let writes = 0
  return async (route: Route) => {
    if (IDENTITIES.has(route.group)) forgetIdentities()
    if (route.group === 'settings') await reloadSettings()
    if (++writes % WRITES_PER_FOLD !== 0) return
    // The write has happened: what only keeps reading quick must not make a failure of it.
    await foldChanges(database.db).catch((err) => log.warn({ err }, 'folding change lines failed'))
  }
}

async function exposeMetrics(
  stack: AsyncDisposableStack,
  server: ReturnType<typeof createServer>,
  metrics: Metrics,
  { host, metricsPort, metricsToken }: Config,
): Promise<void> {
  if (metricsToken !== null) mountMetrics(server, metrics, metricsToken)
  if (metricsPort === null) return
  const listener = await listenForMetrics(metrics, host, metricsPort)
  stack.defer(() => void listener.close())
}

function addressOf(
  [bound]: ReturnType<ReturnType<typeof createServer>['addresses']>,
  { host, port, tlsKey }: Config,
): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return `${tlsKey === null ? 'http' : 'https'}://${shown}:${typeof bound === 'object' ? bound.port : port}`
}
