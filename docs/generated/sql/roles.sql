-- list, as an administrator
-- GET /api/roles: 1 statement

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from roles t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/roles: 3 statements

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from roles t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from roles t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/roles: 5 statements

insert into roles (name)
values ($1::text)
returning *;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
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
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where x.role_id = t.id),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/roles/:id: 1 statement

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where x.role_id = t.id),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/roles/:id: 8 statements

select t.id as id
from roles t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
where t.id = $1;

update roles
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
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
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where x.role_id = t.id),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/roles/:id: 6 statements

select t.id as id
from roles t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description, t.builtin as builtin,
  t.cloned_from_id as cloned_from_id, t.origin as origin, t.created_at as created_at, t.updated_at as updated_at
from roles t
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

delete from roles
where id = $1;

-- list, as a limited user
-- GET /api/roles: 3 statements

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from roles t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from roles t
where ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/roles: 4 statements

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from roles t
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
from roles t
where ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from roles t
where ((((fold (t.name) like fold ($2))))) and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/roles: 6 statements

insert into roles (name)
values ($1::text)
returning *;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
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
from roles t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where x.role_id = t.id),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/roles/:id: 1 statement

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where x.role_id = t.id),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/roles/:id: 9 statements

select t.id as id
from roles t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
where t.id = $1;

update roles
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
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
from roles t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where x.role_id = t.id),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/roles/:id: 6 statements

select t.id as id
from roles t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from roles t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description, t.builtin as builtin,
  t.cloned_from_id as cloned_from_id, t.origin as origin, t.created_at as created_at, t.updated_at as updated_at
from roles t
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

delete from roles
where id = $1;
