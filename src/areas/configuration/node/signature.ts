import { type Db, finishFragment, rows, type Sql, textOf } from '../../../database/sql.ts'
import { coalesce } from '../../../lib/coalesce.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { sql } from '../../../sql.ts'
import { CATALOG_TABLES } from './catalog.ts'
import { OWNERS, type RequestedFacts, selectNamedId } from './inputs.ts'

/**
 * Tables in which any change may change any document: their version is part of every signature. Of the tables in {@link
 * HOST_TABLES} only the host's rows matter.
 */
export const SHARED_TABLES = [
  ...CATALOG_TABLES,
  'architectures',
  'certificate_authorities',
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

/** Tables that say which machines are smart proxies, and where they act. */
const CALLERS_TABLES = [
  'smart_proxies',
  'smart_proxy_features',
  'features',
  'smart_proxy_organizations',
  'smart_proxy_locations',
]

/** A host and its signature: while that stays equal, so does the document. */
export interface SignedHost {
  readonly id: number
  readonly signature: string
}

/**
 * Reads the signature of the host with this certificate name, name or id; null for an unknown host. Requests that wait share
 * one statement, so that each answer is newer than its request.
 */
export async function readSignature(db: Db, name: string, facts: RequestedFacts): Promise<SignedHost | null> {
  if (!isValidText(name)) return null // one such name would fail the statement of all who wait
  const known = readers.get(db)
  const reader = known?.facts === facts ? known : createReader(db, facts)
  readers.set(db, reader)
  return (await reader.read(name)).signatures.get(name) ?? null
}

/** Reads the version of the tables that smart proxies are loaded from, in the statement for signatures. */
export async function readCallersVersion(db: Db): Promise<number> {
  const reader = readers.get(db) ?? createReader(db, [])
  readers.set(db, reader)
  return (await reader.read(null)).callers
}

/** What one statement reads for all requests that wait for it. */
interface Versions {
  readonly callers: number
  readonly signatures: ReadonlyMap<string, SignedHost>
}

/** Reads signatures that depend on these facts. */
interface SignatureReader {
  readonly facts: RequestedFacts
  /** Takes the name of a host whose signature is wanted. */
  readonly read: (name: string | null) => Promise<Versions>
}

// One reader for each database of the process, dropped with the database.
const readers = new WeakMap<Db, SignatureReader>()

function createReader(db: Db, facts: RequestedFacts): SignatureReader {
  let asked = new Set<string>()
  const load = coalesce(() => {
    const names = [...asked]
    asked = new Set()
    return loadVersions(db, names, facts)
  })
  return {
    facts,
    read: (name) => {
      if (name !== null) asked.add(name)
      return load()
    },
  }
}

async function loadVersions(db: Db, names: readonly string[], facts: RequestedFacts): Promise<Versions> {
  const found = await rows<{ callers: number; name: string | null; id: number; signature: string }>(
    db,
    sql`${BEFORE_FACTS} ${factsOf(facts)} ${AFTER_FACTS} unnest((select ${names}::text[])::text[]) asked (name)) n on true ${JOINED}`,
  )
  return {
    callers: found[0]?.callers ?? 0,
    signatures: new Map(found.flatMap(({ name, ...host }) => (name === null ? [] : [[name, host]]))),
  }
}

const VERSION = sql`(select coalesce(sum(writes), 0) as tables,
    (coalesce(sum(writes) filter (where table_name in (${listOf(CALLERS_TABLES)})), 0))::bigint as callers
  from table_changes where table_name in (${listOf(SHARED_TABLES)}))`

function listOf(tables: readonly string[]): Sql {
  return sql.join(tables.map((name) => sql.lit(name)))
}

/** Selects the owners' rows. Most hosts have one user or none; only members of groups need a recursive search. */
const OWNED_BY = sql`case when h.owner_usergroup_id is null
    then (select x.xmin::text from users x where x.id = h.owner_user_id)
    else (select string_agg(x.xmin::text, ',' order by x.id) from users x where x.id in (${OWNERS})) end`

const BEFORE_FACTS = finishFragment(sql`
  select v.callers, case when h.id is not null then n.name end as name, h.id, concat_ws('/', v.tables, h.id, h.xmin,
    (select string_agg(x.xmin::text, ',' order by x.id) from interfaces x where x.host_id = h.id), '',
    ${OWNED_BY}, '',`)

const AFTER_FACTS = sql.raw(`) as signature from ${textOf(VERSION)} v left join (select distinct name from`)

const JOINED = finishFragment(
  sql`left join hosts h on h.id = ${selectNamedId(sql`n.name`, sql`case when n.name ~ '^[0-9]{1,18}$' then n.name::bigint end`)}`,
)

function factsOf(facts: RequestedFacts): Sql {
  if (facts === 'all') return ALL_FACTS
  return facts.length === 0 ? NO_FACTS : sql`${facts}::text, ${FACTS} and f.name = any (${facts}::text[]))`
}

const FACTS = sql.raw(`(select md5(string_agg(x.xmin::text, ',' order by x.fact_name_id))
  from fact_values x join fact_names f on f.id = x.fact_name_id where x.host_id = h.id`)
const ALL_FACTS = sql`'all', ${FACTS})`
const NO_FACTS = sql`'none'`
