-- list, as an administrator
-- GET /api/realms: 2 statements
-- list.1
select
  t.name as name, t.realm_type as realm_type, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.realm_proxy_id as realm_proxy_id,
  (select n.name from smart_proxies n where n.id = t.realm_proxy_id) as realm_proxy_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.realm_proxy_id
  ) as realm_proxy,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from realms t
where true
order by t.name asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/realms: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from realms t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from realms t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from realms t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/realms: 7 statements
-- create.1 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.2
insert into realms as t (name, realm_type)
values ($::text, $::text)
returning
  t.*,
  array(select l.location_id from realm_locations l where l.realm_id = t.id order by 1) as locations,
  array(select l.organization_id from realm_organizations l where l.realm_id = t.id order by 1) as organizations;
-- create.3
with removed as (delete from realm_locations where realm_id = $ and not location_id = any ($::bigint[]))
insert into realm_locations (realm_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.4
with removed as (delete from realm_organizations where realm_id = $ and not organization_id = any ($::bigint[]))
insert into realm_organizations (realm_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.5
select
  t.*,
  array(select l.location_id from realm_locations l where l.realm_id = t.id order by 1) as locations,
  array(select l.organization_id from realm_organizations l where l.realm_id = t.id order by 1) as organizations
from realms t
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
            from realm_organizations l
            where l.realm_id = written.auditable_id
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
            from realm_locations l
            where l.realm_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.7
select
  t.name as name, t.realm_type as realm_type, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.realm_proxy_id as realm_proxy_id,
  (select n.name from smart_proxies n where n.id = t.realm_proxy_id) as realm_proxy_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.realm_proxy_id
  ) as realm_proxy,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from realm_locations l join locations x on x.id = l.location_id
      where l.realm_id = t.id
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
      from realm_organizations l join organizations x on x.id = l.organization_id
      where l.realm_id = t.id
    ),
    '[]'
  ) as organizations
from realms t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/realms/:id: 1 statement
-- show.1 is create.7, but
  from realms t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/realms/:id: 5 statements
-- update.1
select t.id
from realms t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.5, but
  from realms t
- where t.id = $;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;
-- update.3
update realms t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.6
-- update.5 is create.7

-- delete, as an administrator
-- DELETE /api/realms/:id: 7 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.realm_type as realm_type, t.realm_proxy_id as realm_proxy_id,
  t.created_at as created_at, t.updated_at as updated_at
from realms t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.title as called, true as shown
from hostgroups t
where t.realm_id = $
order by 1
limit $;
-- delete.5
select t.name as called, true as shown
from hosts t
where t.realm_id = $
order by 1
limit $;
-- delete.6 is create.6
-- delete.7
delete from realms
where id = $;

-- list, as a limited user
-- GET /api/realms: 3 statements
-- limited list.1
select
  t.name as name, t.realm_type as realm_type, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.realm_proxy_id as realm_proxy_id,
  (select n.name from smart_proxies n where n.id = t.realm_proxy_id) as realm_proxy_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.realm_proxy_id
  ) as realm_proxy,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from realms t
    where
      (
        (
          (
            (
              exists (
                select
                from realm_organizations l
                where l.realm_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (fold (t.name) like fold ($))
          )
        )
      )
      and (
        exists (
          select
          from realm_organizations l
          where l.realm_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from realms t
where
  (
    (
      (
        (
          exists (
            select
            from realm_organizations l
            where l.realm_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (fold (t.name) like fold ($))
      )
    )
  )
  and (
    exists (select from realm_organizations l where l.realm_id = t.id and l.organization_id = any ($::bigint[]))
  )
  and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/realms: 4 statements
-- limited search.1 is limited list.1, but
        and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
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
-   and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/realms: 7 statements
-- limited create.1 is shared d0d647: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from realms t
+     where
+       t.id = $
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from realm_organizations l
+                 where l.realm_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from realm_organizations l
+           where l.realm_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
+   ) as held;
-- limited create.7 is create.7, but
  select
-   t.name as name, t.realm_type as realm_type, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
-   t.realm_proxy_id as realm_proxy_id,
+   shown.*,
+   array(
+     select t.id
+     from locations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.locations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_locations m
+               where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from organizations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.organizations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_organizations m
+               where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
+       t.name as name, t.realm_type as realm_type, t.created_at as created_at, t.updated_at as updated_at,
+       t.id as id, t.realm_proxy_id as realm_proxy_id,
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/realms/:id: 1 statement
-- limited show.1
select
  shown.*,
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
  ) as _reachable_0,
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
  ) as _reachable_1
from
  (
    select
      t.name as name, t.realm_type as realm_type, t.created_at as created_at, t.updated_at as updated_at,
      t.id as id, t.realm_proxy_id as realm_proxy_id,
      (select n.name from smart_proxies n where n.id = t.realm_proxy_id) as realm_proxy_name,
      (
        select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
        from smart_proxies x
        where x.id = t.realm_proxy_id
      ) as realm_proxy,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from realm_locations l join locations x on x.id = l.location_id
          where l.realm_id = t.id
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
          from realm_organizations l join organizations x on x.id = l.organization_id
          where l.realm_id = t.id
        ),
        '[]'
      ) as organizations
    from realms t
    where
      (t.id = $::bigint or t.name = $::text)
      and (
        (
          (
            (
              exists (
                select
                from realm_organizations l
                where l.realm_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (fold (t.name) like fold ($))
          )
        )
      )
      and (
        exists (
          select
          from realm_organizations l
          where l.realm_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
    order by (t.name = $::text) desc
    limit 1
  ) shown;

-- update, as a limited user
-- PUT /api/realms/:id: 5 statements
-- limited update.1 is limited list.3, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.id
  where
-   (
+   (t.id = $::bigint or t.name = $::text)
+   and (
    )
-   and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
+ order by (t.name = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.6
-- limited update.5 is limited create.7

-- delete, as a limited user
-- DELETE /api/realms/:id: 7 statements
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
where t.realm_id = $
order by 1
limit $;
-- limited delete.5 is delete.5, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.6 is create.6
-- limited delete.7 is delete.7
