import type { Db } from '../src/database/sql.ts'
import { sql } from '../src/sql.ts'

/** The number of hosts and of host groups, which form trees of four levels. */
export interface FleetSize {
  readonly hosts: number
  readonly hostgroups: number
  /** Facts of each host beside the three that every host has; none when absent. */
  readonly facts?: number
}

/**
 * Fills tables with typical hosts: in groups with inherited values, with an interface in one of ten domains, an owner, three
 * facts, and a parameter on some levels. One statement for each table.
 */
export async function fillFleet(
  db: Db,
  { hosts, hostgroups, facts = 0 }: FleetSize,
  organization: number,
  location: number,
) {
  await sql`insert into environments (name) select 'env' || n from generate_series(1, 5) n`.execute(db)
  await sql`insert into domains (name) select 'd' || n || '.example.test' from generate_series(1, 10) n`.execute(db)
  await sql`insert into models (name) select 'Model ' || n from generate_series(1, 50) n`.execute(db)
  await sql`insert into smart_proxies (name, url) select 'proxy' || n, 'http://proxy' || n || '.example.test' from generate_series(1, 3) n`.execute(
    db,
  )
  for (const [singular, plural] of [
    ['environment', 'environments'],
    ['domain', 'domains'],
    ['smart_proxy', 'smart_proxies'],
  ] as const) {
    await inScope(db, singular, plural, organization, location)
  }
  await insertGroups(db, hostgroups)
  await inScope(db, 'hostgroup', 'hostgroups', organization, location)
  await sql`
    insert into hosts (name, organization_id, location_id, owner_user_id, hostgroup_id, environment_id, operatingsystem_id, architecture_id, model_id, config_proxy_id, managed)
    select 'h' || substr(md5(n::text), 1, 10) || '-' || n || '.d' || n % 10 + 1 || '.example.test', ${organization}::bigint, ${location}::bigint, 1,
      (select min(id) from hostgroups) + n % ${hostgroups}::int, (select min(id) from environments) + n % 5,
      (select min(id) from operatingsystems) + n % 20, (select min(id) from architectures) + n % 10,
      (select min(id) from models) + n % 50, (select min(id) from smart_proxies) + n % 3, n % 2 = 0
    from generate_series(1, ${hosts}::int) n`.execute(db)
  await sql`
    insert into interfaces (host_id, name, mac, ip, domain_id, "primary", provision)
    select id, name, '02:' || regexp_replace(lpad(to_hex(id), 10, '0'), '(..)(?=.)', '\\1:', 'g'), '10.0.0.0'::inet + id, (select min(id) from domains) + id % 10, true, true
    from hosts`.execute(db)
  await sql`insert into fact_names (name) values ('kernel'), ('processors::count'), ('uptime') on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into fact_values (host_id, fact_name_id, value)
    select h.id, f.id, case f.name when 'kernel' then 'Linux' when 'uptime' then h.id || ' days' else (h.id % 64)::text end
    from hosts h, fact_names f`.execute(db)
  if (facts > 0) await fillFacts(db, facts)
  await sql`insert into parameters (name, value, hostgroup_id) select 'tier', to_jsonb('gold'::text), id from hostgroups where id % 10 = 0`.execute(
    db,
  )
  await sql`insert into parameters (name, value, host_id) select 'tier', to_jsonb('silver'::text), id from hosts where id % 100 = 0`.execute(
    db,
  )
}

/**
 * Adds this many facts to each host, each with one of a thousand values. They are inserted like a restore does: no trigger
 * runs for 100,000,000 rows, and the index is built afterwards.
 */
async function fillFacts(db: Db, count: number): Promise<void> {
  await sql`insert into fact_names (name) select 'measured::' || n from generate_series(1, ${count}::int) n`.execute(db)
  const index = await sql<{ definition: string }>`
    select pg_get_indexdef('fact_values_fact_name_id_idx'::regclass) as definition`.execute(db)
  await sql`drop index fact_values_fact_name_id_idx`.execute(db)
  await db.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into fact_values (host_id, fact_name_id, value)
      select h.id, f.id, 'v' || (h.id * 7919 + f.id) % 1000
      from hosts h, fact_names f
      where f.name like 'measured::%'
      order by h.id, f.id`.execute(tx)
    await sql`insert into table_changes select 'fact_values', count(*), 1 from fact_values f join fact_names n on n.id = f.fact_name_id
      where n.name like 'measured::%'`.execute(tx)
  })
  await sql.raw(index.rows[0]?.definition ?? '').execute(db)
}

/** Nine trees in which each group has ten below it; values are set at the top and here and there. */
async function insertGroups(db: Db, count: number): Promise<void> {
  await sql`
    with recursive numbered as (select n from generate_series(1, ${count}::int) n),
    first as (select coalesce(max(id), 0) as id from hostgroups),
    placed (n, title, above) as (
      select n, 'g' || n, '{}'::bigint[] from numbered where n < 10
      union all
      select child.n, placed.title || '/g' || child.n, placed.above || (first.id + placed.n)
      from placed, first, numbered child
      where child.n / 10 = placed.n
    )
    insert into hostgroups (id, name, title, parent_id, ancestor_ids, environment_id, operatingsystem_id, description)
    overriding system value
    select first.id + n, 'g' || n, title, above[array_upper(above, 1)], above,
      case when above = '{}' then (select min(id) from environments) end,
      case when n % 7 = 0 then (select min(id) from operatingsystems) + n % 20 end, 'group ' || n
    from placed, first`.execute(db)
}

async function inScope(db: Db, singular: string, plural: string, organization: number, location: number) {
  for (const [kind, id] of Object.entries({ organization, location })) {
    await sql`insert into ${sql.table(`${singular}_${kind}s`)} select id, ${id}::bigint from ${sql.table(plural)}`.execute(
      db,
    )
  }
}
