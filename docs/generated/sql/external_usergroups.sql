-- list, as an administrator
-- GET /api/usergroups/:usergroup_id/external_usergroups: 4 statements
-- list.1
select t.id as id
from usergroups t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- list.2
select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from external_usergroups t where (t.usergroup_id = $) order by t.id asc, t.id limit $) t
order by t.id asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from external_usergroups t
where (t.usergroup_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/usergroups/:usergroup_id/external_usergroups: 5 statements
-- search.1 is list.1
-- search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from external_usergroups t where (t.usergroup_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from external_usergroups t
+     where (t.usergroup_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
  from external_usergroups t
- where (t.usergroup_id = $);
+ where (t.usergroup_id = $) and (t.id > $::bigint);

-- create, as an administrator
-- POST /api/usergroups/:usergroup_id/external_usergroups: 7 statements
-- create.1 is list.1
-- create.2
select 0 as place, t.id
from auth_sources t
where t.id = any ((select $::bigint[])::bigint[]) and ((t.type <> 'AuthSourceHidden'))
union all
select 1 as place, t.id
from usergroups t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.3
select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($::bigint[])
order by id;
-- create.4
insert into external_usergroups as t (name, auth_source_id, usergroup_id)
values ($::text, $::bigint, $::bigint)
returning t.*;
-- create.5
select t.*
from external_usergroups t
where t.id = $;
-- create.6 is create.3
-- create.7
select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/usergroups/:usergroup_id/external_usergroups/:id: 2 statements
-- show.1 is list.1
-- show.2 is create.7, but
  from external_usergroups t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.usergroup_id = $)

-- update, as an administrator
-- PUT /api/usergroups/:usergroup_id/external_usergroups/:id: 8 statements
-- update.1 is list.1
-- update.2
select t.id as id
from external_usergroups t
where (t.id = $::bigint) and (t.usergroup_id = $)
order by t.id
limit 1;
-- update.3
select t.*
from external_usergroups t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- update.4 is create.3
-- update.5 is update.3
-- update.6
update external_usergroups t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.7 is create.3
-- update.8 is create.7

-- delete, as an administrator
-- DELETE /api/usergroups/:usergroup_id/external_usergroups/:id: 5 statements
-- delete.1 is list.1
-- delete.2 is update.3, but
  from external_usergroups t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.usergroup_id = $)
-- delete.3
select t.id as id, t.name as name, t.auth_source_id as auth_source_id, t.usergroup_id as usergroup_id
from external_usergroups t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
delete from external_usergroups
where id = $;
-- delete.5 is create.3

-- list, as a limited user
-- GET /api/usergroups/:usergroup_id/external_usergroups: 4 statements
-- limited list.1 is list.1
-- limited list.2
select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from external_usergroups t
    where
      ((((t.id > $::bigint))))
      and (
        (
          t.auth_source_id is null
          or t.auth_source_id in (
            select t.id
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
          )
        )
      )
      and (t.usergroup_id = $)
    order by t.id asc, t.id
    limit $
  ) t
order by t.id asc, t.id;
-- limited list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.4 is limited list.2, but
  select
-   t.id as id, t.name as name,
-   (
-     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
-     from auth_sources x
-     where x.id = t.auth_source_id
-   ) as auth_source,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    )
-       and (t.usergroup_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   and (t.usergroup_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/usergroups/:usergroup_id/external_usergroups: 5 statements
-- limited search.1 is list.1
-- limited search.2 is limited list.2, but
        and (t.usergroup_id = $)
-     order by t.id asc, t.id
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by t.id asc, t.id;
+ order by t.id desc, t.id;
-- limited search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.4 is limited list.4
-- limited search.5 is limited list.2, but
  select
-   t.id as id, t.name as name,
-   (
-     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
-     from auth_sources x
-     where x.id = t.auth_source_id
-   ) as auth_source,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    and (t.usergroup_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/usergroups/:usergroup_id/external_usergroups: 9 statements
-- limited create.1 is list.1
-- limited create.2
select 0 as place, t.id
from auth_sources t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (
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
union all
select 1 as place, t.id
from usergroups t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- limited create.3 is create.3
-- limited create.4 is shared 318c42: select from usergroups where admin and id in ( with recursive around (id) as ( select $::b…
-- limited create.5 is create.4
-- limited create.6 is create.5
-- limited create.7 is limited list.2, but
  select
-   t.id as id, t.name as name,
-   (
-     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
-     from auth_sources x
-     where x.id = t.auth_source_id
-   ) as auth_source,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   exists (
+     select
      where
-       ((((t.id > $::bigint))))
+       t.id = $
+       and ((((t.id > $::bigint))))
        )
-       and (t.usergroup_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   ) as held;
-- limited create.8 is create.3
-- limited create.9 is create.7

-- show, as a limited user
-- GET /api/usergroups/:usergroup_id/external_usergroups/:id: 2 statements
-- limited show.1 is list.1
-- limited show.2 is limited list.2, but
      where x.id = t.auth_source_id
-   ) as auth_source,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   ) as auth_source
  where
-       ((((t.id > $::bigint))))
+   (t.id = $::bigint)
+   and ((((t.id > $::bigint))))
    and (t.usergroup_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by t.id
+ limit 1;

-- update, as a limited user
-- PUT /api/usergroups/:usergroup_id/external_usergroups/:id: 11 statements
-- limited update.1 is list.1
-- limited update.2 is limited list.2, but
- select
-   t.id as id, t.name as name,
-   (
-     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
-     from auth_sources x
-     where x.id = t.auth_source_id
-   ) as auth_source,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+ select t.id as id
  where
-       ((((t.id > $::bigint))))
+   (t.id = $::bigint)
+   and ((((t.id > $::bigint))))
    and (t.usergroup_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by t.id
+ limit 1;
-- limited update.3 is update.3
-- limited update.4 is create.3
-- limited update.5 is update.3
-- limited update.6 is shared 318c42: select from usergroups where admin and id in ( with recursive around (id) as ( select $::b…
-- limited update.7 is shared 318c42: select from usergroups where admin and id in ( with recursive around (id) as ( select $::b…
-- limited update.8 is update.6
-- limited update.9 is limited create.7
-- limited update.10 is create.3
-- limited update.11 is create.7

-- delete, as a limited user
-- DELETE /api/usergroups/:usergroup_id/external_usergroups/:id: 6 statements
-- limited delete.1 is list.1
-- limited delete.2 is limited list.2, but
- select
-   t.id as id, t.name as name,
-   (
-     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
-     from auth_sources x
-     where x.id = t.auth_source_id
-   ) as auth_source,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
  where
-       ((((t.id > $::bigint))))
+   (t.id = $::bigint)
+   and ((((t.id > $::bigint))))
    and (t.usergroup_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by t.id
+ limit 1
+ for no key update of t;
-- limited delete.3 is delete.3
-- limited delete.4 is shared 318c42: select from usergroups where admin and id in ( with recursive around (id) as ( select $::b…
-- limited delete.5 is delete.4
-- limited delete.6 is create.3
