-- list, as an administrator
-- GET /api/auth_source_externals: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $3) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/auth_source_externals: 2 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where (t.type = 'AuthSourceExternal') and (fold (t.name) like fold ($3))
    order by t.id desc, t.id
    limit $4
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceExternal');

-- show, as an administrator
-- GET /api/auth_source_externals/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and (t.type = 'AuthSourceExternal')
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/auth_source_externals/:id: 9 statements

select t.id as id
from auth_sources t
where (t.id = $1::bigint) and (t.type = 'AuthSourceExternal')
order by t.id
limit 1;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where t.id = $1;

update auth_sources
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

select t.id
from auth_sources t
where t.id = $1 and (t.type = 'AuthSourceExternal');

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/auth_source_externals: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($3)))))
    order by t.name asc, t.id
    limit $4
  ) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/auth_source_externals: 2 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where
      (t.type = 'AuthSourceExternal')
      and ((((fold (t.name) like fold ($3)))))
      and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($2)))));

-- show, as a limited user
-- GET /api/auth_source_externals/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($2)))))
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/auth_source_externals/:id: 5 statements

select t.id as id
from auth_sources t
where (t.id = $1::bigint) and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($2)))))
order by t.id
limit 1;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where t.id = $1;

select t.id
from auth_sources t
where t.id = $1 and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;
