import type { Logger } from 'pino'
import { type Db, rows, type Sql } from '../../../database/sql.ts'
import type { Taxonomy } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A smart proxy with hosts that name it, but for which it does not act. */
interface Unmet {
  readonly id: number
  readonly name: string
  readonly hosts: number
  /** The first of these hosts by name. */
  readonly first: readonly string[]
}

const MOST_PROXIES = 20
const MOST_HOSTS = 10

/**
 * Logs smart proxies that do not act for hosts which name them as their configuration proxy: older versions let every
 * proxy act for every host (docs/decisions/0017-machines.md).
 */
export async function logUnmetHosts(db: Db, log: Logger): Promise<void> {
  const found = await rows<Unmet & { readonly proxies: number; readonly all: number }>(db, UNMET)
  const [first] = found
  if (!first) return
  const proxies = found.map(({ id, name, hosts, first: names }) => ({ id, name, hosts, first: names }))
  log.warn({ proxies, count: first.proxies, hosts: first.all }, 'smart proxies do not act for hosts that name them')
}

const UNMET = sql`
  with acting as materialized (
    select p.id, p.name, ${selectPlacesOf('organization')} as organizations, ${selectPlacesOf('location')} as locations from smart_proxies p
  ), unmet as (
    select p.id, p.name, h.name as host, row_number() over (partition by p.id order by h.name) as place
    from acting p join hosts h on h.config_proxy_id = p.id
    where not (${selectMeets('organization')} and ${selectMeets('location')})
  )
  select id, name, count(*)::integer as hosts, array_agg(host order by place) filter (where place <= ${MOST_HOSTS}) as first,
    (count(*) over ())::integer as proxies, (sum(count(*)) over ())::integer as all
  from unmet group by id, name order by hosts desc, name limit ${MOST_PROXIES}`

/** Selects the ids in which the proxy `p` acts, with all below them; null: it is not limited. */
function selectPlacesOf(kind: Taxonomy['kind']): Sql {
  const [links, id] = [sql.table(`smart_proxy_${kind}s`), sql.ref(`${kind}_id`)]
  return sql`case when not ${sql.ref(`any_${kind}`)} or exists (select from ${links} l where l.smart_proxy_id = p.id) then array(
    select x.id from ${sql.table(`${kind}s`)} x
    where exists (select from ${links} l where l.smart_proxy_id = p.id and l.${id} = any (x.ancestor_ids || x.id))) end`
}

function selectMeets(kind: Taxonomy['kind']): Sql {
  const places = sql.ref(`p.${kind}s`)
  return sql`(${places} is null or coalesce(h.${sql.ref(`${kind}_id`)} = any (${places}), false))`
}
