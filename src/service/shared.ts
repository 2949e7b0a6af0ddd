import type { Logger } from 'pino'
import { IDENTITY_CHANNEL } from '../areas/access/index.ts'
import { findConfigProxies } from '../areas/configuration/index.ts'
import { openProxyAccess } from '../areas/proxies/index.ts'
import { openFollowers } from '../areas/runs/index.ts'
import type { Config } from '../config/config.ts'
import { createClientNames } from '../http/access/client-certificate.ts'
import { createDelegation } from '../http/access/delegation.ts'
import { createAdmission } from '../http/access/machine-auth.ts'
import { createClientAddress } from '../http/listeners/addresses.ts'
import { createNoticeLockout } from '../http/listeners/undeclared-proxy.ts'
import type { Shared } from '../http/shared.ts'
import { readVersion } from '../version.ts'
import { type ClientAuthorities, certificateOptionsOf, isOfMachine } from './certificates.ts'
import { createAfterWrite, type KeptSettings, keepCounts, keepTrees } from './kept.ts'
import type { openLogins } from './logins.ts'
import { openReferences } from './references.ts'

interface SharedOptions extends Pick<Shared, 'database' | 'registry' | 'encryption'> {
  readonly settings: KeptSettings
  readonly logins: Awaited<ReturnType<typeof openLogins>>
  readonly config: Config
  readonly log: Logger
  readonly clientAuthorities: ClientAuthorities
}

/** Opens what all requests share. */
export async function openShared({
  settings,
  logins,
  config,
  log,
  clientAuthorities,
  ...given
}: SharedOptions): Promise<Shared> {
  const { database } = given
  const { cache, ...identities } = logins
  const { trustedProxies } = config
  const trees = keepTrees(database, cache)
  const clientAddress = createClientAddress({ trustedProxies, log })
  const proxies = openProxyAccess(config)
  const references = openReferences(config)
  const followers = await openFollowers(database)
  // By the time followers wake, the identity cache is empty: it was subscribed to the channel first.
  await database.listen(IDENTITY_CHANNEL, followers.wake, followers.wake)
  return {
    ...given,
    ...identities,
    admits: createAdmission({
      clientNames: createClientNames(certificateOptionsOf(config), (one) => isOfMachine(clientAuthorities, one)),
      clientAddress,
      proxies: () => findConfigProxies(database.db),
      trees,
      settings: settings.current,
    }),
    clientAddress,
    delegation: createDelegation({ trustedProxies, settings: settings.current, log }),
    noticeLockout: createNoticeLockout({ trustedProxies, log }),
    trees,
    counts: await keepCounts(database, log),
    settings: settings.current,
    proxies,
    references,
    followers,
    version: readVersion(),
    base: config.consoleBase,
    log,
    afterWrite: createAfterWrite(database, cache.clear, settings.reload, log),
  }
}
