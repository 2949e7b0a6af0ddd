import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { PLAYBOOK_FACTS } from '../../../words/protocols.ts'
import type { Facts } from './flatten.ts'
import { withoutExcluded } from './without-excluded.ts'

/** The reporter of facts of a host: an agent of the configuration engine, a playbook, or the subscription client. */
export type FactSource = 'engine' | 'playbook' | 'client'

/**
 * Replaces the facts of a host from one source, without excluded ones; facts of other sources stay. One statement writes only
 * differences. Where names are new it is repeated once they are made: in a fixed order, so that concurrent uploads of new names
 * wait for each other instead of deadlocking.
 */
export async function storeFacts(
  ctx: Context,
  host: number,
  told: Facts,
  teller: FactSource = 'engine',
): Promise<void> {
  const facts = withoutExcluded(told, ctx.settings.excluded_facts)
  const names = [...facts.keys()].sort()
  const values = names.map((name) => facts.get(name) ?? null)
  const storeDifferences = () =>
    row<{ named: number }>(
      ctx.db,
      sql`
    with sent as materialized (
      select n.id, n.name, s.value, v.host_id is null or v.value is distinct from s.value as differs
      from unnest(${names}::text[], ${values}::text[]) as s (name, value) join fact_names n on n.name = s.name
      left join fact_values v on v.host_id = ${host} and v.fact_name_id = n.id
    ),
    unsent as materialized (
      select v.fact_name_id from fact_values v
      where v.host_id = ${host} and not exists (select from sent where sent.id = v.fact_name_id)
    ),
    gone as (
      delete from fact_values v using unsent u
      where v.host_id = ${host} and v.fact_name_id = u.fact_name_id and ${isReportedBy(teller, host)}
    ),
    stored as (
      insert into fact_values (host_id, fact_name_id, value)
      select ${host}::bigint, sent.id, sent.value from sent where sent.differs order by sent.name
      on conflict (host_id, fact_name_id) do update set value = excluded.value, updated_at = now()
    )
    select count(*) as named from sent`,
    )
  const first = await storeDifferences()
  if (first?.named === names.length) return
  await makeNames(ctx, names)
  await storeDifferences()
}

/**
 * Stores the first facts of a new host: one statement that only inserts, because many hosts may register at once, if
 * all names are known.
 */
export async function storeFirstFacts(ctx: Context, host: number, told: Facts): Promise<void> {
  const facts = withoutExcluded(told, ctx.settings.excluded_facts)
  const { rowCount } = await sql`
    insert into fact_values (host_id, fact_name_id, value)
    select ${host}::bigint, n.id, s.value
    from unnest(${[...facts.keys()]}::text[], ${[...facts.values()]}::text[]) as s (name, value) join fact_names n on n.name = s.name`.execute(
    ctx.db,
  )
  if ((rowCount ?? 0) < facts.size) await storeFacts(ctx, host, facts, 'client')
}

/** Selects whether a fact `v` of a host was reported by this source. */
function isReportedBy(teller: FactSource, host: number): Sql {
  // The last report of the client is also stored with the registration.
  const byClient = sql`v.fact_name_id in (select n.id from registrations r cross join lateral jsonb_object_keys(r.facts) f (name)
    join fact_names n on n.name = replace(f.name, '.', '::') where r.host_id = ${host})`
  if (teller === 'client') return byClient
  const byPlaybook = sql`exists (select from fact_names n where n.id = v.fact_name_id and starts_with(n.name, ${PLAYBOOK_FACTS.prefix}))`
  return sql`not ${byClient} and ${teller === 'playbook' ? byPlaybook : sql`not ${byPlaybook}`}`
}

async function makeNames(ctx: Context, names: readonly string[]): Promise<void> {
  await sql`
    insert into fact_names (name) select s.name from unnest(${names}::text[]) as s (name)
    where not exists (select from fact_names n where n.name = s.name) order by s.name
    on conflict (name) do nothing`.execute(ctx.db)
}
