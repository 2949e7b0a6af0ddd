import type { Config } from '../config.ts'
import { openVendor } from '../dialect/vendor.ts'
import type { Accounting } from '../http/accounting.ts'
import { mountBase } from '../http/base-path.ts'
import { findUserOfSession } from '../http/caller.ts'
import { compressDescriptions } from '../http/compressed.ts'
import { mountConsole } from '../http/console.ts'
import { type ConsoleBuild, NO_BUILD } from '../http/console-build.ts'
import { mountDocs } from '../http/docs.ts'
import { createServer } from '../http/server.ts'
import type { Shared } from '../http/shared.ts'
import { setCertificate } from '../http/tls.ts'
import type { Route } from '../requests/route.ts'
import { readTls } from './certificates.ts'
import { createMachinePaths } from './machines.ts'

/** An HTTP server as `createServer` yields it. */
export type Server = ReturnType<typeof createServer>

interface Surroundings {
  readonly shared: Shared
  readonly routes: readonly Route[]
  readonly config: Config
  readonly accounting: Accounting
  readonly actor: Parameters<typeof createMachinePaths>[0]['actor']
}

/** Creates the listeners, which do not listen yet: the server, and with a port for existing clients that of the vendor. */
export async function createListeners({ shared, routes, config, accounting, actor }: Surroundings) {
  const keys = { db: shared.database.db, encryption: shared.encryption }
  const options = { ...config, tls: await readTls(config, keys) }
  const server = createServer(options, shared, routes, accounting)
  const dialect = config.vendorPort === null ? null : openVendor(routes, config.vendorProfile)
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
  return {
    server,
    vendor,
    builtBy: (started: ConsoleBuild) => {
      build = started
    },
    /** Reads the certificate files; what it yields puts them to use. */
    readCertificates: async () => {
      const tls = await readTls(config, keys)
      return () => {
        if (tls) for (const one of all) setCertificate(one, tls)
      }
    },
  }
}
