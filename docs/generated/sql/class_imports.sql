-- list, as an administrator
-- GET /api/class_imports: 1 statement
-- list.1
select
  t.id as id, t.smart_proxy_id as smart_proxy_id, t.source as source, t.user_id as user_id,
  t.requested_by as requested_by, t.dryrun as dryrun, t.force as force, t.status as status, t.message as message,
  t.environment_name as environment_name, t.environments as environments, t.environments_done as environments_done,
  t.environments_unchanged as environments_unchanged, t.created_at as created_at, t.updated_at as updated_at,
  t.finished_at as finished_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from class_imports t
where true
order by t.id desc, t.id
limit 20;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/class_imports: 1 statement
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from class_imports t
- where true
- order by t.id desc, t.id
- limit 20;
+ from (select t.* from class_imports t where (t.id > $::bigint) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;

-- show, as an administrator
-- GET /api/class_imports/:id: 1 statement
-- show.1
select
  t.id as id, t.smart_proxy_id as smart_proxy_id, t.source as source, t.user_id as user_id,
  t.requested_by as requested_by, t.dryrun as dryrun, t.force as force, t.status as status, t.message as message,
  t.environment_name as environment_name, t.environments as environments, t.environments_done as environments_done,
  t.environments_unchanged as environments_unchanged, t.created_at as created_at, t.updated_at as updated_at,
  t.finished_at as finished_at
from class_imports t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/class_imports: 1 statement
-- limited list.1
select
  t.id as id, t.smart_proxy_id as smart_proxy_id, t.source as source, t.user_id as user_id,
  t.requested_by as requested_by, t.dryrun as dryrun, t.force as force, t.status as status, t.message as message,
  t.environment_name as environment_name, t.environments as environments, t.environments_done as environments_done,
  t.environments_unchanged as environments_unchanged, t.created_at as created_at, t.updated_at as updated_at,
  t.finished_at as finished_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from class_imports t
    where
      (
        t.smart_proxy_id in (
          select t.id
          from smart_proxies t
          where
            (
              exists (
                select
                from smart_proxy_organizations l
                where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (
              exists (
                select
                from smart_proxy_locations l
                where l.smart_proxy_id = t.id and l.location_id = any ($::bigint[])
              )
            )
        )
      )
      and ((((t.id > $::bigint))))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/class_imports: 2 statements
-- limited search.1 is limited list.1, but
        and ((((t.id > $::bigint))))
+       and (t.id > $::bigint)
-- limited search.2 is limited list.1, but
  select
-   t.id as id, t.smart_proxy_id as smart_proxy_id, t.source as source, t.user_id as user_id,
-   t.requested_by as requested_by, t.dryrun as dryrun, t.force as force, t.status as status, t.message as message,
-   t.environment_name as environment_name, t.environments as environments, t.environments_done as environments_done,
-   t.environments_unchanged as environments_unchanged, t.created_at as created_at, t.updated_at as updated_at,
-   t.finished_at as finished_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    )
-       and ((((t.id > $::bigint))))
-     order by t.id desc, t.id
-     limit $
-   ) t
- order by t.id desc, t.id;
+   and ((((t.id > $::bigint))));

-- show, as a limited user
-- GET /api/class_imports/:id: 1 statement
-- limited show.1 is limited list.1, but
    t.environments_unchanged as environments_unchanged, t.created_at as created_at, t.updated_at as updated_at,
-   t.finished_at as finished_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   t.finished_at as finished_at
  where
-       (
+   (t.id = $::bigint)
+   and (
    and ((((t.id > $::bigint))))
-     order by t.id desc, t.id
-     limit $
-   ) t
- order by t.id desc, t.id;
+ order by t.id
+ limit 1;
