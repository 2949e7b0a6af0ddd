-- list, as an administrator
-- GET /content/api/content_view_filters: 3 statements
-- list.1
select
  t.id as id, t.name as name, t.description as description, t.type as type, t.inclusion as inclusion,
  t.original_packages as original_packages, t.original_module_streams as original_module_streams,
  t.content_view_id as content_view_id,
  (
    select json_build_object('id', x.id, 'name', x.name, 'label', x.label)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'label', x.label, 'content_type', x.content_type)
          order by x.name, x.id
        )
      from content_view_filter_repositories l join repositories x on x.id = l.repository_id
      where l.content_view_filter_id = t.id
    ),
    '[]'
  ) as repositories,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object(
              'id', r.id, 'content_view_filter_id', r.content_view_filter_id, 'name', r.name, 'uuid', r.uuid,
              'version', r.version, 'min_version', r.min_version, 'max_version', r.max_version, 'architecture',
              r.architecture, 'errata_id', r.errata_id, 'start_date', r.start_date, 'end_date', r.end_date, 'types',
              r.types, 'date_type', r.date_type, 'created_at',
              to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
              to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
            ) as item,
            r.id as place
          from content_view_filter_rules r
          where r.content_view_filter_id = t.id
        ) of_rows
    ),
    '[]'
  ) as rules,
  t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from content_view_filters t
    where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from content_view_filters t
where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))));

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/content_view_filters: 4 statements
-- search.1 is list.1, but
      from content_view_filters t
-     where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-     order by t.name asc, t.id
+     where
+       (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
  from content_view_filters t
- where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))));
+ where
+   (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
+   and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /content/api/content_view_filters: 7 statements
-- create.1
select 0 as place, t.id
from content_views t
where t.id = any ((select $::bigint[])::bigint[]) and (t.organization_id = any ($::bigint[]));
-- create.2
select id, organization_id as organization, composite, "default"
from content_views
where id = $
for key share;
-- create.3
select repository_id as id
from content_view_repositories
where content_view_id = $ and repository_id = any ($::bigint[]);
-- create.4
insert into content_view_filters as t (content_view_id, name, type)
values ($::bigint, $::text, $::text)
returning
  t.*,
  array(
    select l.repository_id
    from content_view_filter_repositories l
    where l.content_view_filter_id = t.id
    order by 1
  ) as repositories;
-- create.5
select
  t.*,
  array(
    select l.repository_id
    from content_view_filter_repositories l
    where l.content_view_filter_id = t.id
    order by 1
  ) as repositories
from content_view_filters t
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
            select x.organization_id as id
            from content_views x
            where
              x.id = (select t.content_view_id from content_view_filters t where t.id = written.auditable_id)
              and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select
  exists (
    select
    from content_view_filters t
    where
      t.id = $
      and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
  ) as held;
-- create.7 is list.1, but
    ) as rules,
-   t.created_at as created_at, t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   t.created_at as created_at, t.updated_at as updated_at
  from content_view_filters t
-     where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /content/api/content_view_filters/:id: 1 statement
-- show.1 is list.1, but
    ) as rules,
-   t.created_at as created_at, t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   t.created_at as created_at, t.updated_at as updated_at
  from content_view_filters t
-     where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /content/api/content_view_filters/:id: 5 statements
-- update.1
select t.id
from content_view_filters t
where
  (t.id = $::bigint or t.name = $::text)
  and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.5, but
  from content_view_filters t
- where t.id = $;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;
-- update.3
update content_view_filters t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.6
-- update.5 is create.7

-- delete, as an administrator
-- DELETE /content/api/content_view_filters/:id: 5 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.content_view_id as content_view_id, t.name as name, t.type as type, t.description as description,
  t.inclusion as inclusion, t.original_packages as original_packages,
  t.original_module_streams as original_module_streams, t.created_at as created_at, t.updated_at as updated_at
from content_view_filters t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is create.6, but
    )
- select
-   exists (
-     select
-     from content_view_filters t
-     where
-       t.id = $
-       and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-   ) as held;
+ select true as held;
-- delete.5
delete from content_view_filters
where id = $;

-- list, as a limited user
-- GET /content/api/content_view_filters: what list runs

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/content_view_filters: what search runs

-- create, as a limited user
-- POST /content/api/content_view_filters: 7 statements
-- limited create.1 is create.1
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6
-- limited create.7 is list.1, but
  select
+   shown.*,
+   array(
+     select t.id
+     from repositories t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.repositories) entry))
+       and (
+         (
+           t.product_id is null
+           or t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))
+         )
+       )
+   ) as _reachable_0
+ from
+   (
+     select
                    'version', r.version, 'min_version', r.min_version, 'max_version', r.max_version, 'architecture',
-               r.architecture, 'errata_id', r.errata_id, 'start_date', r.start_date, 'end_date', r.end_date, 'types',
-               r.types, 'date_type', r.date_type, 'created_at',
+                   r.architecture, 'errata_id', r.errata_id, 'start_date', r.start_date, 'end_date', r.end_date,
+                   'types', r.types, 'date_type', r.date_type, 'created_at',
        ) as rules,
-   t.created_at as created_at, t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+       t.created_at as created_at, t.updated_at as updated_at
      from content_view_filters t
-     where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+     where (t.id = $::bigint) and true
+     order by t.id
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /content/api/content_view_filters/:id: 1 statement
-- limited show.1 is list.1, but
  select
+   shown.*,
+   array(
+     select t.id
+     from repositories t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.repositories) entry))
+       and (
+         (
+           t.product_id is null
+           or t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))
+         )
+       )
+   ) as _reachable_0
+ from
+   (
+     select
                    'version', r.version, 'min_version', r.min_version, 'max_version', r.max_version, 'architecture',
-               r.architecture, 'errata_id', r.errata_id, 'start_date', r.start_date, 'end_date', r.end_date, 'types',
-               r.types, 'date_type', r.date_type, 'created_at',
+                   r.architecture, 'errata_id', r.errata_id, 'start_date', r.start_date, 'end_date', r.end_date,
+                   'types', r.types, 'date_type', r.date_type, 'created_at',
        ) as rules,
-   t.created_at as created_at, t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+       t.created_at as created_at, t.updated_at as updated_at
      from content_view_filters t
-     where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+     where
+       (t.id = $::bigint or t.name = $::text)
+       and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
+     order by (t.name = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /content/api/content_view_filters/:id: 5 statements
-- limited update.1 is update.1
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is create.6
-- limited update.5 is limited create.7

-- delete, as a limited user
-- DELETE /content/api/content_view_filters/:id: what delete runs
