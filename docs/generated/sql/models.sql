-- list, as an administrator
-- GET /api/models: 2 statements

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from models t
where true
order by t.name asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/models: 3 statements

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from models t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from models t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/models: 3 statements

insert into models (name)
values ($1::text)
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
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name
from models t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/models/:id: 1 statement

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name
from models t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/models/:id: 6 statements

select t.id as id
from models t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from models t
where t.id = $1
for no key update of t;

update models
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from models t
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
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name
from models t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/models/:id: 6 statements

select t.id as id
from models t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from models t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name, t.info as info, t.vendor_class as vendor_class, t.hardware_model as hardware_model,
  t.created_at as created_at, t.updated_at as updated_at
from models t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from hosts t
where t.model_id = $1
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

delete from models
where id = $1;

-- list, as a limited user
-- GET /api/models: 3 statements

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from models t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from models t
where ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/models: 4 statements

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from models t
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
from models t
where ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from models t
where ((((fold (t.name) like fold ($2))))) and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/models: 4 statements

insert into models (name)
values ($1::text)
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
from models t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name
from models t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/models/:id: 1 statement

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name
from models t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/models/:id: 7 statements

select t.id as id
from models t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from models t
where t.id = $1
for no key update of t;

update models
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from models t
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
from models t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name
from models t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/models/:id: 6 statements

select t.id as id
from models t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from models t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name, t.info as info, t.vendor_class as vendor_class, t.hardware_model as hardware_model,
  t.created_at as created_at, t.updated_at as updated_at
from models t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.model_id = $3
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

delete from models
where id = $1;
