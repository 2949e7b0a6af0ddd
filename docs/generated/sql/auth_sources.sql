-- list, as an administrator
-- GET /api/auth_sources: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.type as type, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from auth_sources t where ((t.type <> 'AuthSourceHidden')) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;

-- list with search=name ~ Internal and order=id DESC, as an administrator
-- GET /api/auth_sources: 2 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where ((t.type <> 'AuthSourceHidden')) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from auth_sources t
+     where ((t.type <> 'AuthSourceHidden')) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from auth_sources t
where ((t.type <> 'AuthSourceHidden'));

-- list, as a limited user
-- GET /api/auth_sources: 1 statement
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where ((t.type <> 'AuthSourceHidden')) order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from auth_sources t
+     where
+       (
+         (t.type <> 'AuthSourceHidden')
+         and (
+           (
+             (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
+             or (
+               (
+                 exists (
+                   select
+                   from auth_source_organizations l
+                   where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from auth_source_locations l
+                   where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+             )
+           )
+         )
+       )
+       and ((((fold (t.name) like fold ($)))))
+     order by t.name asc, t.id
+     limit $
+   ) t

-- list with search=name ~ Internal and order=id DESC, as a limited user
-- GET /api/auth_sources: 2 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where ((t.type <> 'AuthSourceHidden')) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from auth_sources t
+     where
+       (
+         (t.type <> 'AuthSourceHidden')
+         and (
+           (
+             (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
+             or (
+               (
+                 exists (
+                   select
+                   from auth_source_organizations l
+                   where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from auth_source_locations l
+                   where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+             )
+           )
+         )
+       )
+       and ((((fold (t.name) like fold ($)))))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from auth_sources t
where
  (
    (t.type <> 'AuthSourceHidden')
    and (
      (
        (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
        or (
          (
            exists (
              select
              from auth_source_organizations l
              where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
            )
          )
          and (
            exists (
              select
              from auth_source_locations l
              where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
            )
          )
        )
      )
    )
  )
  and ((((fold (t.name) like fold ($)))));
