-- list, as an administrator
-- GET /api/hosts/:host_id/interfaces: 2 statements

select t.id as id
from hosts t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from interfaces t where (t.host_id = $3) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/hosts/:host_id/interfaces: 3 statements

select t.id as id
from hosts t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from interfaces t where (t.host_id = $3) and (t.id > $4::bigint) order by t.id desc, t.id limit $5) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from interfaces t
where (t.host_id = $2);

-- create, as an administrator
-- POST /api/hosts/:host_id/interfaces: 6 statements

select t.id as id
from hosts t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

insert into interfaces (host_id)
values ($1::bigint)
returning *;

select
  case
    when strpos(i.name, '.') > 0
    or i.domain_id is null then i.name
    else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
  end as name, h.name as "hostName", i.primary, (i.ip & s.mask) is distinct from s.network
  and s.id is not null
  and i.ip is not null as ip, (i.ip6 & s6.mask) is distinct from s6.network
  and s6.id is not null
  and i.ip6 is not null as ip6, s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
from
  interfaces i
  join hosts h on h.id = i.host_id
  left join subnets s on s.id = i.subnet_id
  left join subnets s6 on s6.id = i.subnet6_id
where i.id = $1;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

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
      (
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $12) and x.organization_id is not null
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $13) and x.location_id is not null
      ) places
  )
select id
from written;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/hosts/:host_id/interfaces/:id: 2 statements

select t.id as id
from hosts t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint or t.name = $2::text) and (t.host_id = $3)
order by (t.name = $4::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/hosts/:host_id/interfaces/:id: 8 statements

select t.id as id
from hosts t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from interfaces t
where (t.id = $1::bigint or t.name = $2::text) and (t.host_id = $3)
order by (t.name = $4::text) desc
limit 1;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

update interfaces
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

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
      (
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $12) and x.organization_id is not null
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $13) and x.location_id is not null
      ) places
  )
select id
from written;

select
  case
    when strpos(i.name, '.') > 0
    or i.domain_id is null then i.name
    else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
  end as name, h.name as "hostName", i.primary, (i.ip & s.mask) is distinct from s.network
  and s.id is not null
  and i.ip is not null as ip, (i.ip6 & s6.mask) is distinct from s6.network
  and s6.id is not null
  and i.ip6 is not null as ip6, s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
from
  interfaces i
  join hosts h on h.id = i.host_id
  left join subnets s on s.id = i.subnet_id
  left join subnets s6 on s6.id = i.subnet6_id
where i.id = $1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/hosts/:host_id/interfaces/:id: 6 statements

select t.id as id
from hosts t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from interfaces t
where (t.id = $1::bigint or t.name = $2::text) and (t.host_id = $3)
order by (t.name = $4::text) desc
limit 1;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint) and true
order by t.id
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
      (
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $12) and x.organization_id is not null
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $13) and x.location_id is not null
      ) places
  )
select id
from written;

delete from interfaces
where id = $1;

-- list, as a limited user
-- GET /api/hosts/:host_id/interfaces: 2 statements

select t.id as id
from hosts t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.organization_id = any ($3::bigint[]))
  and (t.location_id = any ($4::bigint[]))
order by (t.name = $5::text) desc
limit 1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from interfaces t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
        )
      )
      and (t.host_id = $5)
    order by t.id asc, t.id
    limit $6
  ) t
order by t.id asc, t.id;

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/hosts/:host_id/interfaces: 3 statements

select t.id as id
from hosts t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.organization_id = any ($3::bigint[]))
  and (t.location_id = any ($4::bigint[]))
order by (t.name = $5::text) desc
limit 1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from interfaces t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
        )
      )
      and (t.host_id = $5)
      and (t.id > $6::bigint)
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from interfaces t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($2::bigint[])) and (t.location_id = any ($3::bigint[]))
    )
  )
  and (t.host_id = $4);

-- create, as a limited user
-- POST /api/hosts/:host_id/interfaces: 7 statements

select t.id as id
from hosts t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.organization_id = any ($3::bigint[]))
  and (t.location_id = any ($4::bigint[]))
order by (t.name = $5::text) desc
limit 1;

insert into interfaces (host_id)
values ($1::bigint)
returning *;

select
  case
    when strpos(i.name, '.') > 0
    or i.domain_id is null then i.name
    else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
  end as name, h.name as "hostName", i.primary, (i.ip & s.mask) is distinct from s.network
  and s.id is not null
  and i.ip is not null as ip, (i.ip6 & s6.mask) is distinct from s6.network
  and s6.id is not null
  and i.ip6 is not null as ip6, s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
from
  interfaces i
  join hosts h on h.id = i.host_id
  left join subnets s on s.id = i.subnet_id
  left join subnets s6 on s6.id = i.subnet6_id
where i.id = $1;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

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
      (
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $12) and x.organization_id is not null
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $13) and x.location_id is not null
      ) places
  )
select id
from written;

select t.id
from interfaces t
where
  t.id = $1
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($2::bigint[])) and (t.location_id = any ($3::bigint[]))
    )
  );

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/hosts/:host_id/interfaces/:id: 2 statements

select t.id as id
from hosts t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.organization_id = any ($3::bigint[]))
  and (t.location_id = any ($4::bigint[]))
order by (t.name = $5::text) desc
limit 1;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
    )
  )
  and (t.host_id = $5)
order by (t.name = $6::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/hosts/:host_id/interfaces/:id: 9 statements

select t.id as id
from hosts t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.organization_id = any ($3::bigint[]))
  and (t.location_id = any ($4::bigint[]))
order by (t.name = $5::text) desc
limit 1;

select t.id as id
from interfaces t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
    )
  )
  and (t.host_id = $5)
order by (t.name = $6::text) desc
limit 1;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

update interfaces
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

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
      (
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $12) and x.organization_id is not null
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $13) and x.location_id is not null
      ) places
  )
select id
from written;

select
  case
    when strpos(i.name, '.') > 0
    or i.domain_id is null then i.name
    else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
  end as name, h.name as "hostName", i.primary, (i.ip & s.mask) is distinct from s.network
  and s.id is not null
  and i.ip is not null as ip, (i.ip6 & s6.mask) is distinct from s6.network
  and s6.id is not null
  and i.ip6 is not null as ip6, s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
from
  interfaces i
  join hosts h on h.id = i.host_id
  left join subnets s on s.id = i.subnet_id
  left join subnets s6 on s6.id = i.subnet6_id
where i.id = $1;

select t.id
from interfaces t
where
  t.id = $1
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($2::bigint[])) and (t.location_id = any ($3::bigint[]))
    )
  );

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/hosts/:host_id/interfaces/:id: 6 statements

select t.id as id
from hosts t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.organization_id = any ($3::bigint[]))
  and (t.location_id = any ($4::bigint[]))
order by (t.name = $5::text) desc
limit 1;

select t.id as id
from interfaces t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
    )
  )
  and (t.host_id = $5)
order by (t.name = $6::text) desc
limit 1;

select t.*
from interfaces t
where t.id = $1
for no key update of t;

select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac, t.mtu as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username
from interfaces t
where (t.id = $1::bigint) and true
order by t.id
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
      (
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $12) and x.organization_id is not null
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from interfaces t where t.id = $13) and x.location_id is not null
      ) places
  )
select id
from written;

delete from interfaces
where id = $1;
