-- list, as an administrator
-- GET /api/bookmarks: 3 statements
-- list.1
select
  t.name as name, t.controller as controller, t.query as query, t.public as public, t.id as id,
  t.owner_id as owner_id, 'User' as owner_type, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from bookmarks t where (true) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from bookmarks t
where (true);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/bookmarks: 4 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from bookmarks t where (true) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (select t.* from bookmarks t where (true) and (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
  from bookmarks t
- where (true);
+ where (true) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/bookmarks: 4 statements
-- create.1
insert into bookmarks as t (name, controller, query, owner_id)
values ($::text, $::text, $::text, $::bigint)
returning t.*;
-- create.2
select t.*
from bookmarks t
where t.id = $;
-- create.3
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
select exists (select from bookmarks t where t.id = $ and (true)) as held;
-- create.4
select
  t.name as name, t.controller as controller, t.query as query, t.public as public, t.id as id,
  t.owner_id as owner_id, 'User' as owner_type, t.created_at as created_at, t.updated_at as updated_at
from bookmarks t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/bookmarks/:id: 1 statement
-- show.1 is create.4, but
  from bookmarks t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (true)

-- update, as an administrator
-- PUT /api/bookmarks/:id: 4 statements
-- update.1
select t.*
from bookmarks t
where (t.id = $::bigint) and (true)
order by t.id
limit 1
for no key update of t;
-- update.2
update bookmarks t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3 is create.3
-- update.4 is create.4

-- delete, as an administrator
-- DELETE /api/bookmarks/:id: 4 statements
-- delete.1 is update.1
-- delete.2 is create.4, but
  select
-   t.name as name, t.controller as controller, t.query as query, t.public as public, t.id as id,
-   t.owner_id as owner_id, 'User' as owner_type, t.created_at as created_at, t.updated_at as updated_at
+   t.id as id, t.name as name, t.controller as controller, t.query as query, t.public as public,
+   t.owner_id as owner_id, t.created_at as created_at, t.updated_at as updated_at
-- delete.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.4
delete from bookmarks
where id = $;

-- list, as a limited user
-- GET /api/bookmarks: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from bookmarks t where (true) order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from bookmarks t
+     where ((t.public or t.owner_id = $)) and ((((fold (t.name) like fold ($)))))
+     order by t.name asc, t.id
+     limit $
+   ) t
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is list.3, but
  from bookmarks t
- where (true);
+ where ((t.public or t.owner_id = $)) and ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/bookmarks: 4 statements
-- limited search.1
select
  t.name as name, t.controller as controller, t.query as query, t.public as public, t.id as id,
  t.owner_id as owner_id, 'User' as owner_type, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from bookmarks t
    where
      ((t.public or t.owner_id = $))
      and ((((fold (t.name) like fold ($)))))
      and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is list.3, but
  from bookmarks t
- where (true);
+ where ((t.public or t.owner_id = $)) and ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/bookmarks: 4 statements
-- limited create.1 is create.1
-- limited create.2 is create.2
-- limited create.3 is create.3, but
    )
- select exists (select from bookmarks t where t.id = $ and (true)) as held;
+ select
+   exists (
+     select
+     from bookmarks t
+     where t.id = $ and ((t.public or t.owner_id = $)) and ((((fold (t.name) like fold ($)))))
+   ) as held;
-- limited create.4 is create.4

-- show, as a limited user
-- GET /api/bookmarks/:id: 1 statement
-- limited show.1 is create.4, but
  from bookmarks t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and ((t.public or t.owner_id = $)) and ((((fold (t.name) like fold ($)))))

-- update, as a limited user
-- PUT /api/bookmarks/:id: 4 statements
-- limited update.1 is update.1, but
  from bookmarks t
- where (t.id = $::bigint) and (true)
+ where (t.id = $::bigint) and ((t.public or t.owner_id = $)) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is limited create.3
-- limited update.4 is create.4

-- delete, as a limited user
-- DELETE /api/bookmarks/:id: 4 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.4 is delete.4
