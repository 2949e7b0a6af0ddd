import { sql } from 'kysely'
import { type Db, finished, rows, type Sql, textOf } from '../../../database/sql.ts'
import { CATALOG_TABLES } from './catalog.ts'
import { OWNERS, type RequestedFacts, selectNamedId } from './inputs.ts'

/**
 * Tables of which any change may change any document: their common version stands in every signature. Documents also depend
 * on rows of the tables in {@link HOST_TABLES}, of which only those of the host count.
 */
export const SHARED_TABLES = [
  ...CATALOG_TABLES,
  ...['architectures', 'domains', 'environments', 'features', 'hostgroups', 'locations', 'media', 'models'],
  ...['operatingsystems', 'organizations', 'parameters', 'ptables', 'realms', 'smart_proxies', 'ssh_keys', 'subnets'],
  ...['smart_proxy_features', 'smart_proxy_locations', 'smart_proxy_organizations'],
  ...['configclass_environments', 'config_groups', 'config_group_configclasses', 'config_group_hostgroups'],
  ...['config_group_hosts', 'host_configclasses', 'hostgroup_configclasses'],
  ...['usergroups', 'usergroup_usergroups', 'usergroup_users'],
] as const

/** Tables that machines write to all the time: of these the rows of the host stand in its signature, by their `xmin`. */
export const HOST_TABLES = ['hosts', 'interfaces', 'users', 'fact_values', 'fact_names'] as const

/**
 * Reads what tells whether the document of a host can have changed: equal signatures of one name have equal documents. Null
 * where no host is called so. Whoever asks while a statement runs is answered by the next one together with all others who
 * do, so that each answer is at least as new as its question.
 */
export function readSignature(db: Db, name: string, facts: RequestedFacts): Promise<string | null> {
  const reader = readers.get(db) ?? createReader(db)
  readers.set(db, reader)
  return reader(name, facts)
}

type Reader = (name: string, facts: RequestedFacts) => Promise<string | null>

/** What one statement is going to be asked. */
interface Batch {
  readonly names: Set<string>
  readonly facts: RequestedFacts
  readonly found: Promise<ReadonlyMap<string, string>>
}

// One for each database that the process uses; gone with it.
const readers = new WeakMap<Db, Reader>()

function createReader(db: Db): Reader {
  let running: Promise<unknown> = Promise.resolve()
  let next: Batch | null = null
  const begin = (facts: RequestedFacts): Batch => {
    const names = new Set<string>()
    const found = running.then(() => {
      next = null
      return loadSignatures(db, [...names], facts)
    })
    running = found.catch(() => undefined) // whoever asked is told
    return { names, facts, found }
  }
  return async (name, facts) => {
    if (next === null || next.facts !== facts) next = begin(facts)
    const { names, found } = next
    names.add(name)
    return (await found).get(name) ?? null
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

/** Most hosts are owned by one user or by nobody; the members of groups are a recursive search. */
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
