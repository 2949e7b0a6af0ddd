import type { Database } from '../../src/database/database.ts'
import { rows, type Sql } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'

/** Lists inconsistencies of the tables that constraints do not prevent, as sentences. */
export async function inconsistencies({ db }: Database): Promise<string[]> {
  const found: string[] = []
  for (const [sentence, query] of Object.entries(await checks(db))) {
    const wrong = await rows(db, query)
    if (wrong.length > 0) found.push(`${sentence}: ${JSON.stringify(wrong.slice(0, 3))}`)
  }
  return found
}

async function checks(db: Database['db']): Promise<Record<string, Sql>> {
  const tracked = await rows<{ name: string }>(
    db,
    sql`select distinct event_object_table as name from information_schema.triggers where trigger_name = 'record_insert' order by 1`,
  )
  const sizes = sql.join(
    tracked.map(({ name }) => sql`select ${name}::text as name, (select count(*) from ${sql.table(name)}) as size`),
    sql` union all `,
  )
  return {
    'a table has another size than its changes add up to': sql`
      select name, size, counted from (${sizes}) sizes,
        lateral (select coalesce(sum(row_count), 0) as counted from table_changes where table_name = name) changes
      where size <> counted`,
    'a location has the wrong title or ancestors': misplaced('locations'),
    'an organization has the wrong title or ancestors': misplaced('organizations'),
    'a host group has the wrong title or ancestors': misplaced('hostgroups'),
    'a host has no primary or no provisioning interface, or more than one': sql`
      select h.id from hosts h left join interfaces i on i.host_id = h.id
      group by h.id having count(*) filter (where i."primary") <> 1 or count(*) filter (where i.provision) <> 1`,
    'a host is not called as its primary interface': sql`
      select h.id, h.name, i.name as of_interface from hosts h join interfaces i on i.host_id = h.id and i."primary"
      left join domains d on d.id = i.domain_id
      where h.name is distinct from i.name and h.name is distinct from i.name || '.' || d.name`,
    'a managed host is nowhere': sql`
      select id from hosts where managed and (organization_id is null or location_id is null)`,
    'a host has a class that is not in its environment': sql`
      select h.id, c.configclass_id from hosts h join host_configclasses c on c.host_id = h.id
      where not exists (select from configclass_environments e
        where e.configclass_id = c.configclass_id and e.environment_id = h.environment_id)`,
    'a parameter is in an environment that its class is not in': sql`
      select p.id, e.environment_id from smart_class_parameters p
      join class_parameter_environments e on e.smart_class_parameter_id = p.id
      where not exists (select from configclass_environments c
        where c.configclass_id = p.configclass_id and c.environment_id = e.environment_id)`,
    'a user group is inside itself': sql`
      with recursive inside (outer_id, id) as (
        select usergroup_id, member_id from usergroup_usergroups
        union
        select inside.outer_id, down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
      )
      select id from inside where id = outer_id`,
    'a filter has no permissions, or some of several types': sql`
      select f.id from filters f
      left join filter_permissions l on l.filter_id = f.id left join permissions p on p.id = l.permission_id
      group by f.id having count(p.id) = 0 or count(distinct coalesce(p.resource_type, '')) > 1`,
    'nobody is left to administrate': sql`
      select 1 as one where not exists (select from users where admin and not disabled)`,
    'the versions of a record’s audits are not 1, 2, 3, …': sql`
      select auditable_type, auditable_id from audits group by 1, 2
      having count(*) <> max(version) or count(distinct version) <> count(*) or min(version) <> 1`,
    'a record is audited after its end': sql`
      select a.id from audits a join audits b using (auditable_type, auditable_id)
      where a.action = 'destroy' and b.version > a.version`,
    'an architecture is not what its audits say': sql`
      select a.id, a.name, last.name as audited from architectures a,
        lateral (
          select case action when 'update' then audited_changes -> 'name' ->> 1 else audited_changes ->> 'name' end as name
          from audits where auditable_type = 'Architecture' and auditable_id = a.id and audited_changes ? 'name'
          order by version desc limit 1
        ) last
      where last.name is distinct from a.name`,
    'a task is broken: its fault is told to nobody': sql`
      select id, kind, input from tasks where errors[1] like 'internal error%'`,
    'a counter of content is not what it counts': sql`
      select 'keys' as of, id from activation_keys k
        where usage_count <> (select count(*) from activation_key_hosts h where h.activation_key_id = k.id)
      union all select 'collections', id from host_collections c
        where total_hosts <> (select count(*) from host_collection_hosts h where h.host_collection_id = c.id)
      union all select 'subscriptions', id from subscriptions s
        where consumed <> (select coalesce(sum(e.quantity), 0) from host_entitlements e where e.subscription_id = s.id)`,
    'an activation key has a list without a first entry, or with one twice': sql`
      select k.id from activation_keys k join activation_key_environments e on e.activation_key_id = k.id
      where k.environment_id is null or k.content_view_id is null
        or (k.environment_id, k.content_view_id) = (e.environment_id, e.content_view_id)`,
    'content points at records of another organization': sql`
      select 'keys' as of, k.id from activation_keys k join lifecycle_environments e on e.id = k.environment_id
        where e.organization_id <> k.organization_id
      union all select 'views', k.id from activation_keys k join content_views v on v.id = k.content_view_id
        where v.organization_id <> k.organization_id
      union all select 'collections', k.id from activation_keys k
        join activation_key_host_collections l on l.activation_key_id = k.id
        join host_collections c on c.id = l.host_collection_id where c.organization_id <> k.organization_id
      union all select 'subscriptions', k.id from activation_keys k
        join activation_key_subscriptions l on l.activation_key_id = k.id
        join subscriptions s on s.id = l.subscription_id where s.organization_id <> k.organization_id
      union all select 'hosts', c.id from host_collections c join host_collection_hosts l on l.host_collection_id = c.id
        join hosts h on h.id = l.host_id where h.organization_id is distinct from c.organization_id
      union all select 'repositories', v.id from content_views v join content_view_repositories l on l.content_view_id = v.id
        join repositories r on r.id = l.repository_id join products p on p.id = r.product_id
        where p.organization_id <> v.organization_id`,
    'a chain of environments does not begin with the Library of its organization, or branches elsewhere': sql`
      select e.id from lifecycle_environments e left join lifecycle_environments p on p.id = e.prior_id
      where (e.library <> (e.prior_id is null)) or p.organization_id <> e.organization_id
        or (not p.library and exists (select from lifecycle_environments o where o.prior_id = p.id and o.id <> e.id))`,
    'an update is audited that changed nothing': sql`
      select audits.id, auditable_type, key, value from audits, jsonb_each(audited_changes) where action = 'update' and value -> 0 = value -> 1
        and value -> 0 <> '"[redacted]"'`,
  }
}

function misplaced(table: string): Sql {
  return sql`
    with recursive right_ones (id, title, ancestor_ids) as (
      select id, name, '{}'::bigint[] from ${sql.table(table)} where parent_id is null
      union all
      select child.id, parent.title || '/' || child.name, parent.ancestor_ids || parent.id
      from ${sql.table(table)} child join right_ones parent on parent.id = child.parent_id
    )
    select t.id, t.title, t.ancestor_ids from ${sql.table(table)} t left join right_ones using (id)
    where right_ones.id is null or t.title <> right_ones.title or t.ancestor_ids <> right_ones.ancestor_ids`
}
