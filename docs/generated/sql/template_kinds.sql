-- list, as an administrator
-- GET /api/template_kinds: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from template_kinds t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/template_kinds: 1 statement
-- search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from template_kinds t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- list, as a limited user
-- GET /api/template_kinds: what list runs

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/template_kinds: what search runs
