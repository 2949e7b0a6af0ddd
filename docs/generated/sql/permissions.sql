-- list, as an administrator
-- GET /api/permissions: 1 statement
-- list.1
select
  t.name as name, t.id as id, t.resource_type as resource_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from permissions t
where true
order by t.id asc, t.id
limit 20;

-- list with search=name ~ view and order=id DESC, as an administrator
-- GET /api/permissions: 2 statements
-- search.1
select
  t.name as name, t.id as id, t.resource_type as resource_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from permissions t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from permissions t
where (fold (t.name) like fold ($));

-- show, as an administrator
-- GET /api/permissions/:id: 1 statement
-- show.1
select t.name as name, t.id as id, t.resource_type as resource_type
from permissions t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;

-- list, as a limited user
-- GET /api/permissions: what list runs

-- list with search=name ~ view and order=id DESC, as a limited user
-- GET /api/permissions: what search runs

-- show, as a limited user
-- GET /api/permissions/:id: what show runs
