import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { CONFIG_SERVER_SETTING } from '../../../words/protocols.ts'

/**
 * Selects the name of the server that configures a host: the one that its proxy advertises, or else that of the proxy.
 */
export function selectConfigServer(host: string): Sql {
  const proxy = sql.ref(`${host}.config_proxy_id`)
  return sql`(select substring(url.text from '^[a-z]+://(?:[^/@]*@)?(\[[^]]*\]|[^/:?#]*)') from (select coalesce(
    (select nullif(l.settings ->> ${sql.lit(CONFIG_SERVER_SETTING)}, '') from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = ${proxy} and f.name = 'Config'),
    (select x.url from smart_proxies x where x.id = ${proxy})) as text) url)`
}

/** Selects the proxy whose authority signs the host's certificate: its own, or else one in the host's places. */
export function selectConfigAuthority(host: string): Sql {
  return sql`coalesce(
    (select x.url from smart_proxies x where x.id = ${sql.ref(`${host}.config_ca_proxy_id`)}),
    (select x.url from smart_proxies x join smart_proxy_features l on l.smart_proxy_id = x.id join features f on f.id = l.feature_id
      where f.name = 'Config CA' and ${isThere('organization', host)} and ${isThere('location', host)} order by x.id limit 1))`
}

/** Selects whether a smart proxy `x` is in the host's organization (location), or in no particular one. */
function isThere(kind: 'organization' | 'location', host: string): Sql {
  return sql`(${sql.ref(`x.any_${kind}`)} or exists (select from ${sql.table(`smart_proxy_${kind}s`)} p
    where p.smart_proxy_id = x.id and ${sql.ref(`p.${kind}_id`)} = ${sql.ref(`${host}.${kind}_id`)}))`
}
