-- list, as an administrator
-- GET /api/subnets: 2 statements

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from subnets t
where true
order by t.name asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/subnets: 3 statements

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from subnets t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from subnets t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/subnets: 10 statements

select 0 as place, t.id
from locations t
where t.id = any ($1::bigint[]) and (true)
union all
select 1 as place, t.id
from organizations t
where t.id = any ($2::bigint[]) and (true);

insert into subnets (name, network_type, network, mask)
values ($1::text, $2::text, $3::inet, $4::inet)
returning *;

delete from subnet_locations
where subnet_id = $1 and not location_id = any ($2::bigint[]);

insert into subnet_locations (subnet_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from subnet_organizations
where subnet_id = $1 and not organization_id = any ($2::bigint[]);

insert into subnet_organizations (subnet_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
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
      (select l.organization_id as id from subnet_organizations l where l.subnet_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from subnet_locations l where l.subnet_id = $13::bigint) places
  )
select id
from written;

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where p.subnet_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
from subnets t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/subnets/:id: 1 statement

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where p.subnet_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
from subnets t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/subnets/:id: 8 statements

select t.id as id
from subnets t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
where t.id = $1;

update subnets
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
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
      (select l.organization_id as id from subnet_organizations l where l.subnet_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from subnet_locations l where l.subnet_id = $13::bigint) places
  )
select id
from written;

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where p.subnet_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
from subnets t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/subnets/:id: 10 statements

select t.id as id
from subnets t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description, t.network_type as network_type,
  host(t.network) as network, host(t.mask) as mask, host(t.gateway) as gateway, host(t.dns_primary) as dns_primary,
  host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.vlanid as vlanid, t.mtu as mtu, t.nic_delay as nic_delay, t.ipam as ipam,
  t.boot_mode as boot_mode, t.dhcp_id as dhcp_id, t.tftp_id as tftp_id, t.dns_id as dns_id,
  t.template_id as template_id, t.bmc_id as bmc_id, t.created_at as created_at, t.updated_at as updated_at
from subnets t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.title as called, true as shown
from hostgroups t
where t.subnet_id = $1
order by 1
limit $2;

select t.title as called, true as shown
from hostgroups t
where t.subnet6_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from interfaces t
where t.subnet_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from interfaces t
where t.subnet6_id = $1
order by 1
limit $2;

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
      (select l.organization_id as id from subnet_organizations l where l.subnet_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from subnet_locations l where l.subnet_id = $13::bigint) places
  )
select id
from written;

delete from subnets
where id = $1;

-- list, as a limited user
-- GET /api/subnets: 3 statements

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from subnets t
    where
      (
        (
          (
            (
              exists (
                select
                from subnet_organizations l
                where l.subnet_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from subnet_organizations l
          where l.subnet_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($6::bigint[])))
    order by t.name asc, t.id
    limit $7
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from subnets t
where
  (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($5::bigint[])));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/subnets: 4 statements

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from subnets t
    where
      (
        (
          (
            (
              exists (
                select
                from subnet_organizations l
                where l.subnet_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from subnet_organizations l
          where l.subnet_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($6::bigint[])))
      and (fold (t.name) like fold ($7))
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
from subnets t
where
  (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($5::bigint[])));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from subnets t
where
  (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($5::bigint[])))
  and (fold (t.name) like fold ($6));

-- create, as a limited user
-- POST /api/subnets: 11 statements

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

insert into subnets (name, network_type, network, mask)
values ($1::text, $2::text, $3::inet, $4::inet)
returning *;

delete from subnet_locations
where subnet_id = $1 and not location_id = any ($2::bigint[]);

insert into subnet_locations (subnet_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from subnet_organizations
where subnet_id = $1 and not organization_id = any ($2::bigint[]);

insert into subnet_organizations (subnet_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
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
      (select l.organization_id as id from subnet_organizations l where l.subnet_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from subnet_locations l where l.subnet_id = $13::bigint) places
  )
select id
from written;

select t.id
from subnets t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($5::bigint[])));

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where p.subnet_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
from subnets t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/subnets/:id: 1 statement

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where p.subnet_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
from subnets t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($5::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/subnets/:id: 9 statements

select t.id as id
from subnets t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($5::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
where t.id = $1;

update subnets
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
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
      (select l.organization_id as id from subnet_organizations l where l.subnet_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from subnet_locations l where l.subnet_id = $13::bigint) places
  )
select id
from written;

select t.id
from subnets t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($5::bigint[])));

select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where p.subnet_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
from subnets t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/subnets/:id: 10 statements

select t.id as id
from subnets t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($5::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

select t.*
from subnets t
where t.id = $1
for no key update of t;

select
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description, t.network_type as network_type,
  host(t.network) as network, host(t.mask) as mask, host(t.gateway) as gateway, host(t.dns_primary) as dns_primary,
  host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.vlanid as vlanid, t.mtu as mtu, t.nic_delay as nic_delay, t.ipam as ipam,
  t.boot_mode as boot_mode, t.dhcp_id as dhcp_id, t.tftp_id as tftp_id, t.dns_id as dns_id,
  t.template_id as template_id, t.bmc_id as bmc_id, t.created_at as created_at, t.updated_at as updated_at
from subnets t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.title as called,
  (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($1::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from hostgroups t
where t.subnet_id = $3
order by 1
limit $4;

select
  t.title as called,
  (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($1::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from hostgroups t
where t.subnet6_id = $3
order by 1
limit $4;

select
  t.name as called,
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[]))
    )
  ) as shown
from interfaces t
where t.subnet_id = $3
order by 1
limit $4;

select
  t.name as called,
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[]))
    )
  ) as shown
from interfaces t
where t.subnet6_id = $3
order by 1
limit $4;

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
      (select l.organization_id as id from subnet_organizations l where l.subnet_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from subnet_locations l where l.subnet_id = $13::bigint) places
  )
select id
from written;

delete from subnets
where id = $1;
