-- list, as an administrator
-- GET /api/auth_source_externals: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/auth_source_externals: 2 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from auth_sources t
+     where (t.type = 'AuthSourceExternal') and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceExternal');

-- show, as an administrator
-- GET /api/auth_source_externals/:id: 1 statement
-- show.1 is list.1, but
      (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
+       from external_usergroups x
+       where t.id in (x.auth_source_id)
+     ),
+     '[]'
+   ) as external_usergroups,
+   coalesce(
+     (
      '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as organizations
+ from auth_sources t
+ where (t.id = $::bigint) and (t.type = 'AuthSourceExternal')
+ order by t.id
+ limit 1;

-- update, as an administrator
-- PUT /api/auth_source_externals/:id: 5 statements
-- update.1
select t.id
from auth_sources t
where (t.id = $::bigint) and (t.type = 'AuthSourceExternal')
order by t.id
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- update.3 is shared 7b9844: update auth_sources t set name = $::text, updated_at = now() where id = $ returning t.*;
-- update.4
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
            from auth_source_organizations l
            where l.auth_source_id = written.auditable_id
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
            from auth_source_locations l
            where l.auth_source_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select exists (select from auth_sources t where t.id = $ and (t.type = 'AuthSourceExternal')) as held;
-- update.5 is list.1, but
      (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
+       from external_usergroups x
+       where t.id in (x.auth_source_id)
+     ),
+     '[]'
+   ) as external_usergroups,
+   coalesce(
+     (
      '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as organizations
+ from auth_sources t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- list, as a limited user
-- GET /api/auth_source_externals: 1 statement
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from auth_sources t
+     where (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($)))))
+     order by t.name asc, t.id
+     limit $
+   ) t

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/auth_source_externals: 2 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceExternal') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from auth_sources t
+     where
+       (t.type = 'AuthSourceExternal')
+       and ((((fold (t.name) like fold ($)))))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is search.2, but
  from auth_sources t
- where (t.type = 'AuthSourceExternal');
+ where (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($)))));

-- show, as a limited user
-- GET /api/auth_source_externals/:id: 1 statement
-- limited show.1
select
  shown.*,
  array(
    select t.id
    from external_usergroups t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.external_usergroups) entry))
      and (
        (
          t.auth_source_id is null
          or t.auth_source_id in (
            select t.id
            from auth_sources t
            where
              (
                (t.type <> 'AuthSourceHidden')
                and (
                  (
                    (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
                    or (
                      (
                        exists (
                          select
                          from auth_source_organizations l
                          where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
                        )
                      )
                      and (
                        exists (
                          select
                          from auth_source_locations l
                          where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
                        )
                      )
                    )
                  )
                )
              )
          )
        )
      )
  ) as _reachable_0,
  array(
    select t.id
    from locations t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.locations) entry))
      and (
        (
          (t.id = any ($::bigint[]))
          or (
            exists (
              select
              from user_locations m
              where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
            )
          )
        )
      )
  ) as _reachable_1,
  array(
    select t.id
    from organizations t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.organizations) entry))
      and (
        (
          (t.id = any ($::bigint[]))
          or (
            exists (
              select
              from user_organizations m
              where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
            )
          )
        )
      )
  ) as _reachable_2
from
  (
    select
      t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
      coalesce(
        (
          select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
          from external_usergroups x
          where t.id in (x.auth_source_id)
        ),
        '[]'
      ) as external_usergroups,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from auth_source_locations l join locations x on x.id = l.location_id
          where l.auth_source_id = t.id
        ),
        '[]'
      ) as locations,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from auth_source_organizations l join organizations x on x.id = l.organization_id
          where l.auth_source_id = t.id
        ),
        '[]'
      ) as organizations
    from auth_sources t
    where (t.id = $::bigint) and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($)))))
    order by t.id
    limit 1
  ) shown;

-- update, as a limited user
-- PUT /api/auth_source_externals/:id: 4 statements
-- limited update.1 is update.1, but
  from auth_sources t
- where (t.id = $::bigint) and (t.type = 'AuthSourceExternal')
+ where (t.id = $::bigint) and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3
select
  exists (
    select
    from auth_sources t
    where t.id = $ and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($)))))
  ) as held;
-- limited update.4 is limited show.1, but
      from auth_sources t
-     where (t.id = $::bigint) and (t.type = 'AuthSourceExternal') and ((((fold (t.name) like fold ($)))))
+     where (t.id = $::bigint) and true
