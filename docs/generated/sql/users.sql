-- list, as an administrator
-- GET /api/users: 1 statement
-- list.1
select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.mail_enabled as mail_enabled,
  t.admin as admin, t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where t.id in (x.user_id)
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from users t
    where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
    order by t.firstname asc nulls last, t.id
    limit $
  ) t
order by t.firstname asc nulls last, t.id;

-- list with search=login ~ ex and order=id DESC, as an administrator
-- GET /api/users: 2 statements
-- search.1 is list.1, but
      from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-     order by t.firstname asc nulls last, t.id
+     where
+       (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (fold (t.login) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.firstname asc nulls last, t.id;
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from users t
where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'));

-- create, as an administrator
-- POST /api/users: 10 statements
-- create.1
select 0 as place, t.id
from auth_sources t
where t.id = any ((select $::bigint[])::bigint[]) and ((t.type <> 'AuthSourceHidden'))
union all
select 1 as place, t.id
from locations t
where t.id = any ((select $::bigint[])::bigint[]) and (true)
union all
select 2 as place, t.id
from organizations t
where t.id = any ((select $::bigint[])::bigint[]) and (true);
-- create.2 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- create.3
select
from usergroups
where fold (name) = fold ($::text);
-- create.4
insert into users as t (login, mail, auth_source_id, password)
values ($::text, $::text, $::bigint, $::text)
returning
  t.*,
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(
    select l.mail_notification_id
    from user_mail_notifications l
    where l.user_id = t.id
    order by 1
  ) as mail_notifications,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations;
-- create.5
with removed as (delete from user_locations where user_id = $ and not location_id = any ($::bigint[]))
insert into user_locations (user_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.6
with removed as (delete from user_organizations where user_id = $ and not organization_id = any ($::bigint[]))
insert into user_organizations (user_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.7 is create.4, but
- insert into users as t (login, mail, auth_source_id, password)
- values ($::text, $::text, $::bigint, $::text)
- returning
+ select
    array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
-   array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations;
+   array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
+ from users t
+ where t.id = $;
-- create.8 is create.7
-- create.9
with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version, comment,
        remote_address, request_uuid
      )
    select
      nullif($::bigint, 0), $::text, e.action, e.type, e.id, e.name, e.changes,
      (
        select coalesce(max(a.version), 0)
        from audits a
        where a.auditable_type = e.type and a.auditable_id = e.id
      ) + row_number() over (
      partition by e.type, e.id
      order by e.place
      ), e.comment, $::inet, $::text
    from rows
    from
      (jsonb_to_recordset($::jsonb) as (action text, type text, id bigint, name text, changes jsonb, comment text)) with ordinality as e (action, type, id, name, changes, comment, place)
    order by e.place
    returning id, auditable_id, auditable_type
  ),
  in_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select found.audit_id, p.id
    from
      (
        select written.id, places.id
        from
          written
          cross join lateral (
            select l.organization_id as id
            from user_organizations l
            where l.user_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  ),
  in_locations as (
    insert into audit_locations (audit_id, location_id)
    select found.audit_id, p.id
    from
      (
        select written.id, places.id
        from
          written
          cross join lateral (
            select l.location_id as id
            from user_locations l
            where l.user_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select
  exists (
    select
    from users t
    where
      t.id = $
      and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  ) as held;
-- create.10 is list.1, but
    ) as effective_admin,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
+   coalesce(
      (
-     select t.*
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'subscription_type', x.subscription_type)
+           order by x.name, x.id
+         )
+       from user_mail_notifications l join mail_notifications x on x.id = l.mail_notification_id
+       where l.user_id = t.id
+     ),
+     '[]'
+   ) as mail_notifications,
+   coalesce(
+     (
+       select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
+       from usergroups g
+       where
+         g.id in (
+           with recursive
+             member_of (id) as (
+               select usergroup_id
+               from usergroup_users
+               where user_id = t.id
+               union
+               select up.usergroup_id
+               from usergroup_usergroups up join member_of on up.member_id = member_of.id
+             )
+           select id
+           from member_of
+         )
+     ),
+     '[]'
+   ) as cached_usergroups,
+   (
+     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
+     from auth_sources x
+     where x.id = t.auth_source_id
+   ) as auth_source,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
+           order by x.name, x.id
+         )
+       from user_roles l join roles x on x.id = l.role_id
+       where l.user_id = t.id
+     ),
+     '[]'
+   ) as roles,
+   coalesce(
+     (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+       from usergroup_users l join usergroups x on x.id = l.usergroup_id
+       where l.user_id = t.id
+     ),
+     '[]'
+   ) as usergroups
  from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-     order by t.firstname asc nulls last, t.id
-     limit $
-   ) t
- order by t.firstname asc nulls last, t.id;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/users/:id: 1 statement
-- show.1 is list.1, but
    ) as effective_admin,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
+   coalesce(
      (
-     select t.*
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'subscription_type', x.subscription_type)
+           order by x.name, x.id
+         )
+       from user_mail_notifications l join mail_notifications x on x.id = l.mail_notification_id
+       where l.user_id = t.id
+     ),
+     '[]'
+   ) as mail_notifications,
+   coalesce(
+     (
+       select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
+       from usergroups g
+       where
+         g.id in (
+           with recursive
+             member_of (id) as (
+               select usergroup_id
+               from usergroup_users
+               where user_id = t.id
+               union
+               select up.usergroup_id
+               from usergroup_usergroups up join member_of on up.member_id = member_of.id
+             )
+           select id
+           from member_of
+         )
+     ),
+     '[]'
+   ) as cached_usergroups,
+   (
+     select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
+     from auth_sources x
+     where x.id = t.auth_source_id
+   ) as auth_source,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
+           order by x.name, x.id
+         )
+       from user_roles l join roles x on x.id = l.role_id
+       where l.user_id = t.id
+     ),
+     '[]'
+   ) as roles,
+   coalesce(
+     (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+       from usergroup_users l join usergroups x on x.id = l.usergroup_id
+       where l.user_id = t.id
+     ),
+     '[]'
+   ) as usergroups
  from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-     order by t.firstname asc nulls last, t.id
-     limit $
-   ) t
- order by t.firstname asc nulls last, t.id;
+ where
+   (t.id = $::bigint or t.login = $::text)
+   and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+ order by (t.login = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/users/:id: 5 statements
-- update.1
select t.id
from users t
where
  (t.id = $::bigint or t.login = $::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.4, but
- insert into users as t (login, mail, auth_source_id, password)
- values ($::text, $::text, $::bigint, $::text)
- returning
+ select
    array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
-   array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations;
+   array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
+ from users t
+ where (t.id = $::bigint or t.login = $::text) and true
+ order by (t.login = $::text) desc
+ limit 1;
-- update.3
update users t
set firstname = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.9
-- update.5 is create.10

-- delete, as an administrator
-- DELETE /api/users/:id: 9 statements
-- delete.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- delete.2 is update.1
-- delete.3 is update.2
-- delete.4
select
  t.id as id, t.login as login, t.firstname as firstname, t.lastname as lastname, t.mail as mail,
  t.mail_enabled as mail_enabled, t.description as description, t.admin as admin, t.disabled as disabled,
  t.auth_source_id as auth_source_id, t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on,
  t.default_location_id as default_location_id, t.default_organization_id as default_organization_id,
  t.created_at as created_at, t.updated_at as updated_at
from users t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.5
select t.name as called, true as shown
from hosts t
where t.owner_user_id = $
order by 1
limit $;
-- delete.6 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- delete.7 is create.9, but
    )
- select
-   exists (
-     select
-     from users t
-     where
-       t.id = $
-       and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-   ) as held;
+ select true as held;
-- delete.8
delete from users
where id = $;
-- delete.9 is shared c9481f: select from users u join auth_sources s on s.id = u.auth_source_id where not u.disabled an…

-- list, as a limited user
-- GET /api/users: 1 statement
-- limited list.1 is list.1, but
      from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+     where
+       (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from user_organizations l
+                 where l.user_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.login) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[]))
+       )
+       and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))

-- list with search=login ~ ex and order=id DESC, as a limited user
-- GET /api/users: 2 statements
-- limited search.1 is list.1, but
      from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-     order by t.firstname asc nulls last, t.id
+     where
+       (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from user_organizations l
+                 where l.user_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.login) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[]))
+       )
+       and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
+       and (fold (t.login) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.firstname asc nulls last, t.id;
+ order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
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
        and (fold (t.login) like fold ($))
      )
    )
  )
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])));

-- create, as a limited user
-- POST /api/users: 10 statements
-- limited create.1
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
from locations t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (
    (
      (t.id = any ($::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
union all
select 2 as place, t.id
from organizations t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (
    (
      (t.id = any ($::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  );
-- limited create.2 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6
-- limited create.7 is create.7
-- limited create.8 is create.7
-- limited create.9 is create.9, but
        and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from user_organizations l
+                 where l.user_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.login) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[]))
+       )
+       and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
-- limited create.10 is list.1, but
  select
+   shown.*,
+   array(
+     select t.id
+     from locations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.locations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_locations m
+               where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from organizations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.organizations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_organizations m
+               where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
            select
-         json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint)
+               order by x.name, x.id
+             )
        ) as effective_admin,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
+       coalesce(
          (
-     select t.*
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'subscription_type', x.subscription_type)
+               order by x.name, x.id
+             )
+           from user_mail_notifications l join mail_notifications x on x.id = l.mail_notification_id
+           where l.user_id = t.id
+         ),
+         '[]'
+       ) as mail_notifications,
+       coalesce(
+         (
+           select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
+           from usergroups g
+           where
+             g.id in (
+               with recursive
+                 member_of (id) as (
+                   select usergroup_id
+                   from usergroup_users
+                   where user_id = t.id
+                   union
+                   select up.usergroup_id
+                   from usergroup_usergroups up join member_of on up.member_id = member_of.id
+                 )
+               select id
+               from member_of
+             )
+         ),
+         '[]'
+       ) as cached_usergroups,
+       (
+         select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
+         from auth_sources x
+         where x.id = t.auth_source_id
+       ) as auth_source,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
+               order by x.name, x.id
+             )
+           from user_roles l join roles x on x.id = l.role_id
+           where l.user_id = t.id
+         ),
+         '[]'
+       ) as roles,
+       coalesce(
+         (
+           select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+           from usergroup_users l join usergroups x on x.id = l.usergroup_id
+           where l.user_id = t.id
+         ),
+         '[]'
+       ) as usergroups
      from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-     order by t.firstname asc nulls last, t.id
-     limit $
-   ) t
- order by t.firstname asc nulls last, t.id;
+     where (t.id = $::bigint) and true
+     order by t.id
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/users/:id: 1 statement
-- limited show.1 is list.1, but
  select
+   shown.*,
+   array(
+     select t.id
+     from locations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.locations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_locations m
+               where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from organizations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.organizations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_organizations m
+               where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
            select
-         json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint)
+               order by x.name, x.id
+             )
        ) as effective_admin,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
+       coalesce(
          (
-     select t.*
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'subscription_type', x.subscription_type)
+               order by x.name, x.id
+             )
+           from user_mail_notifications l join mail_notifications x on x.id = l.mail_notification_id
+           where l.user_id = t.id
+         ),
+         '[]'
+       ) as mail_notifications,
+       coalesce(
+         (
+           select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
+           from usergroups g
+           where
+             g.id in (
+               with recursive
+                 member_of (id) as (
+                   select usergroup_id
+                   from usergroup_users
+                   where user_id = t.id
+                   union
+                   select up.usergroup_id
+                   from usergroup_usergroups up join member_of on up.member_id = member_of.id
+                 )
+               select id
+               from member_of
+             )
+         ),
+         '[]'
+       ) as cached_usergroups,
+       (
+         select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
+         from auth_sources x
+         where x.id = t.auth_source_id
+       ) as auth_source,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
+               order by x.name, x.id
+             )
+           from user_roles l join roles x on x.id = l.role_id
+           where l.user_id = t.id
+         ),
+         '[]'
+       ) as roles,
+       coalesce(
+         (
+           select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+           from usergroup_users l join usergroups x on x.id = l.usergroup_id
+           where l.user_id = t.id
+         ),
+         '[]'
+       ) as usergroups
      from users t
-     where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-     order by t.firstname asc nulls last, t.id
-     limit $
-   ) t
- order by t.firstname asc nulls last, t.id;
+     where
+       (t.id = $::bigint or t.login = $::text)
+       and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         (
+           (
+             (
+               (
+                 (
+                   (
+                     exists (
+                       select
+                       from user_organizations l
+                       where l.user_id = t.id and l.organization_id = any ($::bigint[])
+                     )
+                   )
+                   and (fold (t.login) like fold ($))
+                 )
+               )
+             )
+             and (
+               exists (
+                 select
+                 from user_organizations l
+                 where l.user_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (
+               exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[]))
+             )
+           )
+           or (t.id = $)
+         )
+       )
+     order by (t.login = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/users/:id: 6 statements
-- limited update.1
select t.id
from users t
where
  (t.id = $::bigint or t.login = $::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          (
            (
              (
                exists (
                  select
                  from user_organizations l
                  where l.user_id = t.id and l.organization_id = any ($::bigint[])
                )
              )
              and (fold (t.login) like fold ($))
            )
          )
        )
        and (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
      )
      or (t.id = $)
    )
  )
order by (t.login = $::text) desc
limit 1
for no key update of t;
-- limited update.2 is update.2
-- limited update.3
select
from users t
where
  t.id = $
  and (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  );
-- limited update.4 is update.3
-- limited update.5 is create.9, but
        and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         (
+           (
+             (
+               (
+                 (
+                   (
+                     exists (
+                       select
+                       from user_organizations l
+                       where l.user_id = t.id and l.organization_id = any ($::bigint[])
+                     )
+                   )
+                   and (fold (t.login) like fold ($))
+                 )
+               )
+             )
+             and (
+               exists (
+                 select
+                 from user_organizations l
+                 where l.user_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (
+               exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[]))
+             )
+           )
+           or (t.id = $)
+         )
+       )
-- limited update.6 is limited create.10

-- delete, as a limited user
-- DELETE /api/users/:id: 10 statements
-- limited delete.1 is limited search.2, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.id as id
  where
-   (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+   (t.id = $::bigint or t.login = $::text)
+   and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
    and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[])))
-   and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
+ order by (t.login = $::text) desc
+ limit 1;
-- limited delete.2 is limited search.2, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.id
  where
-   (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+   (t.id = $::bigint or t.login = $::text)
+   and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
    and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[])))
-   and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
+ order by (t.login = $::text) desc
+ limit 1
+ for no key update of t;
-- limited delete.3 is update.2
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.6 is limited update.3
-- limited delete.7 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited delete.8 is delete.7
-- limited delete.9 is delete.8
-- limited delete.10 is shared c9481f: select from users u join auth_sources s on s.id = u.auth_source_id where not u.disabled an…
