-- list, as an administrator
-- GET /api/models: 2 statements
-- list.1
select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name, 0 as hosts_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from models t
where true
order by t.name asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/models: 3 statements
-- search.1
select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name, 0 as hosts_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from models t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from models t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/models: 4 statements
-- create.1
insert into models as t (name)
values ($::text)
returning t.*;
-- create.2 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.3
select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name, 0 as hosts_count
from models t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.4
select t.model_id, count(*) as hosts
from hosts t
where t.model_id = any ($::bigint[]) and true
group by t.model_id;

-- show, as an administrator
-- GET /api/models/:id: 2 statements
-- show.1 is create.3, but
  from models t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
-- show.2 is create.4

-- update, as an administrator
-- PUT /api/models/:id: 5 statements
-- update.1
select t.*
from models t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
update models t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.4 is create.3
-- update.5 is create.4

-- delete, as an administrator
-- DELETE /api/models/:id: 5 statements
-- delete.1 is update.1
-- delete.2 is create.3, but
  select
-   t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
-   t.hardware_model as hardware_model, t.id as id, t.name as name, 0 as hosts_count
+   t.id as id, t.name as name, t.info as info, t.vendor_class as vendor_class, t.hardware_model as hardware_model,
+   t.created_at as created_at, t.updated_at as updated_at
-- delete.3
select t.name as called, true as shown
from hosts t
where t.model_id = $
order by 1
limit $;
-- delete.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.5
delete from models
where id = $;

-- list, as a limited user
-- GET /api/models: 3 statements
-- limited list.1 is search.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from models t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
- order by t.id desc, t.id;
+ from (select t.* from models t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
+ order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from models t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/models: 4 statements
-- limited search.1
select
  t.info as info, t.created_at as created_at, t.updated_at as updated_at, t.vendor_class as vendor_class,
  t.hardware_model as hardware_model, t.id as id, t.name as name, 0 as hosts_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from models t
    where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.3, but
  from models t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/models: 4 statements
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
select exists (select from models t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.3 is create.3
-- limited create.4
select t.model_id, count(*) as hosts
from hosts t
where
  t.model_id = any ($::bigint[])
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[]))
group by t.model_id;

-- show, as a limited user
-- GET /api/models/:id: 2 statements
-- limited show.1 is create.3, but
  from models t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
+ order by (t.name = $::text) desc
-- limited show.2 is limited create.4

-- update, as a limited user
-- PUT /api/models/:id: 5 statements
-- limited update.1 is update.1, but
  from models t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is limited create.2
-- limited update.4 is create.3
-- limited update.5 is limited create.4

-- delete, as a limited user
-- DELETE /api/models/:id: 5 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is delete.3, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.5 is delete.5
