-- list, as an administrator
-- GET /api/filters: 1 statement

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from filters t
where true
order by t.id asc, t.id
limit 20;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/filters: 2 statements

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from filters t where (t.id > $3::bigint) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from filters t
where (t.id > $2::bigint);

-- create, as an administrator
-- POST /api/filters: 10 statements

select 0 as place, t.id
from roles t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from permissions t
where t.id = any ($2::bigint[]) and true;

select id, origin, builtin
from roles
where id = $1::bigint
for share;

select name, resource_type
from permissions
where id = any ($1::bigint[]);

insert into filters (role_id)
values ($1::bigint)
returning *;

delete from filter_permissions
where filter_id = $1 and not permission_id = any ($2::bigint[]);

insert into filter_permissions (filter_id, permission_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
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
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from filter_locations l join locations x on x.id = l.location_id
      where l.filter_id = t.id
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
      from filter_organizations l join organizations x on x.id = l.organization_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as organizations
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/filters/:id: 1 statement

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from filter_locations l join locations x on x.id = l.location_id
      where l.filter_id = t.id
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
      from filter_organizations l join organizations x on x.id = l.organization_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as organizations
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/filters/:id: 10 statements

select t.id as id
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
where t.id = $1;

select id, origin, builtin
from roles
where id = $1::bigint
for share;

select name, resource_type
from permissions
where id = any ($1::bigint[]);

update filters
set search = $1::text, updated_at = now()
where id = $2;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
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
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from filter_locations l join locations x on x.id = l.location_id
      where l.filter_id = t.id
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
      from filter_organizations l join organizations x on x.id = l.organization_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as organizations
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/filters/:id: 7 statements

select t.id as id
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
where t.id = $1;

select
  t.id as id, t.role_id as role_id, t.search as search, t.override as override, t.created_at as created_at,
  t.updated_at as updated_at
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select id, origin, builtin
from roles
where id = $1::bigint
for share;

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

delete from filters
where id = $1;

-- list, as a limited user
-- GET /api/filters: 2 statements

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from filters t where ((((t.id > $3::bigint)))) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from filters t
where ((((t.id > $2::bigint))));

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/filters: 3 statements

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from filters t
    where ((((t.id > $3::bigint)))) and (t.id > $4::bigint)
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from filters t
where ((((t.id > $2::bigint))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from filters t
where ((((t.id > $2::bigint)))) and (t.id > $3::bigint);

-- create, as a limited user
-- POST /api/filters: 11 statements

select 0 as place, t.id
from roles t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from permissions t
where t.id = any ($2::bigint[]) and true;

select id, origin, builtin
from roles
where id = $1::bigint
for share;

select name, resource_type
from permissions
where id = any ($1::bigint[]);

insert into filters (role_id)
values ($1::bigint)
returning *;

delete from filter_permissions
where filter_id = $1 and not permission_id = any ($2::bigint[]);

insert into filter_permissions (filter_id, permission_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
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
from filters t
where t.id = $1 and ((((t.id > $2::bigint))));

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from filter_locations l join locations x on x.id = l.location_id
      where l.filter_id = t.id
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
      from filter_organizations l join organizations x on x.id = l.organization_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as organizations
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/filters/:id: 1 statement

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from filter_locations l join locations x on x.id = l.location_id
      where l.filter_id = t.id
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
      from filter_organizations l join organizations x on x.id = l.organization_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as organizations
from filters t
where (t.id = $1::bigint) and ((((t.id > $2::bigint))))
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/filters/:id: 11 statements

select t.id as id
from filters t
where (t.id = $1::bigint) and ((((t.id > $2::bigint))))
order by t.id
limit 1;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
where t.id = $1;

select id, origin, builtin
from roles
where id = $1::bigint
for share;

select name, resource_type
from permissions
where id = any ($1::bigint[]);

update filters
set search = $1::text, updated_at = now()
where id = $2;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
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
from filters t
where t.id = $1 and ((((t.id > $2::bigint))));

select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from filter_locations l join locations x on x.id = l.location_id
      where l.filter_id = t.id
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
      from filter_organizations l join organizations x on x.id = l.organization_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as organizations
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/filters/:id: 7 statements

select t.id as id
from filters t
where (t.id = $1::bigint) and ((((t.id > $2::bigint))))
order by t.id
limit 1;

select t.*
from filters t
where t.id = $1
for no key update of t;

select
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
where t.id = $1;

select
  t.id as id, t.role_id as role_id, t.search as search, t.override as override, t.created_at as created_at,
  t.updated_at as updated_at
from filters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select id, origin, builtin
from roles
where id = $1::bigint
for share;

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

delete from filters
where id = $1;
