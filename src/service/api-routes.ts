import { accessRoutes } from '../areas/access/index.ts'
import { contentViewEnvironmentRoutes } from '../areas/content/index.ts'
import { eventRoutes, historyRoutes, withPast } from '../areas/events/index.ts'
import { inventoryRoutes } from '../areas/provisioning/index.ts'
import { registrationCommandRoute, registrationTokenRoutes } from '../areas/registration/index.ts'
import { statesRoute } from '../areas/server/index.ts'
import { areSecretsReadable } from '../encryption/keys.ts'
import { oauthRoutes } from '../http/access/oauth-routes.ts'
import { openIdRoutes } from '../http/access/openid-routes.ts'
import { sessionListRoutes } from '../http/access/own-sessions.ts'
import { sessionRoutes } from '../http/access/session.ts'
import { batchRoute } from '../http/batch/batch.ts'
import { indexRoute, serviceRoutes } from '../http/operations.ts'
import { openApiRoute } from '../http/pages/openapi.ts'
import type { Shared } from '../http/shared.ts'
import { routesOf } from '../kernel/index.ts'
import type { Route } from '../requests/route.ts'
import { readVersion } from '../version.ts'
import { sampleRoute } from './sample-route.ts'

/** Lists every route of the service: those made from declarations, and the few that are written by hand. */
export function listApiRoutes(
  { database, registry, encryption, afterWrite }: Pick<Shared, 'database' | 'registry' | 'encryption' | 'afterWrite'>,
  forgetIdentities: () => void,
  declared: readonly Route[] = routesOf(registry),
): Route[] {
  const canReadSecrets = () => areSecretsReadable(database.db, encryption)
  const routes = [
    ...withPast(declared, registry),
    ...serviceRoutes(database, registry, readVersion(), canReadSecrets),
    ...sessionRoutes(database, forgetIdentities),
    ...openIdRoutes(forgetIdentities),
    ...oauthRoutes(forgetIdentities),
    ...sessionListRoutes(registry),
    ...accessRoutes(registry),
    registrationCommandRoute(registry),
    ...registrationTokenRoutes(registry),
    ...inventoryRoutes(registry),
    ...contentViewEnvironmentRoutes(registry),
    ...eventRoutes(registry),
    ...historyRoutes(registry),
    statesRoute(registry),
    sampleRoute(registry, declared),
  ]
  const described = [...routes, batchRoute(routes, { registry, afterWrite }), indexRoute(routes)]
  return [...described, openApiRoute(described, readVersion())]
}
