import { type Db, row } from '../src/database/sql.ts'
import { sql } from '../src/sql.ts'

/** The number of classes, parameters and matchers of a fleet. */
export interface ClassesSize {
  readonly classes: number
  readonly parameters: number
  readonly matchers: number
}

/**
 * Adds classes that every host gets through its group, in all environments: parameters of common types, one in twenty
 * merged, and matchers for hosts, groups, domains and facts, some of which match any host. Called once for a database.
 */
export async function fillClasses(db: Db, { classes, parameters, matchers }: ClassesSize): Promise<void> {
  if (await row(db, sql`select id from configclasses limit 1`)) return
  await sql`insert into configclasses (name) select 'module' || n || '::class' from generate_series(1, ${classes}::int) n`.execute(
    db,
  )
  await sql`insert into configclass_environments select c.id, e.id from configclasses c, environments e`.execute(db)
  await sql`insert into hostgroup_configclasses select g.id, c.id from hostgroups g, configclasses c where g.ancestor_ids = '{}'`.execute(
    db,
  )
  await sql`
    insert into smart_class_parameters (configclass_id, parameter, override, parameter_type, default_value, override_value_order, merge_overrides)
    select (select min(id) from configclasses) + n % ${classes}::int, 'parameter_' || n, true,
      case n % 20 when 0 then 'array' when 1 then 'integer' when 2 then 'boolean' else 'string' end,
      case n % 20 when 0 then '["default"]'::jsonb when 1 then '1'::jsonb when 2 then 'true'::jsonb else to_jsonb('default ' || n) end,
      case n % 3 when 0 then null when 1 then E'fqdn\nhostgroup,domain\nhostgroup\nkernel' else E'fqdn\nhostgroup\ndomain' end, n % 20 = 0
    from generate_series(1, ${parameters}::int) n`.execute(db)
  await sql`insert into class_parameter_environments select p.id, e.id from smart_class_parameters p, environments e`.execute(
    db,
  )
  await sql`
    insert into override_values (smart_class_parameter_id, match, value)
    select p.id, case n % 4
        when 0 then 'fqdn=' || (select name from hosts order by id offset n % 5000 limit 1)
        when 1 then 'hostgroup=' || (select title from hostgroups order by id offset n % 100 limit 1)
        when 2 then 'domain=d' || n % 10 + 1 || '.example.test'
        else 'kernel=Linux' end,
      case p.parameter_type when 'array' then '["more"]'::jsonb when 'integer' then '2'::jsonb when 'boolean' then 'false'::jsonb
        else to_jsonb('value ' || n) end
    from generate_series(1, ${matchers}::int) n
    join smart_class_parameters p on p.id = (select min(id) from smart_class_parameters) + (n / 4) % ${parameters}::int`.execute(
    db,
  )
  await sql`insert into features (name) values ('Config') on conflict do nothing`.execute(db)
  await sql`insert into smart_proxy_features (smart_proxy_id, feature_id)
    select p.id, f.id from smart_proxies p, features f where f.name = 'Config'`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
