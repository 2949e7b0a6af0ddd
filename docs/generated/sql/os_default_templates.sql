-- list, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 4 statements
-- list.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- list.2
select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from os_default_templates t where (t.operatingsystem_id = $) order by t.id asc, t.id limit $) t
order by t.id asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from os_default_templates t
where (t.operatingsystem_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 5 statements
-- search.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from os_default_templates t where (t.operatingsystem_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from os_default_templates t
+     where (t.operatingsystem_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
  from os_default_templates t
- where (t.operatingsystem_id = $);
+ where (t.operatingsystem_id = $) and (t.id > $::bigint);

-- create, as an administrator
-- POST /api/operatingsystems/:operatingsystem_id/os_default_templates: 7 statements
-- create.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- create.2
select 0 as place, t.id
from templates t
where t.id = any ((select $::bigint[])::bigint[]) and true
union all
select 1 as place, t.id
from template_kinds t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.3
select coalesce(template_kind_id = $::bigint, false) as matches
from templates
where id = $::bigint
for share;
-- create.4
insert into os_default_templates as t (provisioning_template_id, template_kind_id, operatingsystem_id)
values ($::bigint, $::bigint, $::bigint)
returning t.*;
-- create.5
select t.*
from os_default_templates t
where t.id = $;
-- create.6
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
            from template_organizations l
            where
              l.template_id = (
                select t.provisioning_template_id
                from os_default_templates t
                where t.id = written.auditable_id
              )
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
            from template_locations l
            where
              l.template_id = (
                select t.provisioning_template_id
                from os_default_templates t
                where t.id = written.auditable_id
              )
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.7
select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from os_default_templates t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 2 statements
-- show.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- show.2 is create.7, but
  from os_default_templates t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.operatingsystem_id = $)

-- update, as an administrator
-- PUT /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 4 statements
-- update.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- update.2
select t.*
from os_default_templates t
where (t.id = $::bigint) and (t.operatingsystem_id = $)
order by t.id
limit 1
for no key update of t;
-- update.3 is create.3
-- update.4 is create.7

-- delete, as an administrator
-- DELETE /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 5 statements
-- delete.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.provisioning_template_id as provisioning_template_id, t.template_kind_id as template_kind_id,
  t.operatingsystem_id as operatingsystem_id, t.created_at as created_at, t.updated_at as updated_at
from os_default_templates t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is create.6
-- delete.5
delete from os_default_templates
where id = $;

-- list, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 4 statements
-- limited list.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited list.2
select
  t.id as id, t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from os_default_templates t
    where
      (
        (
          t.provisioning_template_id is null
          or t.provisioning_template_id in (
            select t.id
            from templates t
            where
              (
                exists (
                  select
                  from template_organizations l
                  where l.template_id = t.id and l.organization_id = any ($::bigint[])
                )
              )
              and (
                exists (
                  select
                  from template_locations l
                  where l.template_id = t.id and l.location_id = any ($::bigint[])
                )
              )
          )
        )
      )
      and (t.operatingsystem_id = $)
    order by t.id asc, t.id
    limit $
  ) t
order by t.id asc, t.id;
-- limited list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from os_default_templates t
where
  (
    (
      t.provisioning_template_id is null
      or t.provisioning_template_id in (
        select t.id
        from templates t
        where
          (
            exists (
              select
              from template_organizations l
              where l.template_id = t.id and l.organization_id = any ($::bigint[])
            )
          )
          and (
            exists (
              select
              from template_locations l
              where l.template_id = t.id and l.location_id = any ($::bigint[])
            )
          )
      )
    )
  )
  and (t.operatingsystem_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates: 5 statements
-- limited search.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited search.2 is limited list.2, but
        and (t.operatingsystem_id = $)
-     order by t.id asc, t.id
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by t.id asc, t.id;
+ order by t.id desc, t.id;
-- limited search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.4 is limited list.4
-- limited search.5 is limited list.4, but
    )
-   and (t.operatingsystem_id = $);
+   and (t.operatingsystem_id = $)
+   and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/operatingsystems/:operatingsystem_id/os_default_templates: 7 statements
-- limited create.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited create.2 is create.2, but
  from templates t
- where t.id = any ((select $::bigint[])::bigint[]) and true
+ where
+   t.id = any ((select $::bigint[])::bigint[])
+   and (
+     exists (
+       select
+       from template_organizations l
+       where l.template_id = t.id and l.organization_id = any ($::bigint[])
+     )
+   )
+   and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($::bigint[])))
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from os_default_templates t
+     where
+       t.id = $
+       and (
+         (
+           t.provisioning_template_id is null
+           or t.provisioning_template_id in (
+             select t.id
+             from templates t
+             where
+               (
+                 exists (
+                   select
+                   from template_organizations l
+                   where l.template_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from template_locations l
+                   where l.template_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+           )
+         )
+       )
+   ) as held;
-- limited create.7 is create.7

-- show, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 2 statements
-- limited show.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited show.2 is limited list.2, but
    t.provisioning_template_id as config_template_id,
-   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
  where
-       (
+   (t.id = $::bigint)
+   and (
    and (t.operatingsystem_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by t.id
+ limit 1;

-- update, as a limited user
-- PUT /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 5 statements
-- limited update.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited update.2 is limited list.4, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.*
  where
-   (
+   (t.id = $::bigint)
+   and (
    )
-   and (t.operatingsystem_id = $);
+   and (t.operatingsystem_id = $)
+ order by t.id
+ limit 1
+ for no key update of t;
-- limited update.3 is create.3
-- limited update.4 is limited list.4, but
  select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+   exists (
+     select
      where
-   (
+       t.id = $
+       and (
        )
-   and (t.operatingsystem_id = $);
+   ) as held;
-- limited update.5 is create.7

-- delete, as a limited user
-- DELETE /api/operatingsystems/:operatingsystem_id/os_default_templates/:id: 5 statements
-- limited delete.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited delete.2 is limited update.2
-- limited delete.3 is delete.3
-- limited delete.4 is create.6
-- limited delete.5 is delete.5
