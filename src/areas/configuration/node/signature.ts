import { sql } from 'kysely'
import { shareNext } from '../../../database/share-next.ts'
import { type Db, finished, rows, type Sql, textOf } from '../../../database/sql.ts'
import { CATALOG_TABLES } from './catalog.ts'
import { OWNERS, type RequestedFacts, selectNamedId } from './inputs.ts'

/**
 * Tables in which any change may change any document: their version is part of every signature. Of the tables in {@link
 * HOST_TABLES} only the host's rows matter.
 */
export const SHARED_TABLES = [
  ...CATALOG_TABLES,
  'architectures',
  'domains',
  'environments',
  'features',
  'hostgroups',
  'locations',
  'media',
  'models',
  'operatingsystems',
  'organizations',
  'parameters',
  'ptables',
  'realms',
  'smart_proxies',
  'ssh_keys',
  'subnets',
  'smart_proxy_features',
  'smart_proxy_locations',
  'smart_proxy_organizations',
  'configclass_environments',
  'config_groups',
  'config_group_configclasses',
  'config_group_hostgroups',
  'config_group_hosts',
  'host_configclasses',
  'hostgroup_configclasses',
  'usergroups',
  'usergroup_usergroups',
  'usergroup_users',
] as const

/** Tables that machines write all the time: the host's rows are part of its signature by their `xmin`. */
export const HOST_TABLES = ['hosts', 'interfaces', 'users', 'fact_values', 'fact_names'] as const

/**
 * Reads the signature of a host: while it is equal, its document is. Null for an unknown host. Requests during a
 * statement share the next one, so that each answer is newer than its request.
 */
export function readSignature(db: Db, name: string, facts: RequestedFacts): Promise<string | null> {
  const known = readers.get(db)
  const reader = known?.facts === facts ? known : createReader(db, facts)
  readers.set(db, reader)
  return reader.read(name)
}

/** Reads signatures that depend on these facts. */
interface Reader {
  readonly facts: RequestedFacts
  readonly read: (name: string) => Promise<string | null>
}

// One for each database of the process, dropped with it.
const readers = new WeakMap<Db, Reader>()

function createReader(db: Db, facts: RequestedFacts): Reader {
  let asked = new Set<string>()
  const load = shareNext(() => {
    const names = [...asked]
    asked = new Set()
    return loadSignatures(db, names, facts)
  })
  return {
    facts,
    read: async (name) => {
      asked.add(name)
      return (await load()).get(name) ?? null
    },
  }
}

async function loadSignatures(
  db: Db,
  names: readonly string[],
  facts: RequestedFacts,
): Promise<ReadonlyMap<string, string>> {
  const found = await rows<{ name: string; signature: string }>(
    db,
    sql`${BEFORE_FACTS} ${factsOf(facts)} ${AFTER_FACTS} unnest(${names}::text[]) asked (name)) n ${JOINED}`,
  )
  return new Map(found.map(({ name, signature }) => [name, signature]))
}

const VERSION = sql`(select coalesce(sum(writes), 0) as tables from table_changes
  where table_name in (${sql.join(SHARED_TABLES.map((name) => sql.lit(name)))}))`

/** Selects the owners' rows. Most hosts have one user or none; only members of groups need a recursive search. */
const OWNED_BY = sql`case when h.owner_usergroup_id is null
    then (select x.xmin::text from users x where x.id = h.owner_user_id)
    else (select string_agg(x.xmin::text, ',' order by x.id) from users x where x.id in (${OWNERS})) end`

const BEFORE_FACTS = finished(sql`
  select n.name, concat_ws('/', v.tables, h.id, h.xmin,
    (select string_agg(x.xmin::text, ',' order by x.id) from interfaces x where x.host_id = h.id), '',
    ${OWNED_BY}, '',`)

const AFTER_FACTS = sql.raw(`) as signature from ${textOf(VERSION)} v, (select distinct name from`)

const JOINED = finished(
  sql`join hosts h on h.id = ${selectNamedId(sql`n.name`, sql`case when n.name ~ '^[0-9]{1,18}$' then n.name::bigint end`)}`,
)

function factsOf(facts: RequestedFacts): Sql {
  if (facts === 'all') return ALL_FACTS
  return facts.length === 0 ? NO_FACTS : sql`${facts}::text, ${FACTS} and f.name = any (${facts}::text[]))`
}

const FACTS = sql.raw(`(select md5(string_agg(x.xmin::text, ',' order by x.fact_name_id))
  from fact_values x join fact_names f on f.id = x.fact_name_id where x.host_id = h.id`)
const ALL_FACTS = sql`'all', ${FACTS})`
const NO_FACTS = sql`'none'`
