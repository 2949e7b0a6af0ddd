-- list, as an administrator
-- GET /api/hostgroups: 2 statements

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from hostgroups t
where true
order by t.title asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=title ~ ex and order=id DESC, as an administrator
-- GET /api/hostgroups: 3 statements

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from hostgroups t where (fold (t.title) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from hostgroups t
where (fold (t.title) like fold ($2));

-- create, as an administrator
-- POST /api/hostgroups: 13 statements

select 0 as place, t.id
from locations t
where t.id = any ($1::bigint[]) and (true)
union all
select 1 as place, t.id
from organizations t
where t.id = any ($2::bigint[]) and (true);

select pg_advisory_xact_lock(hashtext ($1));

select
from hostgroups
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

insert into hostgroups (name, title)
values ($1::text, $2::text)
returning *;

delete from hostgroup_locations
where hostgroup_id = $1 and not location_id = any ($2::bigint[]);

insert into hostgroup_locations (hostgroup_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from hostgroup_organizations
where hostgroup_id = $1 and not organization_id = any ($2::bigint[]);

insert into hostgroup_organizations (hostgroup_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

update hostgroups
set ancestor_ids = $1::bigint[]
where id = $2;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
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
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from hostgroup_organizations l where l.hostgroup_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from hostgroup_locations l where l.hostgroup_id = $13::bigint) places
  )
select id
from written;

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
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
      where p.hostgroup_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.hostgroup_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from config_group_hostgroups l join config_groups x on x.id = l.config_group_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as config_groups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name
        )
      from configclasses x
      where
        x.id in (
          select given.configclass_id
          from
            (
              select own.configclass_id
              from
                hostgroups line
                join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
              where line.id = t.id
              union
              select member.configclass_id
              from
                hostgroups line
                join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                join config_group_configclasses member on member.config_group_id = own.config_group_id
              where line.id = t.id
            ) given
          where
            coalesce(
              t.environment_id,
              (
                select above.environment_id
                from hostgroups above
                where above.id = any (t.ancestor_ids) and above.environment_id is not null
                order by cardinality(above.ancestor_ids) desc
                limit 1
              )
            ) is null
            or exists (
              select
              from configclass_environments there
              where
                there.configclass_id = given.configclass_id
                and there.environment_id = coalesce(
                  t.environment_id,
                  (
                    select above.environment_id
                    from hostgroups above
                    where above.id = any (t.ancestor_ids) and above.environment_id is not null
                    order by cardinality(above.ancestor_ids) desc
                    limit 1
                  )
                )
            )
        )
    ),
    '[]'
  ) as all_configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_locations l join locations x on x.id = l.location_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_organizations l join organizations x on x.id = l.organization_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as organizations
from hostgroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/hostgroups/:id: 1 statement

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
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
      where p.hostgroup_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.hostgroup_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from config_group_hostgroups l join config_groups x on x.id = l.config_group_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as config_groups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name
        )
      from configclasses x
      where
        x.id in (
          select given.configclass_id
          from
            (
              select own.configclass_id
              from
                hostgroups line
                join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
              where line.id = t.id
              union
              select member.configclass_id
              from
                hostgroups line
                join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                join config_group_configclasses member on member.config_group_id = own.config_group_id
              where line.id = t.id
            ) given
          where
            coalesce(
              t.environment_id,
              (
                select above.environment_id
                from hostgroups above
                where above.id = any (t.ancestor_ids) and above.environment_id is not null
                order by cardinality(above.ancestor_ids) desc
                limit 1
              )
            ) is null
            or exists (
              select
              from configclass_environments there
              where
                there.configclass_id = given.configclass_id
                and there.environment_id = coalesce(
                  t.environment_id,
                  (
                    select above.environment_id
                    from hostgroups above
                    where above.id = any (t.ancestor_ids) and above.environment_id is not null
                    order by cardinality(above.ancestor_ids) desc
                    limit 1
                  )
                )
            )
        )
    ),
    '[]'
  ) as all_configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_locations l join locations x on x.id = l.location_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_organizations l join organizations x on x.id = l.organization_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as organizations
from hostgroups t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/hostgroups/:id: 13 statements

select t.id as id
from hostgroups t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
where t.id = $1;

select pg_advisory_xact_lock(hashtext ($1));

select
from hostgroups
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

update hostgroups
set ancestor_ids = $1::bigint[]
where id = $2;

update hostgroups
set name = $1::text, title = $2::text, updated_at = now()
where id = $3;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
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
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from hostgroup_organizations l where l.hostgroup_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from hostgroup_locations l where l.hostgroup_id = $13::bigint) places
  )
select id
from written;

with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from hostgroups
    where id = $1
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from hostgroups child join below on child.parent_id = below.id
  )
update hostgroups as moved
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

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
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
      where p.hostgroup_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.hostgroup_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from config_group_hostgroups l join config_groups x on x.id = l.config_group_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as config_groups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name
        )
      from configclasses x
      where
        x.id in (
          select given.configclass_id
          from
            (
              select own.configclass_id
              from
                hostgroups line
                join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
              where line.id = t.id
              union
              select member.configclass_id
              from
                hostgroups line
                join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                join config_group_configclasses member on member.config_group_id = own.config_group_id
              where line.id = t.id
            ) given
          where
            coalesce(
              t.environment_id,
              (
                select above.environment_id
                from hostgroups above
                where above.id = any (t.ancestor_ids) and above.environment_id is not null
                order by cardinality(above.ancestor_ids) desc
                limit 1
              )
            ) is null
            or exists (
              select
              from configclass_environments there
              where
                there.configclass_id = given.configclass_id
                and there.environment_id = coalesce(
                  t.environment_id,
                  (
                    select above.environment_id
                    from hostgroups above
                    where above.id = any (t.ancestor_ids) and above.environment_id is not null
                    order by cardinality(above.ancestor_ids) desc
                    limit 1
                  )
                )
            )
        )
    ),
    '[]'
  ) as all_configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_locations l join locations x on x.id = l.location_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_organizations l join organizations x on x.id = l.organization_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as organizations
from hostgroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/hostgroups/:id: 9 statements

select t.id as id
from hostgroups t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
where t.id = $1;

select
  t.id as id, t.name as name, t.title as title, t.description as description,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  t.environment_id as environment_id, t.operatingsystem_id as operatingsystem_id,
  t.architecture_id as architecture_id, t.medium_id as medium_id, t.ptable_id as ptable_id,
  t.subnet_id as subnet_id, t.subnet6_id as subnet6_id, t.domain_id as domain_id, t.realm_id as realm_id,
  t.compute_resource_id as compute_resource_id, t.compute_profile_id as compute_profile_id,
  t.config_proxy_id as config_proxy_id, t.config_ca_proxy_id as config_ca_proxy_id, t.pxe_loader as pxe_loader,
  t.created_at as created_at, t.updated_at as updated_at
from hostgroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from hosts t
where t.hostgroup_id = $1
order by 1
limit $2;

select
from hostgroups
where parent_id = $1
limit 1;

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
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from hostgroup_organizations l where l.hostgroup_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from hostgroup_locations l where l.hostgroup_id = $13::bigint) places
  )
select id
from written;

delete from hostgroups
where id = $1;

select id
from override_values
where match = $1
order by id;

-- list, as a limited user
-- GET /api/hostgroups: 3 statements

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from hostgroups t
    where
      (
        (
          (
            (
              exists (
                select
                from hostgroup_organizations l
                where l.hostgroup_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.title) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from hostgroup_organizations l
          where l.hostgroup_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (
          select
          from hostgroup_locations l
          where l.hostgroup_id = t.id and l.location_id = any ($6::bigint[])
        )
      )
    order by t.title asc, t.id
    limit $7
  ) t
order by t.title asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from hostgroups t
where
  (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.title) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($5::bigint[]))
  );

-- list with search=title ~ ex and order=id DESC, as a limited user
-- GET /api/hostgroups: 4 statements

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from hostgroups t
    where
      (
        (
          (
            (
              exists (
                select
                from hostgroup_organizations l
                where l.hostgroup_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.title) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from hostgroup_organizations l
          where l.hostgroup_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (
          select
          from hostgroup_locations l
          where l.hostgroup_id = t.id and l.location_id = any ($6::bigint[])
        )
      )
      and (fold (t.title) like fold ($7))
    order by t.id desc, t.id
    limit $8
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from hostgroups t
where
  (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.title) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($5::bigint[]))
  );

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from hostgroups t
where
  (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.title) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($5::bigint[]))
  )
  and (fold (t.title) like fold ($6));

-- create, as a limited user
-- POST /api/hostgroups: 14 statements

select 0 as place, t.id
from locations t
where
  t.id = any ($1::bigint[])
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
union all
select 1 as place, t.id
from organizations t
where
  t.id = any ($4::bigint[])
  and (
    (
      (t.id = any ($5::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $6 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  );

select pg_advisory_xact_lock(hashtext ($1));

select
from hostgroups
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

insert into hostgroups (name, title)
values ($1::text, $2::text)
returning *;

delete from hostgroup_locations
where hostgroup_id = $1 and not location_id = any ($2::bigint[]);

insert into hostgroup_locations (hostgroup_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from hostgroup_organizations
where hostgroup_id = $1 and not organization_id = any ($2::bigint[]);

insert into hostgroup_organizations (hostgroup_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

update hostgroups
set ancestor_ids = $1::bigint[]
where id = $2;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
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
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from hostgroup_organizations l where l.hostgroup_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from hostgroup_locations l where l.hostgroup_id = $13::bigint) places
  )
select id
from written;

select t.id
from hostgroups t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.title) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($5::bigint[]))
  );

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
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
      where p.hostgroup_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.hostgroup_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from config_group_hostgroups l join config_groups x on x.id = l.config_group_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as config_groups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name
        )
      from configclasses x
      where
        x.id in (
          select given.configclass_id
          from
            (
              select own.configclass_id
              from
                hostgroups line
                join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
              where line.id = t.id
              union
              select member.configclass_id
              from
                hostgroups line
                join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                join config_group_configclasses member on member.config_group_id = own.config_group_id
              where line.id = t.id
            ) given
          where
            coalesce(
              t.environment_id,
              (
                select above.environment_id
                from hostgroups above
                where above.id = any (t.ancestor_ids) and above.environment_id is not null
                order by cardinality(above.ancestor_ids) desc
                limit 1
              )
            ) is null
            or exists (
              select
              from configclass_environments there
              where
                there.configclass_id = given.configclass_id
                and there.environment_id = coalesce(
                  t.environment_id,
                  (
                    select above.environment_id
                    from hostgroups above
                    where above.id = any (t.ancestor_ids) and above.environment_id is not null
                    order by cardinality(above.ancestor_ids) desc
                    limit 1
                  )
                )
            )
        )
    ),
    '[]'
  ) as all_configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_locations l join locations x on x.id = l.location_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_organizations l join organizations x on x.id = l.organization_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as organizations
from hostgroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/hostgroups/:id: 1 statement

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
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
      where p.hostgroup_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.hostgroup_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from config_group_hostgroups l join config_groups x on x.id = l.config_group_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as config_groups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name
        )
      from configclasses x
      where
        x.id in (
          select given.configclass_id
          from
            (
              select own.configclass_id
              from
                hostgroups line
                join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
              where line.id = t.id
              union
              select member.configclass_id
              from
                hostgroups line
                join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                join config_group_configclasses member on member.config_group_id = own.config_group_id
              where line.id = t.id
            ) given
          where
            coalesce(
              t.environment_id,
              (
                select above.environment_id
                from hostgroups above
                where above.id = any (t.ancestor_ids) and above.environment_id is not null
                order by cardinality(above.ancestor_ids) desc
                limit 1
              )
            ) is null
            or exists (
              select
              from configclass_environments there
              where
                there.configclass_id = given.configclass_id
                and there.environment_id = coalesce(
                  t.environment_id,
                  (
                    select above.environment_id
                    from hostgroups above
                    where above.id = any (t.ancestor_ids) and above.environment_id is not null
                    order by cardinality(above.ancestor_ids) desc
                    limit 1
                  )
                )
            )
        )
    ),
    '[]'
  ) as all_configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_locations l join locations x on x.id = l.location_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_organizations l join organizations x on x.id = l.organization_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as organizations
from hostgroups t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.title) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($6::bigint[]))
  )
order by (t.title = $7::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/hostgroups/:id: 14 statements

select t.id as id
from hostgroups t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.title) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($6::bigint[]))
  )
order by (t.title = $7::text) desc
limit 1;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
where t.id = $1;

select pg_advisory_xact_lock(hashtext ($1));

select
from hostgroups
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

update hostgroups
set ancestor_ids = $1::bigint[]
where id = $2;

update hostgroups
set name = $1::text, title = $2::text, updated_at = now()
where id = $3;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
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
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from hostgroup_organizations l where l.hostgroup_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from hostgroup_locations l where l.hostgroup_id = $13::bigint) places
  )
select id
from written;

with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from hostgroups
    where id = $1
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from hostgroups child join below on child.parent_id = below.id
  )
update hostgroups as moved
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
from hostgroups t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.title) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($5::bigint[]))
  );

select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  t.pxe_loader as pxe_loader, t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
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
      where p.hostgroup_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.hostgroup_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from config_group_hostgroups l join config_groups x on x.id = l.config_group_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as config_groups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name
        )
      from configclasses x
      where
        x.id in (
          select given.configclass_id
          from
            (
              select own.configclass_id
              from
                hostgroups line
                join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
              where line.id = t.id
              union
              select member.configclass_id
              from
                hostgroups line
                join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                join config_group_configclasses member on member.config_group_id = own.config_group_id
              where line.id = t.id
            ) given
          where
            coalesce(
              t.environment_id,
              (
                select above.environment_id
                from hostgroups above
                where above.id = any (t.ancestor_ids) and above.environment_id is not null
                order by cardinality(above.ancestor_ids) desc
                limit 1
              )
            ) is null
            or exists (
              select
              from configclass_environments there
              where
                there.configclass_id = given.configclass_id
                and there.environment_id = coalesce(
                  t.environment_id,
                  (
                    select above.environment_id
                    from hostgroups above
                    where above.id = any (t.ancestor_ids) and above.environment_id is not null
                    order by cardinality(above.ancestor_ids) desc
                    limit 1
                  )
                )
            )
        )
    ),
    '[]'
  ) as all_configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_locations l join locations x on x.id = l.location_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_organizations l join organizations x on x.id = l.organization_id
      where l.hostgroup_id = t.id
    ),
    '[]'
  ) as organizations
from hostgroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/hostgroups/:id: 9 statements

select t.id as id
from hostgroups t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.title) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($6::bigint[]))
  )
order by (t.title = $7::text) desc
limit 1;

select t.*
from hostgroups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations
from hostgroups t
where t.id = $1;

select
  t.id as id, t.name as name, t.title as title, t.description as description,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  t.environment_id as environment_id, t.operatingsystem_id as operatingsystem_id,
  t.architecture_id as architecture_id, t.medium_id as medium_id, t.ptable_id as ptable_id,
  t.subnet_id as subnet_id, t.subnet6_id as subnet6_id, t.domain_id as domain_id, t.realm_id as realm_id,
  t.compute_resource_id as compute_resource_id, t.compute_profile_id as compute_profile_id,
  t.config_proxy_id as config_proxy_id, t.config_ca_proxy_id as config_ca_proxy_id, t.pxe_loader as pxe_loader,
  t.created_at as created_at, t.updated_at as updated_at
from hostgroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.hostgroup_id = $3
order by 1
limit $4;

select
from hostgroups
where parent_id = $1
limit 1;

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
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from hostgroup_organizations l where l.hostgroup_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from hostgroup_locations l where l.hostgroup_id = $13::bigint) places
  )
select id
from written;

delete from hostgroups
where id = $1;

select id
from override_values
where match = $1
order by id;
