-- list, as an administrator
-- GET /api/architectures: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from architectures t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/architectures: 3 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from architectures t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from architectures t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/architectures: 5 statements

insert into architectures (name)
values ($1::text)
returning *;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
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
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.architecture_id = t.id
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/architectures/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.architecture_id = t.id
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/architectures/:id: 8 statements

select t.id as id
from architectures t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
where t.id = $1;

update architectures
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
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
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.architecture_id = t.id
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/architectures/:id: 8 statements

select t.id as id
from architectures t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
where t.id = $1;

select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from architectures t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.title as called, true as shown
from hostgroups t
where t.architecture_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from hosts t
where t.architecture_id = $1
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
  )
select id
from written;

delete from architectures
where id = $1;

-- list, as a limited user
-- GET /api/architectures: 3 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from architectures t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from architectures t
where ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/architectures: 4 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from architectures t
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
from architectures t
where ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from architectures t
where ((((fold (t.name) like fold ($2))))) and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/architectures: 6 statements

insert into architectures (name)
values ($1::text)
returning *;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
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
from architectures t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.architecture_id = t.id
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/architectures/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.architecture_id = t.id
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/architectures/:id: 9 statements

select t.id as id
from architectures t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
where t.id = $1;

update architectures
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
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
from architectures t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.architecture_id = t.id
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/architectures/:id: 8 statements

select t.id as id
from architectures t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from architectures t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
where t.id = $1;

select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from architectures t
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
where t.architecture_id = $3
order by 1
limit $4;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.architecture_id = $3
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
  )
select id
from written;

delete from architectures
where id = $1;
