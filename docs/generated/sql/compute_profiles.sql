-- list, as an administrator
-- GET /api/compute_profiles: 2 statements
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from compute_profiles t
where true
order by t.name asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/compute_profiles: 3 statements
-- search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from compute_profiles t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from compute_profiles t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/compute_profiles: 3 statements
-- create.1
insert into compute_profiles as t (name)
values ($::text)
returning t.*;
-- create.2 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name',
            (
              select p.name || ' (' || r.name || ')'
              from compute_profiles p, compute_resources r
              where p.id = x.compute_profile_id and r.id = x.compute_resource_id
            ),
            'compute_resource_id', x.compute_resource_id, 'compute_resource_name',
            (select n.name from compute_resources n where n.id = x.compute_resource_id),
            'provider',
            (select r.provider from compute_resources r where r.id = x.compute_resource_id),
            'compute_profile_id', x.compute_profile_id, 'compute_profile_name',
            (select n.name from compute_profiles n where n.id = x.compute_profile_id),
            'vm_attrs',
            in_order (x.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = x.id))
          )
          order by x.id, x.id
        )
      from compute_attributes x
      where t.id in (x.compute_profile_id)
    ),
    '[]'
  ) as compute_attributes
from compute_profiles t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/compute_profiles/:id: 1 statement
-- show.1 is create.3, but
  from compute_profiles t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/compute_profiles/:id: 4 statements
-- update.1
select t.*
from compute_profiles t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
update compute_profiles t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.4 is create.3

-- delete, as an administrator
-- DELETE /api/compute_profiles/:id: 6 statements
-- delete.1 is update.1
-- delete.2
select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from compute_profiles t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.3
select t.title as called, true as shown
from hostgroups t
where t.compute_profile_id = $
order by 1
limit $;
-- delete.4
select t.name as called, true as shown
from hosts t
where t.compute_profile_id = $
order by 1
limit $;
-- delete.5 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.6
delete from compute_profiles
where id = $;

-- list, as a limited user
-- GET /api/compute_profiles: 3 statements
-- limited list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from compute_profiles t
    where ((((fold (t.name) like fold ($)))))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from compute_profiles t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/compute_profiles: 4 statements
-- limited search.1 is limited list.1, but
      from compute_profiles t
-     where ((((fold (t.name) like fold ($)))))
-     order by t.name asc, t.id
+     where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.3, but
  from compute_profiles t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/compute_profiles: 3 statements
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
select exists (select from compute_profiles t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.3 is create.3, but
  select
+   shown.*,
+   array(
+     select t.id
+     from compute_attributes t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.compute_attributes) entry))
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
+   ) as _reachable_0,
+   array(
+     select t.id
+     from compute_resources t
+     where
+       t.id = any (
+         array(
+           select (entry ->> 'compute_resource_id')::bigint
+           from json_array_elements(shown.compute_attributes) entry
+         )
+       )
+       and (
+         exists (
+           select
+           from compute_resource_organizations l
+           where l.compute_resource_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from compute_resource_locations l
+           where l.compute_resource_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/compute_profiles/:id: 1 statement
-- limited show.1 is create.3, but
  select
+   shown.*,
+   array(
+     select t.id
+     from compute_attributes t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.compute_attributes) entry))
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
+   ) as _reachable_0,
+   array(
+     select t.id
+     from compute_resources t
+     where
+       t.id = any (
+         array(
+           select (entry ->> 'compute_resource_id')::bigint
+           from json_array_elements(shown.compute_attributes) entry
+         )
+       )
+       and (
+         exists (
+           select
+           from compute_resource_organizations l
+           where l.compute_resource_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from compute_resource_locations l
+           where l.compute_resource_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
      from compute_profiles t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
+     order by (t.name = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/compute_profiles/:id: 4 statements
-- limited update.1 is update.1, but
  from compute_profiles t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is limited create.2
-- limited update.4 is limited create.3

-- delete, as a limited user
-- DELETE /api/compute_profiles/:id: 6 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3
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
where t.compute_profile_id = $
order by 1
limit $;
-- limited delete.4 is delete.4, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.5 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.6 is delete.6
