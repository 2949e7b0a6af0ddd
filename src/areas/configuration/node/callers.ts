import { sql } from 'kysely'
import type { Places } from '../../../context.ts'
import { type Db, rows } from '../../../database/sql.ts'

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
 * cached, and loaded again when the version of their tables has changed. Concurrent callers share the next look at
 * that.
 */
export async function findConfigProxies(db: Db): Promise<readonly Caller[]> {
  const look = looks.get(db) ?? { running: Promise.resolve([]), next: null, kept: null }
  looks.set(db, look)
  look.next ??= look.running
    .catch(() => undefined) // its callers get the error
    .then(() => {
      look.running = look.next ?? look.running
      look.next = null
      return refresh(db, look)
    })
  return look.next
}

/** Drops the cache, as when the database may have lost writes that it was read from. */
export function forgetConfigProxies(db: Db): void {
  looks.delete(db)
}

interface Look {
  running: Promise<readonly Caller[]>
  next: Promise<readonly Caller[]> | null
  kept: { readonly version: number; readonly proxies: readonly Caller[] } | null
}

// One for each database of the process, dropped with it.
const looks = new WeakMap<Db, Look>()

async function refresh(db: Db, look: Look): Promise<readonly Caller[]> {
  const [found] = await rows<{ version: number }>(
    db,
    sql`select coalesce(sum(writes), 0)::bigint as version from table_changes where table_name = any (${TABLES}::text[])`,
  )
  const version = found?.version ?? 0
  if (look.kept?.version !== version) look.kept = { version, proxies: await loadConfigProxies(db) }
  return look.kept.proxies
}

const TABLES = [
  ...['smart_proxies', 'smart_proxy_features', 'features'],
  ...['smart_proxy_organizations', 'smart_proxy_locations'],
]

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
