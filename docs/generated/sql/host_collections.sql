-- list, as an administrator
-- GET /content/api/host_collections: 3 statements
-- list.1
select
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from host_collections t
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
from host_collections t
where (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/host_collections: 4 statements
-- search.1 is list.1, but
      from host_collections t
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
  from host_collections t
- where (t.organization_id = any ($::bigint[]));
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /content/api/host_collections: 6 statements
-- create.1 is shared 59b85d: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- create.2
insert into host_collections as t (name, organization_id)
values ($::text, $::bigint)
returning
  t.*,
  array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts;
-- create.3
select
  t.*,
  array(select l.host_id from host_collection_hosts l where l.host_collection_id = t.id order by 1) as hosts
from host_collections t
where t.id = $;
-- create.4
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
            from host_collections x
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select exists (select from host_collections t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- create.5
select
  coalesce(
    (select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = t.id),
    '[]'
  ) as host_ids,
  t.name as name, t.organization_id as organization_id, t.max_hosts as max_hosts, t.description as description,
  t.total_hosts as total_hosts, t.unlimited_hosts as unlimited_hosts, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, json_build_object('deletable', false, 'editable', false) as permissions
from host_collections t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.6
select
  t.id as _id, (t.organization_id = any ($::bigint[])) as deletable,
  (t.organization_id = any ($::bigint[])) as editable
from host_collections t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as an administrator
-- GET /content/api/host_collections/:id: 2 statements
-- show.1 is create.5, but
  from host_collections t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
-- show.2 is create.6

-- update, as an administrator
-- PUT /content/api/host_collections/:id: 6 statements
-- update.1
select t.id
from host_collections t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1
for no key update of t;
-- update.2 is create.3, but
  from host_collections t
- where t.id = $;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- update.3
update host_collections t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.4
-- update.5 is create.5
-- update.6 is create.6

-- delete, as an administrator
-- DELETE /content/api/host_collections/:id: 5 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3 is create.5
-- delete.4 is create.4, but
    )
- select exists (select from host_collections t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select true as held;
-- delete.5
delete from host_collections
where id = $;

-- list, as a limited user
-- GET /content/api/host_collections: 3 statements
-- limited list.1 is list.1, but
      from host_collections t
-     where (t.organization_id = any ($::bigint[]))
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is list.3, but
  from host_collections t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/host_collections: 4 statements
-- limited search.1 is list.1, but
      from host_collections t
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
  from host_collections t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /content/api/host_collections: 6 statements
-- limited create.1 is shared a634ae: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4, but
    )
- select exists (select from host_collections t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select
+   exists (
+     select
+     from host_collections t
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+   ) as held;
-- limited create.5 is create.5
-- limited create.6
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as deletable,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as editable
from host_collections t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as a limited user
-- GET /content/api/host_collections/:id: 2 statements
-- limited show.1 is create.5, but
  from host_collections t
- where (t.id = $::bigint) and true
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited show.2 is limited create.6

-- update, as a limited user
-- PUT /content/api/host_collections/:id: 6 statements
-- limited update.1 is update.1, but
  from host_collections t
- where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.4
-- limited update.5 is create.5
-- limited update.6 is limited create.6

-- delete, as a limited user
-- DELETE /content/api/host_collections/:id: 5 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is create.5
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5
