-- list, as an administrator
-- GET /api/config_groups: 2 statements
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from config_group_configclasses l join configclasses x on x.id = l.configclass_id
      where l.config_group_id = t.id
    ),
    '[]'
  ) as configclasses,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from config_groups t
where true
order by t.name asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/config_groups: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from config_groups t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from config_groups t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from config_groups t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/config_groups: 3 statements
-- create.1
insert into config_groups as t (name)
values ($::text)
returning
  t.*,
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses;
-- create.2 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.3 is list.1, but
      '[]'
-   ) as configclasses,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   ) as configclasses
  from config_groups t
- where true
- order by t.name asc, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/config_groups/:id: 1 statement
-- show.1 is list.1, but
      '[]'
-   ) as configclasses,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   ) as configclasses
  from config_groups t
- where true
- order by t.name asc, t.id
- limit 20;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/config_groups/:id: 5 statements
-- update.1
select t.id
from config_groups t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(
    select l.configclass_id
    from config_group_configclasses l
    where l.config_group_id = t.id
    order by 1
  ) as configclasses
from config_groups t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- update.3
update config_groups t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.5 is create.3

-- delete, as an administrator
-- DELETE /api/config_groups/:id: 7 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from config_groups t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select host_id as id
from config_group_hosts
where config_group_id = $;
-- delete.5
select hostgroup_id as id
from config_group_hostgroups
where config_group_id = $;
-- delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.7
delete from config_groups
where id = $;

-- list, as a limited user
-- GET /api/config_groups: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from config_groups t
- where true
- order by t.name asc, t.id
- limit 20;
+ from
+   (select t.* from config_groups t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
+ order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from config_groups t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/config_groups: 4 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from config_groups t
- where true
- order by t.name asc, t.id
- limit 20;
+     where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.3, but
  from config_groups t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/config_groups: 3 statements
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
select exists (select from config_groups t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.3 is create.3

-- show, as a limited user
-- GET /api/config_groups/:id: 1 statement
-- limited show.1 is list.1, but
      '[]'
-   ) as configclasses,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   ) as configclasses
  from config_groups t
- where true
- order by t.name asc, t.id
- limit 20;
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as a limited user
-- PUT /api/config_groups/:id: 5 statements
-- limited update.1 is update.1, but
  from config_groups t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.2
-- limited update.5 is create.3

-- delete, as a limited user
-- DELETE /api/config_groups/:id: 7 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5
-- limited delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.7 is delete.7
