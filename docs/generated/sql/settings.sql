-- list, as an administrator
-- GET /api/settings: 1 statement

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from settings t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ entries and order=id DESC, as an administrator
-- GET /api/settings: 1 statement

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from settings t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

-- show, as an administrator
-- GET /api/settings/:id: 1 statement

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values
from settings t
where (t.name = $1::text) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/settings/:id: 6 statements

select t.id as id
from settings t
where (t.name = $1::text) and true
order by t.id
limit 1;

select t.*
from settings t
where t.id = $1
for no key update of t;

update settings
set value = $1::jsonb, updated_at = now()
where id = $2;

select t.*
from settings t
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
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values
from settings t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/settings: 1 statement

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from settings t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

-- list with search=name ~ entries and order=id DESC, as a limited user
-- GET /api/settings: 2 statements

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from settings t
    where ((((fold (t.name) like fold ($3))))) and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from settings t
where ((((fold (t.name) like fold ($2)))));

-- show, as a limited user
-- GET /api/settings/:id: 1 statement

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values
from settings t
where (t.name = $1::text) and ((((fold (t.name) like fold ($2)))))
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/settings/:id: 4 statements

select t.id as id
from settings t
where (t.name = $1::text) and ((((fold (t.name) like fold ($2)))))
order by t.id
limit 1;

select t.*
from settings t
where t.id = $1
for no key update of t;

select t.id
from settings t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values
from settings t
where (t.id = $1::bigint) and true
order by t.id
limit 1;
