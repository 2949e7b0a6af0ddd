-- list, as an administrator
-- GET /api/auth_source_internals: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from auth_sources t where (t.type = 'AuthSourceInternal') order by t.name asc, t.id limit $3) t
order by t.name asc, t.id;

-- list with search=name ~ Internal and order=id DESC, as an administrator
-- GET /api/auth_source_internals: 2 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where (t.type = 'AuthSourceInternal') and (fold (t.name) like fold ($3))
    order by t.id desc, t.id
    limit $4
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceInternal');

-- show, as an administrator
-- GET /api/auth_source_internals/:id: 1 statement

select t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name
from auth_sources t
where (t.id = $1::bigint or t.name = $2::text) and (t.type = 'AuthSourceInternal')
order by (t.name = $3::text) desc
limit 1;

-- list, as a limited user
-- GET /api/auth_source_internals: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where (t.type = 'AuthSourceInternal') and ((((fold (t.name) like fold ($3)))))
    order by t.name asc, t.id
    limit $4
  ) t
order by t.name asc, t.id;

-- list with search=name ~ Internal and order=id DESC, as a limited user
-- GET /api/auth_source_internals: 2 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where
      (t.type = 'AuthSourceInternal')
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
where (t.type = 'AuthSourceInternal') and ((((fold (t.name) like fold ($2)))));

-- show, as a limited user
-- GET /api/auth_source_internals/:id: 1 statement

select t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name
from auth_sources t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.type = 'AuthSourceInternal')
  and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;
