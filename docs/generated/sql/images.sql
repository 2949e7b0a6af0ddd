-- list, as an administrator
-- GET /api/images: 2 statements
-- list.1
select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from images t
where true
order by t.name asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/images: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from images t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from images t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from images t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/images: 4 statements
-- create.1
select 0 as place, t.id
from architectures t
where t.id = any ((select $::bigint[])::bigint[]) and true
union all
select 1 as place, t.id
from operatingsystems t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.2
insert into images as t (name, uuid, username, architecture_id, operatingsystem_id)
values ($::text, $::text, $::text, $::bigint, $::bigint)
returning t.*;
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
            from compute_resource_organizations l
            where
              l.compute_resource_id = (select t.compute_resource_id from images t where t.id = written.auditable_id)
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
            from compute_resource_locations l
            where
              l.compute_resource_id = (select t.compute_resource_id from images t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.4
select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name
from images t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/images/:id: 1 statement
-- show.1 is create.4, but
  from images t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/images/:id: 4 statements
-- update.1
select t.*
from images t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
update images t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3 is create.3
-- update.4 is create.4

-- delete, as an administrator
-- DELETE /api/images/:id: 5 statements
-- delete.1 is update.1
-- delete.2
select
  t.id as id, t.name as name, t.uuid as uuid, t.username as username, t.architecture_id as architecture_id,
  t.operatingsystem_id as operatingsystem_id, t.compute_resource_id as compute_resource_id,
  t.created_at as created_at, t.updated_at as updated_at
from images t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.3
select t.name as called, true as shown
from hosts t
where t.image_id = $
order by 1
limit $;
-- delete.4 is create.3
-- delete.5
delete from images
where id = $;

-- list, as a limited user
-- GET /api/images: 3 statements
-- limited list.1
select
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from images t
    where
      ((((fold (t.name) like fold ($)))))
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
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from images t
where
  ((((fold (t.name) like fold ($)))))
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
  );

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/images: 4 statements
-- limited search.1 is limited list.1, but
        )
-     order by t.name asc, t.id
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.3, but
      )
-   );
+   )
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/images: 4 statements
-- limited create.1 is create.1
-- limited create.2 is create.2
-- limited create.3 is create.3, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from images t
+     where
+       t.id = $
+       and ((((fold (t.name) like fold ($)))))
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
+   ) as held;
-- limited create.4 is create.4

-- show, as a limited user
-- GET /api/images/:id: 1 statement
-- limited show.1 is limited list.1, but
    t.uuid as uuid, t.username as username, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
-   t.name as name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   t.name as name
  where
-       ((((fold (t.name) like fold ($)))))
+   (t.id = $::bigint or t.name = $::text)
+   and ((((fold (t.name) like fold ($)))))
    )
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as a limited user
-- PUT /api/images/:id: 4 statements
-- limited update.1 is limited list.3, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.*
  where
-   ((((fold (t.name) like fold ($)))))
+   (t.id = $::bigint or t.name = $::text)
+   and ((((fold (t.name) like fold ($)))))
      )
-   );
+   )
+ order by (t.name = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is limited create.3
-- limited update.4 is create.4

-- delete, as a limited user
-- DELETE /api/images/:id: 5 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is delete.3, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.4 is create.3
-- limited delete.5 is delete.5
