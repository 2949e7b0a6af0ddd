-- list, as an administrator
-- GET /api/permissions: 1 statement

select
  t.name as name, t.id as id, t.resource_type as resource_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from permissions t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ view and order=id DESC, as an administrator
-- GET /api/permissions: 2 statements

select
  t.name as name, t.id as id, t.resource_type as resource_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from permissions t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from permissions t
where (fold (t.name) like fold ($2));

-- show, as an administrator
-- GET /api/permissions/:id: 1 statement

select t.name as name, t.id as id, t.resource_type as resource_type
from permissions t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- list, as a limited user
-- GET /api/permissions: 1 statement

select
  t.name as name, t.id as id, t.resource_type as resource_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from permissions t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ view and order=id DESC, as a limited user
-- GET /api/permissions: 2 statements

select
  t.name as name, t.id as id, t.resource_type as resource_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from permissions t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from permissions t
where (fold (t.name) like fold ($2));

-- show, as a limited user
-- GET /api/permissions/:id: 1 statement

select t.name as name, t.id as id, t.resource_type as resource_type
from permissions t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;
