-- list, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 4 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from os_default_templates t where (t.operatingsystem_id = $3) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from os_default_templates t
where (t.operatingsystem_id = $2);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 5 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from os_default_templates t
    where (t.operatingsystem_id = $3) and (t.id > $4::bigint)
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
from os_default_templates t
where (t.operatingsystem_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from os_default_templates t
where (t.operatingsystem_id = $2) and (t.id > $3::bigint);

-- create, as an administrator
-- POST /api/operatingsystems/:operatingsystem_id/os_default_templates: 7 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select 0 as place, t.id
from templates t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from template_kinds t
where t.id = any ($2::bigint[]) and true;

select coalesce(template_kind_id = $1::bigint, false) as matches
from templates
where id = $2::bigint;

insert into os_default_templates (provisioning_template_id, template_kind_id, operatingsystem_id)
values ($1::bigint, $2::bigint, $3::bigint)
returning *;

select t.*
from os_default_templates t
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
  )
select id
from written;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 2 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $1::bigint) and (t.operatingsystem_id = $2)
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 6 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from os_default_templates t
where (t.id = $1::bigint) and (t.operatingsystem_id = $2)
order by t.id
limit 1;

select t.*
from os_default_templates t
where t.id = $1
for no key update of t;

select 0 as place, t.id
from template_kinds t
where t.id = any ($1::bigint[]) and true;

select coalesce(template_kind_id = $1::bigint, false) as matches
from templates
where id = $2::bigint;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 6 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from os_default_templates t
where (t.id = $1::bigint) and (t.operatingsystem_id = $2)
order by t.id
limit 1;

select t.*
from os_default_templates t
where t.id = $1
for no key update of t;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id, t.template_kind_id as template_kind_id,
  t.operatingsystem_id as operatingsystem_id, t.created_at as created_at, t.updated_at as updated_at
from os_default_templates t
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
  )
select id
from written;

delete from os_default_templates
where id = $1;

-- list, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 4 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from os_default_templates t where (t.operatingsystem_id = $3) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from os_default_templates t
where (t.operatingsystem_id = $2);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 5 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from os_default_templates t
    where (t.operatingsystem_id = $3) and (t.id > $4::bigint)
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
from os_default_templates t
where (t.operatingsystem_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from os_default_templates t
where (t.operatingsystem_id = $2) and (t.id > $3::bigint);

-- create, as a limited user
-- POST /api/operatingsystems/:operatingsystem_id/os_default_templates: 7 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select 0 as place, t.id
from templates t
where
  t.id = any ($1::bigint[])
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($2::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($3::bigint[])))
union all
select 1 as place, t.id
from template_kinds t
where t.id = any ($4::bigint[]) and true;

select coalesce(template_kind_id = $1::bigint, false) as matches
from templates
where id = $2::bigint;

insert into os_default_templates (provisioning_template_id, template_kind_id, operatingsystem_id)
values ($1::bigint, $2::bigint, $3::bigint)
returning *;

select t.*
from os_default_templates t
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
  )
select id
from written;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 2 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $1::bigint) and (t.operatingsystem_id = $2)
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 6 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from os_default_templates t
where (t.id = $1::bigint) and (t.operatingsystem_id = $2)
order by t.id
limit 1;

select t.*
from os_default_templates t
where t.id = $1
for no key update of t;

select 0 as place, t.id
from template_kinds t
where t.id = any ($1::bigint[]) and true;

select coalesce(template_kind_id = $1::bigint, false) as matches
from templates
where id = $2::bigint;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 6 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.id as id
from os_default_templates t
where (t.id = $1::bigint) and (t.operatingsystem_id = $2)
order by t.id
limit 1;

select t.*
from os_default_templates t
where t.id = $1
for no key update of t;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id, t.template_kind_id as template_kind_id,
  t.operatingsystem_id as operatingsystem_id, t.created_at as created_at, t.updated_at as updated_at
from os_default_templates t
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
  )
select id
from written;

delete from os_default_templates
where id = $1;
