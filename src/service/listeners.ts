import { answerUser, beginAnswer } from '../areas/configuration/index.ts'
import { serveUnattended } from '../areas/provisioning/index.ts'
import { createClientServing, createCommandServing } from '../areas/registration/index.ts'
import type { Config } from '../config/config.ts'
import { openVendor } from '../dialect/routes/vendor.ts'
import { findUserOfSession } from '../http/access/authenticate.ts'
import { createClientCertificate } from '../http/access/client-certificate.ts'
import { compressDescriptions } from '../http/answers/compressed.ts'
import { mountUnattended } from '../http/installer-routes.ts'
import type { Accounting } from '../http/listeners/accounting.ts'
import { createServer } from '../http/listeners/server.ts'
import { setCertificate } from '../http/listeners/tls.ts'
import { mountNode } from '../http/node.ts'
import { mountConsole } from '../http/pages/console.ts'
import { type ConsoleBuild, NO_BUILD } from '../http/pages/console-build.ts'
import { mountDocs } from '../http/pages/docs.ts'
import { mountBase } from '../http/paths.ts'
import { mountRegister } from '../http/register.ts'
import { mountClients } from '../http/rhsm.ts'
import type { Shared } from '../http/shared.ts'
import type { Route } from '../requests/route.ts'
import { type ClientAuthorities, certificateOptionsOf, readTls } from './certificates.ts'

/** An HTTP server as `createServer` yields it. */
export type Server = ReturnType<typeof createServer>

interface ListenerOptions {
  readonly shared: Shared
  readonly routes: readonly Route[]
  /** Lists the routes of another assembly of the resources. */
  readonly listRoutesAgain: () => readonly Route[]
  readonly config: Config
  readonly accounting: Accounting
  readonly actor: Parameters<typeof createMachinePaths>[0]['actor']
  readonly clientAuthorities: ClientAuthorities
}

/** Creates the listeners, which do not listen yet: the server, and with a port for existing clients that of the vendor. */
export async function createListeners(given: ListenerOptions) {
  const { shared, routes, listRoutesAgain, config, accounting, actor, clientAuthorities } = given
  const keys = { db: shared.database.db, encryption: shared.encryption }
  const options = { ...config, tls: await readTls(config, keys, clientAuthorities) }
  const server = createServer(options, shared, routes, accounting)
  const dialect = config.vendorPort === null ? null : openVendor(routes, config.vendorProfile, listRoutesAgain())
  // Existing clients have an address of their own, which is not that of the console.
  const vendor = dialect && createServer(options, { ...shared, base: '/' }, dialect.routes, accounting, dialect.dialect)
  const all = vendor ? [server, vendor] : [server]
  mountBase(server, config.consoleBase)
  mountDocs(server, config.consoleBase)
  compressDescriptions(server)
  let build = NO_BUILD
  mountConsole(server, {
    base: config.consoleBase,
    building: () => build.state(),
    findUser: (request) => findUserOfSession(shared, request),
  })
  const machines = createMachinePaths({ shared, config, accounting, actor, certificates: options.tls?.cert ?? null })
  machines.mountDocuments(server)
  if (vendor) machines.mountDocuments(vendor, dialect.dialect)
  for (const one of all) machines.mountOthers(one)
  server.addHook('onClose', () => shared.directories[Symbol.asyncDispose]())
  server.addHook('onClose', () => shared.counts[Symbol.asyncDispose]())
  return {
    server,
    vendor,
    builtBy: (started: ConsoleBuild) => {
      build = started
    },
    /** Reads the certificate files; what it yields puts them to use. */
    readCertificates: async () => {
      const tls = await readTls(config, keys, clientAuthorities)
      return () => {
        if (tls) for (const one of all) setCertificate(one, tls)
      }
    },
  }
}

interface Machines {
  readonly shared: Shared
  readonly config: Config
  readonly accounting: Accounting
  /** Yields a user as an actor, for what is done with a token of theirs. */
  readonly actor: Parameters<typeof createCommandServing>[0]['actor']
  /** The certificate files of the listeners; null without TLS. */
  readonly certificates: string | null
}

/** Creates what mounts the paths of machines on a listener: documents, installations, registrations, subscription clients. */
function createMachinePaths({ shared, config, accounting, actor, certificates }: Machines) {
  const { registry, encryption, version, followers, database } = shared
  const documents = { forMachine: beginAnswer(registry, database.db), forUser: answerUser(registry) }
  const connections = config.databasePoolSize
  const registering = { db: database.db, encryption, registry, version, actor, connections, certificates }
  const certificateOf = createClientCertificate(certificateOptionsOf(config))
  const clients = { ...createClientServing(registering), certificateOf }
  const installing = { unattended: serveUnattended(registry), trustedProxies: config.trustedProxies }
  return {
    mountDocuments: (server: Listener, dialect?: Dialect) => mountNode(server, shared, documents, accounting, dialect),
    mountOthers: (server: Listener) => {
      mountClients(server, shared, clients, accounting)
      mountRegister(server, shared, createCommandServing(registering), accounting)
      mountUnattended(server, shared, installing, accounting)
      server.addHook('preClose', async () => followers[Symbol.dispose]())
    },
  }
}

type Listener = Parameters<typeof mountNode>[0]
type Dialect = Parameters<typeof mountNode>[4]
