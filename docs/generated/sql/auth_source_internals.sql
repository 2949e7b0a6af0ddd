-- list, as an administrator
-- GET /api/auth_source_internals: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from auth_sources t where (t.type = 'AuthSourceInternal') order by t.name asc, t.id limit $) t
order by t.name asc, t.id;

-- list with search=name ~ Internal and order=id DESC, as an administrator
-- GET /api/auth_source_internals: 2 statements
-- search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from auth_sources t
    where (t.type = 'AuthSourceInternal') and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceInternal');

-- show, as an administrator
-- GET /api/auth_source_internals/:id: 1 statement
-- show.1
select t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name
from auth_sources t
where (t.id = $::bigint or t.name = $::text) and (t.type = 'AuthSourceInternal')
order by (t.name = $::text) desc
limit 1;

-- list, as a limited user
-- GET /api/auth_source_internals: 1 statement
-- limited list.1 is search.1, but
      from auth_sources t
-     where (t.type = 'AuthSourceInternal') and (fold (t.name) like fold ($))
-     order by t.id desc, t.id
+     where (t.type = 'AuthSourceInternal') and ((((fold (t.name) like fold ($)))))
+     order by t.name asc, t.id
    ) t
- order by t.id desc, t.id;
+ order by t.name asc, t.id;

-- list with search=name ~ Internal and order=id DESC, as a limited user
-- GET /api/auth_source_internals: 2 statements
-- limited search.1 is search.1, but
      from auth_sources t
-     where (t.type = 'AuthSourceInternal') and (fold (t.name) like fold ($))
+     where
+       (t.type = 'AuthSourceInternal')
+       and ((((fold (t.name) like fold ($)))))
+       and (fold (t.name) like fold ($))
-- limited search.2 is search.2, but
  from auth_sources t
- where (t.type = 'AuthSourceInternal');
+ where (t.type = 'AuthSourceInternal') and ((((fold (t.name) like fold ($)))));

-- show, as a limited user
-- GET /api/auth_source_internals/:id: 1 statement
-- limited show.1 is show.1, but
  from auth_sources t
- where (t.id = $::bigint or t.name = $::text) and (t.type = 'AuthSourceInternal')
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and (t.type = 'AuthSourceInternal')
+   and ((((fold (t.name) like fold ($)))))
