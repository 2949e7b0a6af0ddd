-- list, as an administrator
-- GET /api/tasks: 1 statement
-- list.1
select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from tasks t where (true) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- list with search=uuid ~ ex and order=id DESC, as an administrator
-- GET /api/tasks: 4 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from tasks t where (true) order by t.id desc, t.id limit $) t
+ from (select t.* from tasks t where (true) and (fold (t.uuid) like fold ($)) order by t.id desc, t.id limit $) t
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from tasks t
where (true);
-- search.4 is search.3, but
  from tasks t
- where (true);
+ where (true) and (fold (t.uuid) like fold ($));

-- show, as an administrator
-- GET /api/tasks/:id: 1 statement
-- show.1 is list.1, but
      where o.id = t.organization_id
-   ) as organization,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from tasks t where (true) order by t.id desc, t.id limit $) t
- order by t.id desc, t.id;
+   ) as organization
+ from tasks t
+ where (t.id = $::bigint or t.uuid = $::text) and (true)
+ order by (t.uuid = $::text) desc
+ limit 1;

-- list, as a limited user
-- GET /api/tasks: 2 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from tasks t where (true) order by t.id desc, t.id limit $) t
+ from
+   (
+     select t.*
+     from tasks t
+     where
+       (((t.organization_id is null) or (t.organization_id = any ($::bigint[])) or (t.user_id = $)))
+       and (((((((fold (t.uuid) like fold ($)))))) or (t.user_id = $)))
+     order by t.id desc, t.id
+     limit $
+   ) t
-- limited list.2 is shared 37fdb4: select t.id from tasks t where t.id = any ($::bigint[]) and t.user_id is distinct from $::…

-- list with search=uuid ~ ex and order=id DESC, as a limited user
-- GET /api/tasks: 4 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from tasks t where (true) order by t.id desc, t.id limit $) t
+ from
+   (
+     select t.*
+     from tasks t
+     where
+       (((t.organization_id is null) or (t.organization_id = any ($::bigint[])) or (t.user_id = $)))
+       and (((((((fold (t.uuid) like fold ($)))))) or (t.user_id = $)))
+       and (fold (t.uuid) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is search.3, but
  from tasks t
- where (true);
+ where
+   (((t.organization_id is null) or (t.organization_id = any ($::bigint[])) or (t.user_id = $)))
+   and (((((((fold (t.uuid) like fold ($)))))) or (t.user_id = $)));
-- limited search.4 is search.3, but
  from tasks t
- where (true);
+ where
+   (((t.organization_id is null) or (t.organization_id = any ($::bigint[])) or (t.user_id = $)))
+   and (((((((fold (t.uuid) like fold ($)))))) or (t.user_id = $)))
+   and (fold (t.uuid) like fold ($));

-- show, as a limited user
-- GET /api/tasks/:id: 2 statements
-- limited show.1 is list.1, but
      where o.id = t.organization_id
-   ) as organization,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from tasks t where (true) order by t.id desc, t.id limit $) t
- order by t.id desc, t.id;
+   ) as organization
+ from tasks t
+ where
+   (t.id = $::bigint or t.uuid = $::text)
+   and (((t.organization_id is null) or (t.organization_id = any ($::bigint[])) or (t.user_id = $)))
+   and (((((((fold (t.uuid) like fold ($)))))) or (t.user_id = $)))
+ order by (t.uuid = $::text) desc
+ limit 1;
-- limited show.2 is shared 37fdb4: select t.id from tasks t where t.id = any ($::bigint[]) and t.user_id is distinct from $::…
