-- list, as an administrator
-- GET /api/images: 2 statements

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from images t
where true
order by t.name asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/images: 3 statements

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from images t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from images t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/images: 4 statements

select 0 as place, t.id
from architectures t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from operatingsystems t
where t.id = any ($2::bigint[]) and true;

insert into images (name, uuid, username, architecture_id, operatingsystem_id)
values ($1::text, $2::text, $3::text, $4::bigint, $5::bigint)
returning *;

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
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/images/:id: 1 statement

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/images/:id: 6 statements

select t.id as id
from images t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from images t
where t.id = $1
for no key update of t;

update images
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from images t
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
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/images/:id: 6 statements

select t.id as id
from images t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from images t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name, t.uuid as uuid, t.username as username, t.architecture_id as architecture_id,
  t.operatingsystem_id as operatingsystem_id, t.compute_resource_id as compute_resource_id,
  t.created_at as created_at, t.updated_at as updated_at
from images t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from hosts t
where t.image_id = $1
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

delete from images
where id = $1;

-- list, as a limited user
-- GET /api/images: 3 statements

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from images t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from images t
where ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/images: 4 statements

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from images t
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
from images t
where ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from images t
where ((((fold (t.name) like fold ($2))))) and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/images: 5 statements

select 0 as place, t.id
from architectures t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from operatingsystems t
where t.id = any ($2::bigint[]) and true;

insert into images (name, uuid, username, architecture_id, operatingsystem_id)
values ($1::text, $2::text, $3::text, $4::bigint, $5::bigint)
returning *;

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
from images t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/images/:id: 1 statement

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/images/:id: 7 statements

select t.id as id
from images t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from images t
where t.id = $1
for no key update of t;

update images
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from images t
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

select t.id
from images t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/images/:id: 6 statements

select t.id as id
from images t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from images t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name, t.uuid as uuid, t.username as username, t.architecture_id as architecture_id,
  t.operatingsystem_id as operatingsystem_id, t.compute_resource_id as compute_resource_id,
  t.created_at as created_at, t.updated_at as updated_at
from images t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.image_id = $3
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

delete from images
where id = $1;
