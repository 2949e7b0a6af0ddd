-- list, as an administrator
-- GET /content/api/environments: 2 statements

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($10::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $11) as _everything
from
  (
    select t.*
    from lifecycle_environments t
    where (t.organization_id = any ($12::bigint[]))
    order by t.name asc, t.id
    limit $13
  ) t
order by t.name asc, t.id;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as create_lifecycle_environments,
  (t.organization_id = any ($2::bigint[])) as view_lifecycle_environments,
  (t.organization_id = any ($3::bigint[])) as edit_lifecycle_environments,
  (t.organization_id = any ($4::bigint[])) as destroy_lifecycle_environments,
  (t.organization_id = any ($5::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($6::bigint[]);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/environments: 4 statements

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($10::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $11) as _everything
from
  (
    select t.*
    from lifecycle_environments t
    where (t.organization_id = any ($12::bigint[])) and (fold (t.name) like fold ($13))
    order by t.id desc, t.id
    limit $14
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from lifecycle_environments t
where (t.organization_id = any ($2::bigint[]));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from lifecycle_environments t
where (t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3));

-- create, as an administrator
-- POST /content/api/environments: 9 statements

select 0 as place, t.id
from organizations t
where t.id = any ($1::bigint[]) and (true)
union all
select 1 as place, t.id
from lifecycle_environments t
where t.id = any ($2::bigint[]) and (t.organization_id = any ($3::bigint[]));

select distinct $1::text as key
from lifecycle_environments
where id = any ($2::bigint[]) and organization_id <> $3;

select library
from lifecycle_environments
where id = $1
for no key update;

insert into lifecycle_environments (organization_id, name, prior_id)
values ($1::bigint, $2::text, $3::bigint)
returning *;

select t.*
from lifecycle_environments t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from lifecycle_environments x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from lifecycle_environments t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as create_lifecycle_environments,
  (t.organization_id = any ($2::bigint[])) as view_lifecycle_environments,
  (t.organization_id = any ($3::bigint[])) as edit_lifecycle_environments,
  (t.organization_id = any ($4::bigint[])) as destroy_lifecycle_environments,
  (t.organization_id = any ($5::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($6::bigint[]);

-- show, as an administrator
-- GET /content/api/environments/:id: 2 statements

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and (t.organization_id = any ($11::bigint[]))
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as create_lifecycle_environments,
  (t.organization_id = any ($2::bigint[])) as view_lifecycle_environments,
  (t.organization_id = any ($3::bigint[])) as edit_lifecycle_environments,
  (t.organization_id = any ($4::bigint[])) as destroy_lifecycle_environments,
  (t.organization_id = any ($5::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($6::bigint[]);

-- update, as an administrator
-- PUT /content/api/environments/:id: 8 statements

select t.id as id
from lifecycle_environments t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from lifecycle_environments t
where t.id = $1
for no key update of t;

update lifecycle_environments
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from lifecycle_environments t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from lifecycle_environments x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from lifecycle_environments t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as create_lifecycle_environments,
  (t.organization_id = any ($2::bigint[])) as view_lifecycle_environments,
  (t.organization_id = any ($3::bigint[])) as edit_lifecycle_environments,
  (t.organization_id = any ($4::bigint[])) as destroy_lifecycle_environments,
  (t.organization_id = any ($5::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($6::bigint[]);

-- delete, as an administrator
-- DELETE /content/api/environments/:id: 6 statements

select t.id as id
from lifecycle_environments t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from lifecycle_environments t
where t.id = $1
for no key update of t;

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and true
order by t.id
limit 1;

select 'successor' as kind
where exists (select from lifecycle_environments e where e.prior_id = $1)
union all
select 'hosts'
where exists (select from host_environments h where h.environment_id = $2)
union all
select 'keys'
where
  exists (select from activation_keys k where k.environment_id = $3)
  or exists (select from activation_key_environments k where k.environment_id = $4);

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
      (
        select x.organization_id as id
        from lifecycle_environments x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

delete from lifecycle_environments
where id = $1;

-- list, as a limited user
-- GET /content/api/environments: 3 statements

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($10::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $11) as _everything
from
  (
    select t.*
    from lifecycle_environments t
    where
      ((((t.organization_id = any ($12::bigint[])) and (fold (t.name) like fold ($13)))))
      and (t.organization_id = any ($14::bigint[]))
    order by t.name asc, t.id
    limit $15
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from lifecycle_environments t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/environments: 4 statements

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($10::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $11) as _everything
from
  (
    select t.*
    from lifecycle_environments t
    where
      ((((t.organization_id = any ($12::bigint[])) and (fold (t.name) like fold ($13)))))
      and (t.organization_id = any ($14::bigint[]))
      and (fold (t.name) like fold ($15))
    order by t.id desc, t.id
    limit $16
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from lifecycle_environments t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from lifecycle_environments t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
  and (fold (t.name) like fold ($5));

-- create, as a limited user
-- POST /content/api/environments: 9 statements

select 0 as place, t.id
from organizations t
where
  t.id = any ($1::bigint[])
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $3 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
union all
select 1 as place, t.id
from lifecycle_environments t
where t.id = any ($4::bigint[]) and (t.organization_id = any ($5::bigint[]));

select distinct $1::text as key
from lifecycle_environments
where id = any ($2::bigint[]) and organization_id <> $3;

select library
from lifecycle_environments
where id = $1
for no key update;

insert into lifecycle_environments (organization_id, name, prior_id)
values ($1::bigint, $2::text, $3::bigint)
returning *;

select t.*
from lifecycle_environments t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from lifecycle_environments x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from lifecycle_environments t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as create_lifecycle_environments,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as view_lifecycle_environments,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as edit_lifecycle_environments,
  ((((t.organization_id = any ($10::bigint[])) and (fold (t.name) like fold ($11)))))
  and (t.organization_id = any ($12::bigint[])) as destroy_lifecycle_environments,
  ((((t.organization_id = any ($13::bigint[])) and (fold (t.name) like fold ($14)))))
  and (t.organization_id = any ($15::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($16::bigint[]);

-- show, as a limited user
-- GET /content/api/environments/:id: 2 statements

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where
  (t.id = $10::bigint)
  and ((((t.organization_id = any ($11::bigint[])) and (fold (t.name) like fold ($12)))))
  and (t.organization_id = any ($13::bigint[]))
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as create_lifecycle_environments,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as view_lifecycle_environments,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as edit_lifecycle_environments,
  ((((t.organization_id = any ($10::bigint[])) and (fold (t.name) like fold ($11)))))
  and (t.organization_id = any ($12::bigint[])) as destroy_lifecycle_environments,
  ((((t.organization_id = any ($13::bigint[])) and (fold (t.name) like fold ($14)))))
  and (t.organization_id = any ($15::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($16::bigint[]);

-- update, as a limited user
-- PUT /content/api/environments/:id: 8 statements

select t.id as id
from lifecycle_environments t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from lifecycle_environments t
where t.id = $1
for no key update of t;

update lifecycle_environments
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from lifecycle_environments t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from lifecycle_environments x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from lifecycle_environments t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as create_lifecycle_environments,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as view_lifecycle_environments,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as edit_lifecycle_environments,
  ((((t.organization_id = any ($10::bigint[])) and (fold (t.name) like fold ($11)))))
  and (t.organization_id = any ($12::bigint[])) as destroy_lifecycle_environments,
  ((((t.organization_id = any ($13::bigint[])) and (fold (t.name) like fold ($14)))))
  and (t.organization_id = any ($15::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ($16::bigint[]);

-- delete, as a limited user
-- DELETE /content/api/environments/:id: 6 statements

select t.id as id
from lifecycle_environments t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from lifecycle_environments t
where t.id = $1
for no key update of t;

select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  jsonb_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  ) || case
  when t.library then (
    select
      $1::jsonb || jsonb_build_object(
        $2::text,
        count(*) filter (where r.content_type = $3),
        $4::text,
        count(*) filter (where r.content_type = $5),
        $6::text,
        count(*) filter (where r.content_type = $7),
        $8::text,
        count(*) filter (where r.content_type = $9),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views
from lifecycle_environments t
where (t.id = $10::bigint) and true
order by t.id
limit 1;

select 'successor' as kind
where exists (select from lifecycle_environments e where e.prior_id = $1)
union all
select 'hosts'
where exists (select from host_environments h where h.environment_id = $2)
union all
select 'keys'
where
  exists (select from activation_keys k where k.environment_id = $3)
  or exists (select from activation_key_environments k where k.environment_id = $4);

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
      (
        select x.organization_id as id
        from lifecycle_environments x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

delete from lifecycle_environments
where id = $1;
