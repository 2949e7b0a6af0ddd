-- list, as an administrator
-- GET /content/api/host_collections: 3 statements

select
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from host_collections t
    where (t.organization_id = any ($3::bigint[]))
    order by t.name asc, t.id
    limit $4
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from host_collections t
where (t.organization_id = any ($2::bigint[]));

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/host_collections: 4 statements

select
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from host_collections t
    where (t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4))
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
from host_collections t
where (t.organization_id = any ($2::bigint[]));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from host_collections t
where (t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3));

-- create, as an administrator
-- POST /content/api/host_collections: 8 statements

select 0 as place, t.id
from organizations t
where t.id = any ($1::bigint[]) and (true);

insert into host_collections (name, organization_id)
values ($1::text, $2::bigint)
returning *;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
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
      (
        select x.organization_id as id
        from host_collections x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from host_collections t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as deletable,
  (t.organization_id = any ($2::bigint[])) as editable
from host_collections t
where t.id = any ($3::bigint[]);

-- show, as an administrator
-- GET /content/api/host_collections/:id: 2 statements

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as deletable,
  (t.organization_id = any ($2::bigint[])) as editable
from host_collections t
where t.id = any ($3::bigint[]);

-- update, as an administrator
-- PUT /content/api/host_collections/:id: 10 statements

select t.id as id
from host_collections t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
where t.id = $1;

update host_collections
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
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
      (
        select x.organization_id as id
        from host_collections x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from host_collections t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as deletable,
  (t.organization_id = any ($2::bigint[])) as editable
from host_collections t
where t.id = any ($3::bigint[]);

-- delete, as an administrator
-- DELETE /content/api/host_collections/:id: 6 statements

select t.id as id
from host_collections t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
where t.id = $1;

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from host_collections x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

delete from host_collections
where id = $1;

-- list, as a limited user
-- GET /content/api/host_collections: 3 statements

select
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from host_collections t
    where
      ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
      and (t.organization_id = any ($5::bigint[]))
    order by t.name asc, t.id
    limit $6
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from host_collections t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/host_collections: 4 statements

select
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from host_collections t
    where
      ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
      and (t.organization_id = any ($5::bigint[]))
      and (fold (t.name) like fold ($6))
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from host_collections t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from host_collections t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
  and (fold (t.name) like fold ($5));

-- create, as a limited user
-- POST /content/api/host_collections: 8 statements

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
  );

insert into host_collections (name, organization_id)
values ($1::text, $2::bigint)
returning *;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
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
      (
        select x.organization_id as id
        from host_collections x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from host_collections t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as deletable,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as editable
from host_collections t
where t.id = any ($7::bigint[]);

-- show, as a limited user
-- GET /content/api/host_collections/:id: 2 statements

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as deletable,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as editable
from host_collections t
where t.id = any ($7::bigint[]);

-- update, as a limited user
-- PUT /content/api/host_collections/:id: 10 statements

select t.id as id
from host_collections t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
where t.id = $1;

update host_collections
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
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
      (
        select x.organization_id as id
        from host_collections x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from host_collections t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as deletable,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as editable
from host_collections t
where t.id = any ($7::bigint[]);

-- delete, as a limited user
-- DELETE /content/api/host_collections/:id: 6 statements

select t.id as id
from host_collections t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from host_collections t
where t.id = $1
for no key update of t;

select array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
where t.id = $1;

select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from host_collections x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

delete from host_collections
where id = $1;
