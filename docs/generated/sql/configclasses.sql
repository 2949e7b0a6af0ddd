-- list, as an administrator
-- GET /api/configclasses: 1 statement

select
  t.id as id, t.name as name,
  to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from configclasses t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/configclasses: 1 statement

select
  t.id as id, t.name as name,
  to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from configclasses t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/configclasses: 5 statements

insert into configclasses (name)
values ($1::text)
returning *;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
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
  )
select id
from written;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where x.configclass_id = t.id
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/configclasses/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where x.configclass_id = t.id
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/configclasses/:id: 8 statements

select t.id as id
from configclasses t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
where t.id = $1;

update configclasses
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
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
  )
select id
from written;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where x.configclass_id = t.id
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/configclasses/:id: 8 statements

select t.id as id
from configclasses t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
where t.id = $1;

select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from configclasses t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select host_id as id
from host_configclasses
where configclass_id = $1;

select hostgroup_id as id
from hostgroup_configclasses
where configclass_id = $1;

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

delete from configclasses
where id = $1;

-- list, as a limited user
-- GET /api/configclasses: 1 statement

select
  t.id as id, t.name as name,
  to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from configclasses t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/configclasses: 2 statements

select
  t.id as id, t.name as name,
  to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
  to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from configclasses t
    where ((((fold (t.name) like fold ($3))))) and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from configclasses t
where ((((fold (t.name) like fold ($2)))));

-- create, as a limited user
-- POST /api/configclasses: 6 statements

insert into configclasses (name)
values ($1::text)
returning *;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
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
  )
select id
from written;

select t.id
from configclasses t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where x.configclass_id = t.id
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/configclasses/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where x.configclass_id = t.id
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/configclasses/:id: 9 statements

select t.id as id
from configclasses t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
where t.id = $1;

update configclasses
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
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
  )
select id
from written;

select t.id
from configclasses t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where x.configclass_id = t.id
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/configclasses/:id: 8 statements

select t.id as id
from configclasses t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from configclasses t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
where t.id = $1;

select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from configclasses t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select host_id as id
from host_configclasses
where configclass_id = $1;

select hostgroup_id as id
from hostgroup_configclasses
where configclass_id = $1;

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

delete from configclasses
where id = $1;
