-- list, as an administrator
-- GET /content/api/content_credentials: 3 statements
-- list.1
select
  t.id as id, t.name as name, t.content_type as content_type, t.content as content,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at, null as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from content_credentials t
    where (t.organization_id = any ($::bigint[]))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from content_credentials t
where (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/content_credentials: 4 statements
-- search.1 is list.1, but
      from content_credentials t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
+     where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
  from content_credentials t
- where (t.organization_id = any ($::bigint[]));
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /content/api/content_credentials: 5 statements
-- create.1 is shared 59b85d: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- create.2
insert into content_credentials as t (name, content_type, content, organization_id)
values ($::text, $::text, $::text, $::bigint)
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
            select x.organization_id as id
            from content_credentials x
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select
  exists (select from content_credentials t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- create.4
select
  t.id as id, t.name as name, t.content_type as content_type, t.content as content,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at, null as permissions
from content_credentials t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.5
select
  t.id as _id, (t.organization_id = any ($::bigint[])) as view_content_credentials,
  (t.organization_id = any ($::bigint[])) as edit_content_credentials,
  (t.organization_id = any ($::bigint[])) as destroy_content_credentials
from content_credentials t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as an administrator
-- GET /content/api/content_credentials/:id: 2 statements
-- show.1 is create.4, but
  from content_credentials t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
-- show.2 is create.5

-- update, as an administrator
-- PUT /content/api/content_credentials/:id: 5 statements
-- update.1
select t.*
from content_credentials t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1
for no key update of t;
-- update.2
update content_credentials t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3 is create.3
-- update.4 is create.4
-- update.5 is create.5

-- delete, as an administrator
-- DELETE /content/api/content_credentials/:id: 4 statements
-- delete.1 is update.1
-- delete.2 is create.4, but
    ) as organization,
-   t.created_at as created_at, t.updated_at as updated_at, null as permissions
+   t.created_at as created_at, t.updated_at as updated_at
-- delete.3 is create.3, but
    )
- select
-   exists (select from content_credentials t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select true as held;
-- delete.4
delete from content_credentials
where id = $;

-- list, as a limited user
-- GET /content/api/content_credentials: 3 statements
-- limited list.1 is list.1, but
      from content_credentials t
-     where (t.organization_id = any ($::bigint[]))
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is list.3, but
  from content_credentials t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/content_credentials: 4 statements
-- limited search.1 is list.1, but
      from content_credentials t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is list.3, but
  from content_credentials t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /content/api/content_credentials: 5 statements
-- limited create.1 is shared a634ae: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- limited create.2 is create.2
-- limited create.3 is create.3, but
  select
-   exists (select from content_credentials t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+   exists (
+     select
+     from content_credentials t
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+   ) as held;
-- limited create.4 is create.4
-- limited create.5
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as view_content_credentials,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as edit_content_credentials,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as destroy_content_credentials
from content_credentials t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as a limited user
-- GET /content/api/content_credentials/:id: 2 statements
-- limited show.1 is create.4, but
  from content_credentials t
- where (t.id = $::bigint) and true
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited show.2 is limited create.5

-- update, as a limited user
-- PUT /content/api/content_credentials/:id: 5 statements
-- limited update.1 is update.1, but
  from content_credentials t
- where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is limited create.3
-- limited update.4 is create.4
-- limited update.5 is limited create.5

-- delete, as a limited user
-- DELETE /content/api/content_credentials/:id: 4 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
