-- list, as an administrator
-- GET /content/api/environments: 2 statements
-- list.1
select
  t.library as library, t.registry_name_pattern as registry_name_pattern,
  t.registry_unauthenticated_pull as registry_unauthenticated_pull, t.id as id, t.name as name, t.label as label,
  t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.prior_id
  ) as prior,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.prior_id = t.id
    order by x.id
    limit 1
  ) as successor,
  json_build_object(
    'content_hosts',
    (select count(distinct h.host_id) from host_environments h where h.environment_id = t.id),
    'content_views',
    (
      select count(*)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    )
  )::jsonb || case
  when t.library then (
    select
      json_build_object(
        'packages', 0, 'module_streams', 0, 'debs', 0, 'errata',
        '{security:0,bugfix:0,enhancement:0,total:0}'::json, 'yum_repositories',
        count(*) filter (where r.content_type = 'yum'),
        'docker_repositories',
        count(*) filter (where r.content_type = 'docker'),
        'ostree_repositories',
        count(*) filter (where r.content_type = 'ostree'),
        'deb_repositories',
        count(*) filter (where r.content_type = 'deb'),
        'products',
        (select count(*) from products p where p.organization_id = t.organization_id)
      )::jsonb
    from repositories r join products p on p.id = r.product_id
    where p.organization_id = t.organization_id
  )
  else '{}'
  end as counts, null as permissions,
  coalesce(
    (
      select json_agg(json_build_object('name', v.name, 'id', v.id) order by v.name, v.id)
      from content_view_environments e join content_views v on v.id = e.content_view_id
      where e.environment_id = t.id and not v."default"
    ),
    '[]'
  ) as content_views,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from lifecycle_environments t
    where (t.organization_id = any ($::bigint[]))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- list.2
select
  t.id as _id, (t.organization_id = any ($::bigint[])) as create_lifecycle_environments,
  (t.organization_id = any ($::bigint[])) as view_lifecycle_environments,
  (t.organization_id = any ($::bigint[])) as edit_lifecycle_environments,
  (t.organization_id = any ($::bigint[])) as destroy_lifecycle_environments,
  (t.organization_id = any ($::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ((select $::bigint[])::bigint[]);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/environments: 4 statements
-- search.1 is list.1, but
      from lifecycle_environments t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
+     where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from lifecycle_environments t
where (t.organization_id = any ($::bigint[]));
-- search.4 is search.3, but
  from lifecycle_environments t
- where (t.organization_id = any ($::bigint[]));
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /content/api/environments: 8 statements
-- create.1
select 0 as place, t.id
from organizations t
where t.id = any ((select $::bigint[])::bigint[]) and (true)
union all
select 1 as place, t.id
from lifecycle_environments t
where t.id = any ((select $::bigint[])::bigint[]) and (t.organization_id = any ($::bigint[]));
-- create.2
select distinct $::text as key
from lifecycle_environments
where id = any ($::bigint[]) and organization_id <> $;
-- create.3
select library
from lifecycle_environments
where id = $
for no key update;
-- create.4
insert into lifecycle_environments as t (organization_id, name, prior_id)
values ($::bigint, $::text, $::bigint)
returning t.*;
-- create.5
select t.*
from lifecycle_environments t
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
            from lifecycle_environments x
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select
  exists (
    select
    from lifecycle_environments t
    where t.id = $ and (t.organization_id = any ($::bigint[]))
  ) as held;
-- create.7 is list.1, but
      '[]'
-   ) as content_views,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   ) as content_views
  from lifecycle_environments t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- create.8 is list.2

-- show, as an administrator
-- GET /content/api/environments/:id: 2 statements
-- show.1 is list.1, but
      '[]'
-   ) as content_views,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   ) as content_views
  from lifecycle_environments t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ order by t.id
+ limit 1;
-- show.2 is list.2

-- update, as an administrator
-- PUT /content/api/environments/:id: 5 statements
-- update.1
select t.*
from lifecycle_environments t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1
for no key update of t;
-- update.2
update lifecycle_environments t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3 is create.6
-- update.4 is create.7
-- update.5 is list.2

-- delete, as an administrator
-- DELETE /content/api/environments/:id: 5 statements
-- delete.1 is update.1
-- delete.2 is list.1, but
    else '{}'
-   end as counts, null as permissions,
+   end as counts,
      '[]'
-   ) as content_views,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   ) as content_views
  from lifecycle_environments t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- delete.3
select 'successor' as kind
where exists (select from lifecycle_environments e where e.prior_id = $)
union all
select 'hosts'
where exists (select from host_environments h where h.environment_id = $)
union all
select 'keys'
where
  exists (select from activation_keys k where k.environment_id = $)
  or exists (select from activation_key_environments k where k.environment_id = $);
-- delete.4 is create.6, but
    )
- select
-   exists (
-     select
-     from lifecycle_environments t
-     where t.id = $ and (t.organization_id = any ($::bigint[]))
-   ) as held;
+ select true as held;
-- delete.5
delete from lifecycle_environments
where id = $;

-- list, as a limited user
-- GET /content/api/environments: 3 statements
-- limited list.1 is list.1, but
      from lifecycle_environments t
-     where (t.organization_id = any ($::bigint[]))
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from lifecycle_environments t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/environments: 4 statements
-- limited search.1 is list.1, but
      from lifecycle_environments t
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
-- limited search.4 is search.3, but
  from lifecycle_environments t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /content/api/environments: 8 statements
-- limited create.1
select 0 as place, t.id
from organizations t
where
  t.id = any ((select $::bigint[])::bigint[])
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
union all
select 1 as place, t.id
from lifecycle_environments t
where t.id = any ((select $::bigint[])::bigint[]) and (t.organization_id = any ($::bigint[]));
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6, but
      from lifecycle_environments t
-     where t.id = $ and (t.organization_id = any ($::bigint[]))
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
-- limited create.7 is create.7
-- limited create.8
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as create_lifecycle_environments,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as view_lifecycle_environments,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as edit_lifecycle_environments,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as destroy_lifecycle_environments,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as promote_or_remove_content_views_to_environments
from lifecycle_environments t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as a limited user
-- GET /content/api/environments/:id: 2 statements
-- limited show.1 is list.1, but
      '[]'
-   ) as content_views,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   ) as content_views
  from lifecycle_environments t
-     where (t.organization_id = any ($::bigint[]))
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+ order by t.id
+ limit 1;
-- limited show.2 is limited create.8

-- update, as a limited user
-- PUT /content/api/environments/:id: 5 statements
-- limited update.1 is update.1, but
  from lifecycle_environments t
- where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is limited create.6
-- limited update.4 is create.7
-- limited update.5 is limited create.8

-- delete, as a limited user
-- DELETE /content/api/environments/:id: 5 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5
