import type { Places } from '../../../context.ts'
import { type Db, rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { readCallersVersion } from './signature.ts'

/** A smart proxy as a caller: the machine certified for the host name in its URL. */
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

/**
 * Finds the smart proxies of the configuration engine and where they act (docs/decisions/0017-machines.md). They are
 * cached, and loaded again when the version of their tables has changed.
 */
export function findConfigProxies(db: Db): Promise<readonly Caller[]> {
  const find = finders.get(db) ?? createFinder(db)
  finders.set(db, find)
  return find()
}

/** Drops the cache of smart proxies, for databases that may have lost writes which the cache was read from. */
export function forgetConfigProxies(db: Db): void {
  finders.delete(db)
}

// One cache for each database of the process, dropped with the database.
const finders = new WeakMap<Db, () => Promise<readonly Caller[]>>()

function createFinder(db: Db): () => Promise<readonly Caller[]> {
  let kept: { readonly version: number; readonly proxies: readonly Caller[] } | null = null
  return async () => {
    const version = await readCallersVersion(db)
    if (kept?.version !== version) kept = { version, proxies: await loadConfigProxies(db) }
    return kept.proxies
  }
}

async function loadConfigProxies(db: Db): Promise<readonly Caller[]> {
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
