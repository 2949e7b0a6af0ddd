import { sql } from 'kysely'
import type { Places } from '../../../context.ts'
import { type Db, rows } from '../../../database/sql.ts'

/** Whoever is certified as the host in the URL of a smart proxy is that proxy. */
interface Caller extends Places {
  readonly host: string
}

interface ProxyRow {
  readonly url: string
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
  readonly any_organization: boolean
  readonly any_location: boolean
}

/** The smart proxies that serve the configuration engine, and where they act (docs/decisions/0017-machines.md). */
export async function loadConfigProxies(db: Db): Promise<readonly Caller[]> {
  const found = await rows<ProxyRow>(
    db,
    sql`select p.url, p.any_organization, p.any_location,
        array(select l.organization_id from smart_proxy_organizations l where l.smart_proxy_id = p.id order by 1) as organizations,
        array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = p.id order by 1) as locations
      from smart_proxies p where exists (
        select from smart_proxy_features l join features f on f.id = l.feature_id
        where l.smart_proxy_id = p.id and f.name = 'Config')`,
  )
  return found.flatMap(({ url, organizations, locations, any_organization, any_location }) =>
    URL.canParse(url)
      ? [
          {
            host: new URL(url).hostname,
            organizations: organizations.length === 0 && any_organization ? null : organizations,
            locations: locations.length === 0 && any_location ? null : locations,
          },
        ]
      : [],
  )
}
