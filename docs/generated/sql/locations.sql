-- list, as an administrator
-- GET /api/locations: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from locations t where (true) order by t.title asc, t.id limit $3) t
order by t.title asc, t.id;

-- list with search=title ~ ex and order=id DESC, as an administrator
-- GET /api/locations: 2 statements

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from locations t where (true) and (fold (t.title) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from locations t
where (true);

-- create, as an administrator
-- POST /api/locations: 9 statements

select pg_advisory_xact_lock(hashtext ($1));

select
from locations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

insert into locations (name, title)
values ($1::text, $2::text)
returning *;

update locations
set ancestor_ids = $1::bigint[]
where id = $2;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select x.id from locations x where x.id = $12::bigint) places
  )
select id
from written;

select t.id
from locations t
where t.id = $1 and (true);

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.location_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.location_id = t.id) as directly
          from user_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.location_id = t.id) as directly
          from smart_proxy_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.location_id = t.id) as directly
          from subnet_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.location_id = t.id) as directly
          from compute_resource_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.location_id = t.id) as directly
          from medium_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.location_id = t.id) as directly
          from ptable_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.location_id = t.id) as directly
          from template_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.location_id = t.id) as directly
          from domain_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.location_id = t.id) as directly
          from realm_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.location_id = t.id) as directly
          from environment_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.location_id = t.id) as directly
          from hostgroup_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join organizations x on x.id = l.organization_id
      where l.location_id = t.id
    ),
    '[]'
  ) as organizations,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.location_id = t.id
    ),
    '[]'
  ) as parameters
from locations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/locations/:id: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.location_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.location_id = t.id) as directly
          from user_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.location_id = t.id) as directly
          from smart_proxy_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.location_id = t.id) as directly
          from subnet_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.location_id = t.id) as directly
          from compute_resource_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.location_id = t.id) as directly
          from medium_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.location_id = t.id) as directly
          from ptable_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.location_id = t.id) as directly
          from template_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.location_id = t.id) as directly
          from domain_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.location_id = t.id) as directly
          from realm_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.location_id = t.id) as directly
          from environment_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.location_id = t.id) as directly
          from hostgroup_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join organizations x on x.id = l.organization_id
      where l.location_id = t.id
    ),
    '[]'
  ) as organizations,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.location_id = t.id
    ),
    '[]'
  ) as parameters
from locations t
where (t.id = $1::bigint or t.title = $2::text) and (true)
order by (t.title = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/locations/:id: 14 statements

select t.id as id
from locations t
where (t.id = $1::bigint or t.title = $2::text) and (true)
order by (t.title = $3::text) desc
limit 1;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

select pg_advisory_xact_lock(hashtext ($1));

select
from locations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

update locations
set ancestor_ids = $1::bigint[]
where id = $2;

update locations
set name = $1::text, title = $2::text, updated_at = now()
where id = $3;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select x.id from locations x where x.id = $12::bigint) places
  )
select id
from written;

with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from locations
    where id = $1
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from locations child join below on child.parent_id = below.id
  )
update locations as moved
set title = below.title, ancestor_ids = below.ancestor_ids
from below
where below.id = moved.id and moved.id <> $2;

with
  named as (
    select id, smart_class_parameter_id as parameter, $1::text || substr(match, $2::int) as match
    from override_values
    where (match = $3 or starts_with(match, $4::text)) and strpos(match, ',') = 0
  )
update override_values o
set match = named.match, updated_at = now()
from named
where
  named.id = o.id
  and not exists (
    select
    from override_values other
    where other.smart_class_parameter_id = named.parameter and other.match = named.match
  );

select t.id
from locations t
where t.id = $1 and (true);

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.location_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.location_id = t.id) as directly
          from user_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.location_id = t.id) as directly
          from smart_proxy_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.location_id = t.id) as directly
          from subnet_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.location_id = t.id) as directly
          from compute_resource_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.location_id = t.id) as directly
          from medium_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.location_id = t.id) as directly
          from ptable_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.location_id = t.id) as directly
          from template_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.location_id = t.id) as directly
          from domain_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.location_id = t.id) as directly
          from realm_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.location_id = t.id) as directly
          from environment_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.location_id = t.id) as directly
          from hostgroup_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join organizations x on x.id = l.organization_id
      where l.location_id = t.id
    ),
    '[]'
  ) as organizations,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.location_id = t.id
    ),
    '[]'
  ) as parameters
from locations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/locations/:id: 9 statements

select t.id as id
from locations t
where (t.id = $1::bigint or t.title = $2::text) and (true)
order by (t.title = $3::text) desc
limit 1;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id, t.title as title,
  t.select_all_types as select_all_types, t.created_at as created_at, t.updated_at as updated_at
from locations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from hosts t
where t.location_id = $1
order by 1
limit $2;

select id
from locations
where parent_id = $1
limit 1;

select name, true as shown
from roles t
where
  id in (
    select role_id
    from role_locations
    where location_id = $1
    union
    select f.role_id
    from filter_locations l join filters f on f.id = l.filter_id
    where location_id = $2
  )
order by name;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select x.id from locations x where x.id = $12::bigint) places
  )
select id
from written;

delete from locations
where id = $1;

-- list, as a limited user
-- GET /api/locations: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from locations t
    where
      (
        (
          (t.id = any ($3::bigint[]))
          or (
            exists (
              select
              from user_locations m
              where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
            )
          )
        )
      )
      and ((((fold (t.title) like fold ($5)))))
    order by t.title asc, t.id
    limit $6
  ) t
order by t.title asc, t.id;

-- list with search=title ~ ex and order=id DESC, as a limited user
-- GET /api/locations: 2 statements

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from locations t
    where
      (
        (
          (t.id = any ($3::bigint[]))
          or (
            exists (
              select
              from user_locations m
              where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
            )
          )
        )
      )
      and ((((fold (t.title) like fold ($5)))))
      and (fold (t.title) like fold ($6))
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from locations t
where
  (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $3 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($4)))));

-- create, as a limited user
-- POST /api/locations: 11 statements

select pg_advisory_xact_lock(hashtext ($1));

select
from locations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

insert into locations (name, title)
values ($1::text, $2::text)
returning *;

update locations
set ancestor_ids = $1::bigint[]
where id = $2;

insert into user_locations (user_id, location_id)
values ($1, $2)
on conflict do nothing;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select x.id from locations x where x.id = $12::bigint) places
  )
select id
from written;

select t.id
from locations t
where
  t.id = $1
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $3 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($4)))));

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.location_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.location_id = t.id) as directly
          from user_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.location_id = t.id) as directly
          from smart_proxy_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.location_id = t.id) as directly
          from subnet_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.location_id = t.id) as directly
          from compute_resource_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.location_id = t.id) as directly
          from medium_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.location_id = t.id) as directly
          from ptable_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.location_id = t.id) as directly
          from template_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.location_id = t.id) as directly
          from domain_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.location_id = t.id) as directly
          from realm_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.location_id = t.id) as directly
          from environment_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.location_id = t.id) as directly
          from hostgroup_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join organizations x on x.id = l.organization_id
      where l.location_id = t.id
    ),
    '[]'
  ) as organizations,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.location_id = t.id
    ),
    '[]'
  ) as parameters
from locations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select 0 as place, t.id
from users t
where
  t.id = any ($1::bigint[])
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($2::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($3::bigint[])));

-- show, as a limited user
-- GET /api/locations/:id: 2 statements

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.location_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.location_id = t.id) as directly
          from user_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.location_id = t.id) as directly
          from smart_proxy_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.location_id = t.id) as directly
          from subnet_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.location_id = t.id) as directly
          from compute_resource_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.location_id = t.id) as directly
          from medium_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.location_id = t.id) as directly
          from ptable_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.location_id = t.id) as directly
          from template_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.location_id = t.id) as directly
          from domain_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.location_id = t.id) as directly
          from realm_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.location_id = t.id) as directly
          from environment_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.location_id = t.id) as directly
          from hostgroup_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join organizations x on x.id = l.organization_id
      where l.location_id = t.id
    ),
    '[]'
  ) as organizations,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.location_id = t.id
    ),
    '[]'
  ) as parameters
from locations t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by (t.title = $6::text) desc
limit 1;

select 0 as place, t.id
from users t
where
  t.id = any ($1::bigint[])
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($2::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($3::bigint[])));

-- update, as a limited user
-- PUT /api/locations/:id: 15 statements

select t.id as id
from locations t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by (t.title = $6::text) desc
limit 1;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

select pg_advisory_xact_lock(hashtext ($1));

select
from locations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

update locations
set ancestor_ids = $1::bigint[]
where id = $2;

update locations
set name = $1::text, title = $2::text, updated_at = now()
where id = $3;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select x.id from locations x where x.id = $12::bigint) places
  )
select id
from written;

with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from locations
    where id = $1
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from locations child join below on child.parent_id = below.id
  )
update locations as moved
set title = below.title, ancestor_ids = below.ancestor_ids
from below
where below.id = moved.id and moved.id <> $2;

with
  named as (
    select id, smart_class_parameter_id as parameter, $1::text || substr(match, $2::int) as match
    from override_values
    where (match = $3 or starts_with(match, $4::text)) and strpos(match, ',') = 0
  )
update override_values o
set match = named.match, updated_at = now()
from named
where
  named.id = o.id
  and not exists (
    select
    from override_values other
    where other.smart_class_parameter_id = named.parameter and other.match = named.match
  );

select t.id
from locations t
where
  t.id = $1
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $3 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($4)))));

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from locations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.location_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.location_id = t.id) as directly
          from user_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.location_id = t.id) as directly
          from smart_proxy_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.location_id = t.id) as directly
          from subnet_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.location_id = t.id) as directly
          from compute_resource_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.location_id = t.id) as directly
          from medium_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.location_id = t.id) as directly
          from ptable_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.location_id = t.id) as directly
          from template_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.location_id = t.id) as directly
          from domain_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.location_id = t.id) as directly
          from realm_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.location_id = t.id) as directly
          from environment_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.location_id = t.id) as directly
          from hostgroup_locations l
          where l.location_id = t.id or l.location_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join organizations x on x.id = l.organization_id
      where l.location_id = t.id
    ),
    '[]'
  ) as organizations,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.location_id = t.id
    ),
    '[]'
  ) as parameters
from locations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select 0 as place, t.id
from users t
where
  t.id = any ($1::bigint[])
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($2::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($3::bigint[])));

-- delete, as a limited user
-- DELETE /api/locations/:id: 9 statements

select t.id as id
from locations t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by (t.title = $6::text) desc
limit 1;

select t.*
from locations t
where t.id = $1
for no key update of t;

select
  array(
    select l.organization_id
    from location_organizations l
    where l.location_id = t.id
    order by 1
  ) as organizations,
  array(select l.user_id from user_locations l where l.location_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_locations l
    where l.location_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_locations l where l.location_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_locations l
    where l.location_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_locations l where l.location_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_locations l where l.location_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_locations l
    where l.location_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_locations l where l.location_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_locations l where l.location_id = t.id order by 1) as realms,
  array(select l.environment_id from environment_locations l where l.location_id = t.id order by 1) as environments,
  array(select l.hostgroup_id from hostgroup_locations l where l.location_id = t.id order by 1) as hostgroups
from locations t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id, t.title as title,
  t.select_all_types as select_all_types, t.created_at as created_at, t.updated_at as updated_at
from locations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.location_id = $3
order by 1
limit $4;

select id
from locations
where parent_id = $1
limit 1;

select name, true as shown
from roles t
where
  id in (
    select role_id
    from role_locations
    where location_id = $1
    union
    select f.role_id
    from filter_locations l join filters f on f.id = l.filter_id
    where location_id = $2
  )
order by name;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select x.id from locations x where x.id = $12::bigint) places
  )
select id
from written;

delete from locations
where id = $1;
