-- list, as an administrator
-- GET /api/usergroups: 1 statement
-- list.1
select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from usergroups t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/usergroups: 1 statement
-- search.1
select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from usergroups t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/usergroups: 6 statements
-- create.1 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- create.2
select
from users
where fold (login) = fold ($::text);
-- create.3
insert into usergroups as t (name)
values ($::text)
returning
  t.*,
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles;
-- create.4
select
  t.*,
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
where t.id = $;
-- create.5 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.6
select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where t.id in (x.usergroup_id)
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/usergroups/:id: 1 statement
-- show.1 is create.6, but
  from usergroups t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/usergroups/:id: 7 statements
-- update.1
select t.id
from usergroups t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.4, but
  from usergroups t
- where t.id = $;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;
-- update.3 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- update.4 is create.2
-- update.5
update usergroups t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.7 is create.6

-- delete, as an administrator
-- DELETE /api/usergroups/:id: 8 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select t.id as id, t.name as name, t.admin as admin, t.created_at as created_at, t.updated_at as updated_at
from usergroups t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.name as called, true as shown
from hosts t
where t.owner_usergroup_id = $
order by 1
limit $;
-- delete.5 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.7
delete from usergroups
where id = $;
-- delete.8 is shared c9481f: select from users u join auth_sources s on s.id = u.auth_source_id where not u.disabled an…

-- list, as a limited user
-- GET /api/usergroups: 1 statement
-- limited list.1
select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from usergroups t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/usergroups: 2 statements
-- limited search.1
select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from usergroups t
    where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from usergroups t
where ((((fold (t.name) like fold ($)))));

-- create, as a limited user
-- POST /api/usergroups: 6 statements
-- limited create.1 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5
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
  )
select exists (select from usergroups t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.6 is create.6, but
  select
+   shown.*,
+   array(
+     select t.id
+     from external_usergroups t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.external_usergroups) entry))
+       and (
+         (
+           t.auth_source_id is null
+           or t.auth_source_id in (
+             select t.id
+             from auth_sources t
+             where
+               (
+                 (t.type <> 'AuthSourceHidden')
+                 and (
+                   (
+                     (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
+                     or (
+                       (
+                         exists (
+                           select
+                           from auth_source_organizations l
+                           where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+                         )
+                       )
+                       and (
+                         exists (
+                           select
+                           from auth_source_locations l
+                           where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+                         )
+                       )
+                     )
+                   )
+                 )
+               )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from users t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.users) entry))
+       and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[]))
+       )
+       and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_1
+ from
+   (
+     select
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/usergroups/:id: 1 statement
-- limited show.1 is create.6, but
  select
+   shown.*,
+   array(
+     select t.id
+     from external_usergroups t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.external_usergroups) entry))
+       and (
+         (
+           t.auth_source_id is null
+           or t.auth_source_id in (
+             select t.id
+             from auth_sources t
+             where
+               (
+                 (t.type <> 'AuthSourceHidden')
+                 and (
+                   (
+                     (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
+                     or (
+                       (
+                         exists (
+                           select
+                           from auth_source_organizations l
+                           where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+                         )
+                       )
+                       and (
+                         exists (
+                           select
+                           from auth_source_locations l
+                           where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+                         )
+                       )
+                     )
+                   )
+                 )
+               )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from users t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.users) entry))
+       and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[]))
+       )
+       and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_1
+ from
+   (
+     select
      from usergroups t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
+     order by (t.name = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/usergroups/:id: 8 statements
-- limited update.1 is update.1, but
  from usergroups t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is shared 318c42: select from usergroups where admin and id in ( with recursive around (id) as ( select $::b…
-- limited update.4 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited update.5 is create.2
-- limited update.6 is update.5
-- limited update.7 is limited create.5
-- limited update.8 is limited create.6

-- delete, as a limited user
-- DELETE /api/usergroups/:id: 7 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.5 is shared 318c42: select from usergroups where admin and id in ( with recursive around (id) as ( select $::b…
-- limited delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.7 is delete.7
