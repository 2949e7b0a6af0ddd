import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { seedIdentity, warnOfUnreadableFilters } from '../areas/access/index.ts'
import { assembleResources, listEncryptedColumns } from '../areas/index.ts'
import { seedProvisioning } from '../areas/provisioning/index.ts'
import { logUnmetHosts } from '../areas/proxies/index.ts'
import { openJobs } from '../areas/server/index.ts'
import type { Config } from '../config/config.ts'
import type { LogLevels } from '../config/log-levels.ts'
import type { Database } from '../database/database.ts'
import { openEncryption } from '../encryption/keys.ts'
import { createAccounting } from '../http/listeners/accounting.ts'
import type { Metrics } from '../http/listeners/metrics.ts'
import { type ConsoleBuild, startConsoleBuild } from '../http/pages/console-build.ts'
import { permissionsOf, type Registry } from '../kernel/index.ts'
import { loggerOf } from '../log.ts'
import { migrate } from '../postgresql/migrate.ts'
import type { Route } from '../requests/route.ts'
import { ROOT } from '../root.ts'
import { seedSettings } from '../settings/settings.ts'
import { listenOnAdminSocket } from './admin-socket.ts'
import { listApiRoutes } from './api-routes.ts'
import type { ClientAuthorities } from './certificates.ts'
import { keepSettings } from './kept.ts'
import { createListeners, type Server } from './listeners.ts'
import { openLogins } from './logins.ts'
import { exposeMetrics, keepLogLevels, openMetrics, traceWhereAsked } from './observability.ts'
import { openShared } from './shared.ts'
import { openDatabase } from './wait-for-database.ts'
import { createWork, type Work } from './work.ts'

/** A running service; disposing of it stops it. */
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
  const opening = openDatabase(configured, MIGRATIONS, loggerOf(log, 'database'), stop)
  const registry = assembleResources() // meanwhile the database opens in other threads and processes
  const { database, config } = await opening
  stack.use(database)
  await migrate(database, MIGRATIONS)
  const metrics = config.metricsPort === null && config.metricsToken === null ? null : await openMetrics(database)
  const api = await openApi(database, config, log, { metrics, registry })
  const { server, vendor, jobs, startRunWorkers, startTaskWorkers, startEvents, firstStart, ignoresPassword, reload } =
    api
  stack.defer(() => server.close())
  if (metrics) await exposeMetrics(stack, server, metrics, config)
  await server.listen({ host: config.host, port: config.port })
  if (vendor) {
    stack.defer(() => vendor.close())
    await vendor.listen({ host: config.host, port: config.vendorPort ?? 0 })
  }
  await listenOnAdminSocket(stack, server, { database, config, log })
  if (config.consoleBuild) api.builtBy(stack.use(startConsoleBuild(log)))
  stack.use(openJobs(database, jobs, loggerOf(log, 'jobs')))
  stack.use(await startRunWorkers())
  stack.use(await startTaskWorkers())
  stack.use(await startEvents())
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

interface Api extends Pick<Service, 'firstStart' | 'ignoresPassword' | 'reload'>, Work {
  readonly server: Server
  /** The server for existing clients; null when the configuration does not ask for it. */
  readonly vendor: Server | null
  readonly routes: readonly Route[]
  /** Hands over the build of the console once it is ready; requests that come before wait for it. */
  readonly builtBy: (build: ConsoleBuild) => void
}

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
  const encryption = await openEncryption(database.db, config, listEncryptedColumns(registry))
  const seeded = await seedDatabase(database, registry, config)
  await logUnmetHosts(database.db, log)
  await warnOfUnreadableFilters(database.db, registry, log)

  const levels = keepLogLevels(log, config.logLevels)
  const settings = await keepSettings(database, log, ({ log_levels }) => levels.chosen(log_levels))
  const logins = await openLogins({ database, encryption, settings, metrics, config, log })
  const clientAuthorities: ClientAuthorities = { ofMachines: [], ofHosts: [], isSomeImported: false }
  const shared = await openShared({ database, registry, encryption, settings, logins, config, log, clientAuthorities })
  const { actor, clear } = logins.cache
  const routes = listApiRoutes(shared, clear, declared)
  const accounting = createAccounting(loggerOf(log, 'http'), metrics, shared.clientAddress)
  const { readCertificates, ...listeners } = await createListeners({
    shared,
    routes,
    config,
    accounting,
    actor,
    clientAuthorities,
    listRoutesAgain: () => listApiRoutes({ ...shared, registry: assembleResources() }, clear, declared),
  })
  return {
    ...listeners,
    ...createWork({ shared, config, actor }),
    routes,
    firstStart: seeded.created ? { login: config.adminLogin, password: seeded.generatedPassword } : null,
    ignoresPassword: seeded.ignoresPassword,
    async reload(logLevels) {
      const use = await readCertificates()
      levels.configured(logLevels)
      use()
    },
  }
}

function addressOf([bound]: ReturnType<Server['addresses']>, { host, port, tlsKey }: Config): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return `${tlsKey === null ? 'http' : 'https'}://${shown}:${typeof bound === 'object' ? bound.port : port}`
}

/** Stores what a database has from its first start: the administrator, permissions, settings, templates. */
async function seedDatabase(database: Database, registry: Registry, config: Config) {
  const seeded = await seedIdentity(database.db, { ...config, permissions: permissionsOf(registry) })
  await seedSettings(database.db)
  if (seeded.created) await seedProvisioning(database.db)
  return seeded
}
