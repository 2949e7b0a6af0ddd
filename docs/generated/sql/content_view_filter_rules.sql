-- list, as an administrator
-- GET /content/api/content_view_filters/:content_view_filter_id/rules: 4 statements
-- list.1
select t.id as id
from content_view_filters t
where
  (t.id = $::bigint or t.name = $::text)
  and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
order by (t.name = $::text) desc
limit 1;
-- list.2
select
  t.id as id, t.content_view_filter_id as content_view_filter_id, t.name as name, t.uuid as uuid,
  t.version as version, t.min_version as min_version, t.max_version as max_version, t.architecture as architecture,
  t.errata_id as errata_id, t.start_date as start_date, t.end_date as end_date, t.types as types,
  t.date_type as date_type, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from content_view_filter_rules t
    where
      (
        t.content_view_filter_id in (
          select t.id
          from content_view_filters t
          where
            (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
        )
      )
      and (t.content_view_filter_id = $)
    order by t.id asc, t.id
    limit $
  ) t
order by t.id asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from content_view_filter_rules t
where
  (
    t.content_view_filter_id in (
      select t.id
      from content_view_filters t
      where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
    )
  )
  and (t.content_view_filter_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /content/api/content_view_filters/:content_view_filter_id/rules: 5 statements
-- search.1 is list.1
-- search.2 is list.2, but
        and (t.content_view_filter_id = $)
-     order by t.id asc, t.id
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by t.id asc, t.id;
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
    )
-   and (t.content_view_filter_id = $);
+   and (t.content_view_filter_id = $)
+   and (t.id > $::bigint);

-- create, as an administrator
-- POST /content/api/content_view_filters/:content_view_filter_id/rules: 6 statements
-- create.1 is list.1
-- create.2
select type
from content_view_filters
where id = $
for key share;
-- create.3
insert into content_view_filter_rules as t (content_view_filter_id, name)
values ($::bigint, $::text)
returning t.*;
-- create.4
select t.*
from content_view_filter_rules t
where t.id = $;
-- create.5
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
select
  exists (
    select
    from content_view_filter_rules t
    where
      t.id = $
      and (
        t.content_view_filter_id in (
          select t.id
          from content_view_filters t
          where
            (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
        )
      )
  ) as held;
-- create.6
select
  t.id as id, t.content_view_filter_id as content_view_filter_id, t.name as name, t.uuid as uuid,
  t.version as version, t.min_version as min_version, t.max_version as max_version, t.architecture as architecture,
  t.errata_id as errata_id, t.start_date as start_date, t.end_date as end_date, t.types as types,
  t.date_type as date_type, t.created_at as created_at, t.updated_at as updated_at
from content_view_filter_rules t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /content/api/content_view_filters/:content_view_filter_id/rules/:id: 2 statements
-- show.1 is list.1
-- show.2
select
  t.id as id, t.content_view_filter_id as content_view_filter_id, t.name as name, t.uuid as uuid,
  t.version as version, t.min_version as min_version, t.max_version as max_version, t.architecture as architecture,
  t.errata_id as errata_id, t.start_date as start_date, t.end_date as end_date, t.types as types,
  t.date_type as date_type, t.created_at as created_at, t.updated_at as updated_at
from content_view_filter_rules t
where
  (t.id = $::bigint)
  and (
    t.content_view_filter_id in (
      select t.id
      from content_view_filters t
      where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
    )
  )
  and (t.content_view_filter_id = $)
order by t.id
limit 1;

-- update, as an administrator
-- PUT /content/api/content_view_filters/:content_view_filter_id/rules/:id: 6 statements
-- update.1 is list.1
-- update.2 is show.2, but
- select
-   t.id as id, t.content_view_filter_id as content_view_filter_id, t.name as name, t.uuid as uuid,
-   t.version as version, t.min_version as min_version, t.max_version as max_version, t.architecture as architecture,
-   t.errata_id as errata_id, t.start_date as start_date, t.end_date as end_date, t.types as types,
-   t.date_type as date_type, t.created_at as created_at, t.updated_at as updated_at
+ select t.*
  order by t.id
- limit 1;
+ limit 1
+ for no key update of t;
-- update.3 is create.2
-- update.4
update content_view_filter_rules t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.5 is create.5
-- update.6 is create.6

-- delete, as an administrator
-- DELETE /content/api/content_view_filters/:content_view_filter_id/rules/:id: 5 statements
-- delete.1 is list.1
-- delete.2 is update.2
-- delete.3 is create.6
-- delete.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.5
delete from content_view_filter_rules
where id = $;

-- list, as a limited user
-- GET /content/api/content_view_filters/:content_view_filter_id/rules: what list runs

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /content/api/content_view_filters/:content_view_filter_id/rules: what search runs

-- create, as a limited user
-- POST /content/api/content_view_filters/:content_view_filter_id/rules: what create runs

-- show, as a limited user
-- GET /content/api/content_view_filters/:content_view_filter_id/rules/:id: what show runs

-- update, as a limited user
-- PUT /content/api/content_view_filters/:content_view_filter_id/rules/:id: what update runs

-- delete, as a limited user
-- DELETE /content/api/content_view_filters/:content_view_filter_id/rules/:id: what delete runs
