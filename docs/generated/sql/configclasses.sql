-- list, as an administrator
-- GET /api/configclasses: 1 statement
-- list.1
select
  t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from configclasses t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/configclasses: 1 statement
-- search.1
select
  t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from configclasses t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/configclasses: 3 statements
-- create.1
insert into configclasses as t (name)
values ($::text)
returning
  t.*,
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(
    select l.hostgroup_id
    from hostgroup_configclasses l
    where l.configclass_id = t.id
    order by 1
  ) as hostgroups;
-- create.2 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  split_part(t.name, '::', 1) as module_name,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from configclass_environments l join environments x on x.id = l.environment_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from hostgroup_configclasses l join hostgroups x on x.id = l.hostgroup_id
      where l.configclass_id = t.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select json_agg(json_build_object('parameter', x.parameter, 'id', x.id) order by x.parameter, x.id)
      from smart_class_parameters x
      where t.id in (x.configclass_id)
    ),
    '[]'
  ) as smart_class_parameters
from configclasses t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/configclasses/:id: 1 statement
-- show.1 is create.3, but
  from configclasses t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/configclasses/:id: 5 statements
-- update.1
select t.id
from configclasses t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(
    select l.environment_id
    from configclass_environments l
    where l.configclass_id = t.id
    order by 1
  ) as environments,
  array(select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id = t.id order by 1) as hostgroups
from configclasses t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- update.3
update configclasses t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.5 is create.3

-- delete, as an administrator
-- DELETE /api/configclasses/:id: 7 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from configclasses t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select host_id as id
from host_configclasses
where configclass_id = $;
-- delete.5
select hostgroup_id as id
from hostgroup_configclasses
where configclass_id = $;
-- delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.7
delete from configclasses
where id = $;

-- list, as a limited user
-- GET /api/configclasses: 1 statement
-- limited list.1
select
  t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (select t.* from configclasses t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/configclasses: 2 statements
-- limited search.1
select
  t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from configclasses t
    where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from configclasses t
where ((((fold (t.name) like fold ($)))));

-- create, as a limited user
-- POST /api/configclasses: 3 statements
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
select exists (select from configclasses t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.3 is create.3, but
  select
+   shown.*,
+   array(
+     select t.id
+     from environments t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.environments) entry))
+       and (
+         exists (
+           select
+           from environment_organizations l
+           where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from environment_locations l
+           where l.environment_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from hostgroups t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.hostgroups) entry))
+       and (
+         exists (
+           select
+           from hostgroup_organizations l
+           where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from hostgroup_locations l
+           where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/configclasses/:id: 1 statement
-- limited show.1 is create.3, but
  select
+   shown.*,
+   array(
+     select t.id
+     from environments t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.environments) entry))
+       and (
+         exists (
+           select
+           from environment_organizations l
+           where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from environment_locations l
+           where l.environment_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from hostgroups t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.hostgroups) entry))
+       and (
+         exists (
+           select
+           from hostgroup_organizations l
+           where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from hostgroup_locations l
+           where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
      from configclasses t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
+     order by (t.name = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/configclasses/:id: 5 statements
-- limited update.1 is update.1, but
  from configclasses t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.2
-- limited update.5 is limited create.3

-- delete, as a limited user
-- DELETE /api/configclasses/:id: 7 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5
-- limited delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.7 is delete.7
