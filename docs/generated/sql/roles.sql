-- list, as an administrator
-- GET /api/roles: 1 statement
-- list.1
select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from roles t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/roles: 3 statements
-- search.1
select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from roles t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from roles t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/roles: 3 statements
-- create.1
insert into roles as t (name)
values ($::text)
returning
  t.*,
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations;
-- create.2 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.3
select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  coalesce(
    (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where t.id in (x.role_id)),
    '[]'
  ) as filters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from role_locations l join locations x on x.id = l.location_id
      where l.role_id = t.id
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
      from role_organizations l join organizations x on x.id = l.organization_id
      where l.role_id = t.id
    ),
    '[]'
  ) as organizations
from roles t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/roles/:id: 1 statement
-- show.1 is create.3, but
  from roles t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/roles/:id: 5 statements
-- update.1
select t.id
from roles t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(select l.location_id from role_locations l where l.role_id = t.id order by 1) as locations,
  array(select l.organization_id from role_organizations l where l.role_id = t.id order by 1) as organizations
from roles t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- update.3
update roles t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.5 is create.3

-- delete, as an administrator
-- DELETE /api/roles/:id: 5 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.description as description, t.builtin as builtin,
  t.cloned_from_id as cloned_from_id, t.origin as origin, t.created_at as created_at, t.updated_at as updated_at
from roles t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.5
delete from roles
where id = $;

-- list, as a limited user
-- GET /api/roles: 3 statements
-- limited list.1 is search.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from roles t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
- order by t.id desc, t.id;
+ from (select t.* from roles t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
+ order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from roles t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/roles: 4 statements
-- limited search.1
select
  t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.description as description, t.origin as origin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from roles t
    where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.3, but
  from roles t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/roles: 3 statements
-- limited create.1 is create.1
-- limited create.2
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
select exists (select from roles t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.3 is create.3, but
  select
-   t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
-   t.name as name, t.id as id, t.description as description, t.origin as origin,
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
+       t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at,
+       t.updated_at as updated_at, t.name as name, t.id as id, t.description as description, t.origin as origin,
        coalesce(
-     (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where t.id in (x.role_id)),
+         (
+           select json_agg(json_build_object('id', x.id) order by x.id, x.id)
+           from filters x
+           where t.id in (x.role_id)
+         ),
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/roles/:id: 1 statement
-- limited show.1 is create.3, but
  select
-   t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at, t.updated_at as updated_at,
-   t.name as name, t.id as id, t.description as description, t.origin as origin,
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
+       t.builtin as builtin, t.cloned_from_id as cloned_from_id, t.created_at as created_at,
+       t.updated_at as updated_at, t.name as name, t.id as id, t.description as description, t.origin as origin,
        coalesce(
-     (select json_agg(json_build_object('id', x.id) order by x.id, x.id) from filters x where t.id in (x.role_id)),
+         (
+           select json_agg(json_build_object('id', x.id) order by x.id, x.id)
+           from filters x
+           where t.id in (x.role_id)
+         ),
      from roles t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
+     order by (t.name = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/roles/:id: 5 statements
-- limited update.1 is update.1, but
  from roles t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.2
-- limited update.5 is limited create.3

-- delete, as a limited user
-- DELETE /api/roles/:id: 5 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.5 is delete.5
