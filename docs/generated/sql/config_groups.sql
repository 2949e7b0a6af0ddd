-- list, as an administrator
-- GET /api/config_groups: 2 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from config_groups t
where true
order by t.name asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/config_groups: 3 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from config_groups t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_groups t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/config_groups: 5 statements

insert into config_groups (name)
values ($1::text)
returning *;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
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
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses
from config_groups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/config_groups/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses
from config_groups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/config_groups/:id: 8 statements

select t.id as id
from config_groups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
where t.id = $1;

update config_groups
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
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
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses
from config_groups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/config_groups/:id: 8 statements

select t.id as id
from config_groups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
where t.id = $1;

select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from config_groups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select host_id as id
from config_group_hosts
where config_group_id = $1;

select hostgroup_id as id
from config_group_hostgroups
where config_group_id = $1;

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

delete from config_groups
where id = $1;

-- list, as a limited user
-- GET /api/config_groups: 3 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from config_groups t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_groups t
where ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/config_groups: 4 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from config_groups t
    where ((((fold (t.name) like fold ($3))))) and (fold (t.name) like fold ($4))
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
from config_groups t
where ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_groups t
where ((((fold (t.name) like fold ($2))))) and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/config_groups: 6 statements

insert into config_groups (name)
values ($1::text)
returning *;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
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
from config_groups t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses
from config_groups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/config_groups/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses
from config_groups t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/config_groups/:id: 9 statements

select t.id as id
from config_groups t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
where t.id = $1;

update config_groups
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
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
from config_groups t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses
from config_groups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/config_groups/:id: 8 statements

select t.id as id
from config_groups t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from config_groups t
where t.id = $1
for no key update of t;

select
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
where t.id = $1;

select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from config_groups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select host_id as id
from config_group_hosts
where config_group_id = $1;

select hostgroup_id as id
from config_group_hostgroups
where config_group_id = $1;

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

delete from config_groups
where id = $1;
