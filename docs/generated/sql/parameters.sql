-- list, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 4 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from parameters t where (t.operatingsystem_id = $3) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where (t.operatingsystem_id = $2);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 5 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where (t.operatingsystem_id = $3) and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where (t.operatingsystem_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where (t.operatingsystem_id = $2) and (fold (t.name) like fold ($3));

-- create, as an administrator
-- POST /api/operatingsystems/:operatingsystem_id/parameters: 5 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

insert into parameters (name, operatingsystem_id)
values ($1::text, $2::bigint)
returning *;

select t.*
from parameters t
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
        select l.organization_id as id
        from domain_organizations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $12)
        union
        select l.organization_id as id
        from subnet_organizations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $13)
        union
        select l.organization_id as id
        from hostgroup_organizations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $14)
        union
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $15) and x.organization_id is not null
        union
        select x.id
        from organizations x
        where x.id = (select t.organization_id from parameters t where t.id = $16)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from domain_locations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $17)
        union
        select l.location_id as id
        from subnet_locations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $18)
        union
        select l.location_id as id
        from hostgroup_locations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $19)
        union
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $20) and x.location_id is not null
        union
        select x.id
        from locations x
        where x.id = (select t.location_id from parameters t where t.id = $21)
      ) places
  )
select id
from written;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/parameters/:id: 2 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint or t.name = $2::text) and (t.operatingsystem_id = $3)
order by (t.name = $4::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/operatingsystems/:operatingsystem_id/parameters/:id: 8 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from parameters t
where (t.id = $1::bigint or t.name = $2::text) and (t.operatingsystem_id = $3)
order by (t.name = $4::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

select t.id
from operatingsystems t
where t.id = $1 and true;

update parameters
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from parameters t
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
        select l.organization_id as id
        from domain_organizations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $12)
        union
        select l.organization_id as id
        from subnet_organizations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $13)
        union
        select l.organization_id as id
        from hostgroup_organizations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $14)
        union
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $15) and x.organization_id is not null
        union
        select x.id
        from organizations x
        where x.id = (select t.organization_id from parameters t where t.id = $16)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from domain_locations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $17)
        union
        select l.location_id as id
        from subnet_locations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $18)
        union
        select l.location_id as id
        from hostgroup_locations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $19)
        union
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $20) and x.location_id is not null
        union
        select x.id
        from locations x
        where x.id = (select t.location_id from parameters t where t.id = $21)
      ) places
  )
select id
from written;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/operatingsystems/:operatingsystem_id/parameters/:id: 7 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from parameters t
where (t.id = $1::bigint or t.name = $2::text) and (t.operatingsystem_id = $3)
order by (t.name = $4::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name,
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  case
    when t.organization_id is not null then t.organization_id
    when t.location_id is not null then t.location_id
    when t.domain_id is not null then t.domain_id
    when t.subnet_id is not null then t.subnet_id
    when t.operatingsystem_id is not null then t.operatingsystem_id
    when t.hostgroup_id is not null then t.hostgroup_id
    when t.host_id is not null then t.host_id
    else null
  end as reference_id, t.created_at as created_at, t.updated_at as updated_at,
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.hidden_value as hidden_value, t.parameter_type as key_type
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.id
from operatingsystems t
where t.id = $1 and true;

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
        select l.organization_id as id
        from domain_organizations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $12)
        union
        select l.organization_id as id
        from subnet_organizations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $13)
        union
        select l.organization_id as id
        from hostgroup_organizations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $14)
        union
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $15) and x.organization_id is not null
        union
        select x.id
        from organizations x
        where x.id = (select t.organization_id from parameters t where t.id = $16)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from domain_locations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $17)
        union
        select l.location_id as id
        from subnet_locations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $18)
        union
        select l.location_id as id
        from hostgroup_locations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $19)
        union
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $20) and x.location_id is not null
        union
        select x.id
        from locations x
        where x.id = (select t.location_id from parameters t where t.id = $21)
      ) places
  )
select id
from written;

delete from parameters
where id = $1;

-- list, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 4 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where ((((fold (t.name) like fold ($3))))) and (t.operatingsystem_id = $4)
    order by t.name asc, t.id
    limit $5
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where ((((fold (t.name) like fold ($2))))) and (t.operatingsystem_id = $3);

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 5 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where ((((fold (t.name) like fold ($3))))) and (t.operatingsystem_id = $4) and (fold (t.name) like fold ($5))
    order by t.id desc, t.id
    limit $6
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where ((((fold (t.name) like fold ($2))))) and (t.operatingsystem_id = $3);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where ((((fold (t.name) like fold ($2))))) and (t.operatingsystem_id = $3) and (fold (t.name) like fold ($4));

-- create, as a limited user
-- POST /api/operatingsystems/:operatingsystem_id/parameters: 6 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

insert into parameters (name, operatingsystem_id)
values ($1::text, $2::bigint)
returning *;

select t.*
from parameters t
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
        select l.organization_id as id
        from domain_organizations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $12)
        union
        select l.organization_id as id
        from subnet_organizations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $13)
        union
        select l.organization_id as id
        from hostgroup_organizations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $14)
        union
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $15) and x.organization_id is not null
        union
        select x.id
        from organizations x
        where x.id = (select t.organization_id from parameters t where t.id = $16)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from domain_locations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $17)
        union
        select l.location_id as id
        from subnet_locations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $18)
        union
        select l.location_id as id
        from hostgroup_locations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $19)
        union
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $20) and x.location_id is not null
        union
        select x.id
        from locations x
        where x.id = (select t.location_id from parameters t where t.id = $21)
      ) places
  )
select id
from written;

select t.id
from parameters t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/parameters/:id: 2 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and ((((fold (t.name) like fold ($3)))))
  and (t.operatingsystem_id = $4)
order by (t.name = $5::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/operatingsystems/:operatingsystem_id/parameters/:id: 9 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and ((((fold (t.name) like fold ($3)))))
  and (t.operatingsystem_id = $4)
order by (t.name = $5::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

select t.id
from operatingsystems t
where t.id = $1 and true;

update parameters
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from parameters t
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
        select l.organization_id as id
        from domain_organizations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $12)
        union
        select l.organization_id as id
        from subnet_organizations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $13)
        union
        select l.organization_id as id
        from hostgroup_organizations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $14)
        union
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $15) and x.organization_id is not null
        union
        select x.id
        from organizations x
        where x.id = (select t.organization_id from parameters t where t.id = $16)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from domain_locations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $17)
        union
        select l.location_id as id
        from subnet_locations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $18)
        union
        select l.location_id as id
        from hostgroup_locations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $19)
        union
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $20) and x.location_id is not null
        union
        select x.id
        from locations x
        where x.id = (select t.location_id from parameters t where t.id = $21)
      ) places
  )
select id
from written;

select t.id
from parameters t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/operatingsystems/:operatingsystem_id/parameters/:id: 7 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and ((((fold (t.name) like fold ($3)))))
  and (t.operatingsystem_id = $4)
order by (t.name = $5::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name,
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  case
    when t.organization_id is not null then t.organization_id
    when t.location_id is not null then t.location_id
    when t.domain_id is not null then t.domain_id
    when t.subnet_id is not null then t.subnet_id
    when t.operatingsystem_id is not null then t.operatingsystem_id
    when t.hostgroup_id is not null then t.hostgroup_id
    when t.host_id is not null then t.host_id
    else null
  end as reference_id, t.created_at as created_at, t.updated_at as updated_at,
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.hidden_value as hidden_value, t.parameter_type as key_type
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.id
from operatingsystems t
where t.id = $1 and true;

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
        select l.organization_id as id
        from domain_organizations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $12)
        union
        select l.organization_id as id
        from subnet_organizations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $13)
        union
        select l.organization_id as id
        from hostgroup_organizations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $14)
        union
        select x.organization_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $15) and x.organization_id is not null
        union
        select x.id
        from organizations x
        where x.id = (select t.organization_id from parameters t where t.id = $16)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from domain_locations l
        where l.domain_id = (select t.domain_id from parameters t where t.id = $17)
        union
        select l.location_id as id
        from subnet_locations l
        where l.subnet_id = (select t.subnet_id from parameters t where t.id = $18)
        union
        select l.location_id as id
        from hostgroup_locations l
        where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = $19)
        union
        select x.location_id as id
        from hosts x
        where x.id = (select t.host_id from parameters t where t.id = $20) and x.location_id is not null
        union
        select x.id
        from locations x
        where x.id = (select t.location_id from parameters t where t.id = $21)
      ) places
  )
select id
from written;

delete from parameters
where id = $1;
