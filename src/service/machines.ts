import { answerUser, beginAnswer } from '../areas/configuration/index.ts'
import { serveUnattended } from '../areas/provisioning/index.ts'
import { createClientServing, createCommandServing } from '../areas/registration/index.ts'
import type { Config } from '../config.ts'
import type { Accounting } from '../http/accounting.ts'
import { createClientCertificate } from '../http/client-certificate.ts'
import { mountNode } from '../http/node.ts'
import { mountRegister } from '../http/register.ts'
import { mountClients } from '../http/rhsm.ts'
import type { Shared } from '../http/shared.ts'
import { mountUnattended } from '../http/unattended.ts'
import { certificateOptionsOf } from './certificates.ts'

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
export function createMachinePaths({ shared, config, accounting, actor, certificates }: Machines) {
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
