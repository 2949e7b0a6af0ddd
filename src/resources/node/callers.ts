import { sql } from 'kysely'
import { type Db, rows } from '../../database/sql.ts'

/** Hosts in the URLs of smart proxies that serve the configuration engine: whoever is certified as one is such a proxy. */
export async function configProxyHosts(db: Db): Promise<readonly string[]> {
  const found = await rows<{ url: string }>(
    db,
    sql`select p.url from smart_proxies p where exists (
      select from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = p.id and f.name = 'Config')`,
  )
  return found.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).hostname] : []))
}
