-- list, as an administrator
-- GET /api/settings: 1 statement
-- list.1
select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from settings t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ entries and order=id DESC, as an administrator
-- GET /api/settings: 1 statement
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from settings t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from settings t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;

-- show, as an administrator
-- GET /api/settings/:id: 1 statement
-- show.1
select
  t.description as description, t.category as category, t.settings_type as settings_type, t."default" as "default",
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.full_name as full_name,
  case
    when t.name = any ('{root_pass}'::text[])
    and t.value #>> '{}' <> '' then '"*****"'::jsonb
    else coalesce(t.value, t."default")
  end as value, t.category as category_name, false as readonly, null as config_file,
  t.name = any ('{root_pass}'::text[]) as encrypted, null as select_values
from settings t
where (t.name = $::text) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/settings/:id: 4 statements
-- update.1
select t.*
from settings t
where (t.name = $::text) and true
order by t.id
limit 1
for no key update of t;
-- update.2
update settings t
set value = $::jsonb, updated_at = now()
where id = $
returning t.*;
-- update.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.4 is show.1, but
  from settings t
- where (t.name = $::text) and true
+ where (t.id = $::bigint) and true

-- list, as a limited user
-- GET /api/settings: 1 statement
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from settings t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from settings t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
+ order by t.name asc, t.id;

-- list with search=name ~ entries and order=id DESC, as a limited user
-- GET /api/settings: 2 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from settings t
- where true
- order by t.name asc, t.id
- limit 20;
+     where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from settings t
where ((((fold (t.name) like fold ($)))));

-- show, as a limited user
-- GET /api/settings/:id: 1 statement
-- limited show.1 is show.1, but
  from settings t
- where (t.name = $::text) and true
+ where (t.name = $::text) and ((((fold (t.name) like fold ($)))))

-- update, as a limited user
-- PUT /api/settings/:id: 3 statements
-- limited update.1 is update.1, but
  from settings t
- where (t.name = $::text) and true
+ where (t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2
select exists (select from settings t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited update.3 is update.4
