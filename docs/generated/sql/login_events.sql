-- list, as an administrator
-- GET /api/login_events: 3 statements
-- list.1
select
  t.id as id, t.created_at as created_at, t.user_id as user_id,
  (select json_build_object('id', x.id, 'login', x.login) from users x where x.id = t.user_id) as "user",
  t.outcome as outcome, t.method as method, t.reason as reason, t.address as address,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from login_events t
    where
      (
        (
          (t.user_id is null and $)
          or t.user_id in (
            select t.id
            from users t
            where
              (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
          )
        )
      )
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from login_events t
where
  (
    (
      (t.user_id is null and $)
      or t.user_id in (
        select t.id
        from users t
        where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
      )
    )
  );

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/login_events: 4 statements
-- search.1 is list.1, but
        )
+       and (t.id > $::bigint)
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
      )
-   );
+   )
+   and (t.id > $::bigint);

-- list, as a limited user
-- GET /api/login_events: 3 statements
-- limited list.1 is list.1, but
                (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+               and (
+                 (
+                   (
+                     (
+                       exists (
+                         select
+                         from user_organizations l
+                         where l.user_id = t.id and l.organization_id = any ($::bigint[])
                      )
+                     and (
+                       exists (
+                         select
+                         from user_locations l
+                         where l.user_id = t.id and l.location_id = any ($::bigint[])
                        )
+                     )
+                   )
+                   or (t.id = $)
+                 )
+               )
+           )
+         )
+       )
+       and ((((t.id > $::bigint))))
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from login_events t
where
  (
    (
      (t.user_id is null and $)
      or t.user_id in (
        select t.id
        from users t
        where
          (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
          and (
            (
              (
                (
                  exists (
                    select
                    from user_organizations l
                    where l.user_id = t.id and l.organization_id = any ($::bigint[])
                  )
                )
                and (
                  exists (
                    select
                    from user_locations l
                    where l.user_id = t.id and l.location_id = any ($::bigint[])
                  )
                )
              )
              or (t.id = $)
            )
          )
      )
    )
  )
  and ((((t.id > $::bigint))));

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/login_events: 4 statements
-- limited search.1 is limited list.3, but
  select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+   t.id as id, t.created_at as created_at, t.user_id as user_id,
+   (select json_build_object('id', x.id, 'login', x.login) from users x where x.id = t.user_id) as "user",
+   t.outcome as outcome, t.method as method, t.reason as reason, t.address as address,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
+   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
        )
-   and ((((t.id > $::bigint))));
+       and ((((t.id > $::bigint))))
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.3, but
    )
-   and ((((t.id > $::bigint))));
+   and ((((t.id > $::bigint))))
+   and (t.id > $::bigint);
