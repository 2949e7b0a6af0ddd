-- list, as an administrator
-- GET /api/architectures: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from architectures t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/architectures: 3 statements
-- search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from architectures t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from architectures t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/architectures: 3 statements
-- create.1
insert into architectures as t (name)
values ($::text)
returning
  t.*,
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems;
-- create.2 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.architecture_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where t.id in (x.architecture_id)
    ),
    '[]'
  ) as images
from architectures t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/architectures/:id: 1 statement
-- show.1 is create.3, but
  from architectures t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/architectures/:id: 5 statements
-- update.1
select t.id
from architectures t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(
    select l.operatingsystem_id
    from architecture_operatingsystems l
    where l.architecture_id = t.id
    order by 1
  ) as operatingsystems
from architectures t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- update.3
update architectures t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.5 is create.3

-- delete, as an administrator
-- DELETE /api/architectures/:id: 7 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from architectures t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.title as called, true as shown
from hostgroups t
where t.architecture_id = $
order by 1
limit $;
-- delete.5
select t.name as called, true as shown
from hosts t
where t.architecture_id = $
order by 1
limit $;
-- delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.7
delete from architectures
where id = $;

-- list, as a limited user
-- GET /api/architectures: 3 statements
-- limited list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (select t.* from architectures t where ((((fold (t.name) like fold ($))))) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from architectures t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/architectures: 4 statements
-- limited search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from architectures t
    where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.3, but
  from architectures t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/architectures: 3 statements
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
select exists (select from architectures t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.3 is create.3, but
  select
+   shown.*,
+   array(
+     select t.id
+     from images t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.images) entry))
+       and (
+         (
+           t.compute_resource_id is null
+           or t.compute_resource_id in (
+             select t.id
+             from compute_resources t
+             where
+               (
+                 exists (
+                   select
+                   from compute_resource_organizations l
+                   where l.compute_resource_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from compute_resource_locations l
+                   where l.compute_resource_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+           )
+         )
+       )
+   ) as _reachable_0
+ from
+   (
+     select
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/architectures/:id: 1 statement
-- limited show.1
select
  shown.*,
  array(
    select t.id
    from images t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.images) entry))
      and (
        (
          t.compute_resource_id is null
          or t.compute_resource_id in (
            select t.id
            from compute_resources t
            where
              (
                exists (
                  select
                  from compute_resource_organizations l
                  where l.compute_resource_id = t.id and l.organization_id = any ($::bigint[])
                )
              )
              and (
                exists (
                  select
                  from compute_resource_locations l
                  where l.compute_resource_id = t.id and l.location_id = any ($::bigint[])
                )
              )
          )
        )
      )
  ) as _reachable_0
from
  (
    select
      t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
      coalesce(
        (
          select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
          from architecture_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
          where l.architecture_id = t.id
        ),
        '[]'
      ) as operatingsystems,
      coalesce(
        (
          select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
          from images x
          where t.id in (x.architecture_id)
        ),
        '[]'
      ) as images
    from architectures t
    where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
    order by (t.name = $::text) desc
    limit 1
  ) shown;

-- update, as a limited user
-- PUT /api/architectures/:id: 5 statements
-- limited update.1 is update.1, but
  from architectures t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.2
-- limited update.5 is limited create.3

-- delete, as a limited user
-- DELETE /api/architectures/:id: 7 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4
select
  t.title as called,
  (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($::bigint[]))
  ) as shown
from hostgroups t
where t.architecture_id = $
order by 1
limit $;
-- limited delete.5 is delete.5, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.7 is delete.7
