-- list, as an administrator
-- GET /api/compute_attributes: 2 statements
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  (
    select p.name || ' (' || r.name || ')'
    from compute_profiles p, compute_resources r
    where p.id = t.compute_profile_id and r.id = t.compute_resource_id
  ) as name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  (select r.provider from compute_resources r where r.id = t.compute_resource_id) as provider,
  t.compute_profile_id as compute_profile_id,
  (select n.name from compute_profiles n where n.id = t.compute_profile_id) as compute_profile_name,
  in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from compute_attributes t
where true
order by t.id asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/compute_attributes: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from compute_attributes t
- where true
- order by t.id asc, t.id
- limit 20;
+ from (select t.* from compute_attributes t where (t.id > $::bigint) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from compute_attributes t
where (t.id > $::bigint);

-- create, as an administrator
-- POST /api/compute_attributes: 4 statements
-- create.1
select 0 as place, t.id
from compute_profiles t
where t.id = any ((select $::bigint[])::bigint[]) and true
union all
select 1 as place, t.id
from compute_resources t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.2
insert into compute_attributes as t (compute_profile_id, compute_resource_id)
values ($::bigint, $::bigint)
returning
  t.*,
  in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs;
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
              l.compute_resource_id = (
                select t.compute_resource_id
                from compute_attributes t
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
            from compute_resource_locations l
            where
              l.compute_resource_id = (
                select t.compute_resource_id
                from compute_attributes t
                where t.id = written.auditable_id
              )
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.4 is list.1, but
    (select n.name from compute_profiles n where n.id = t.compute_profile_id) as compute_profile_name,
-   in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs
  from compute_attributes t
- where true
- order by t.id asc, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/compute_attributes/:id: 1 statement
-- show.1 is create.4

-- update, as an administrator
-- PUT /api/compute_attributes/:id: 2 statements
-- update.1
select t.*, in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs
from compute_attributes t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- update.2 is create.4

-- list, as a limited user
-- GET /api/compute_attributes: 1 statement
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from compute_attributes t
- where true
+     where
+       (
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
      order by t.id asc, t.id
- limit 20;
+     limit $
+   ) t
+ order by t.id asc, t.id;

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/compute_attributes: 2 statements
-- limited search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  (
    select p.name || ' (' || r.name || ')'
    from compute_profiles p, compute_resources r
    where p.id = t.compute_profile_id and r.id = t.compute_resource_id
  ) as name,
  t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  (select r.provider from compute_resources r where r.id = t.compute_resource_id) as provider,
  t.compute_profile_id as compute_profile_id,
  (select n.name from compute_profiles n where n.id = t.compute_profile_id) as compute_profile_name,
  in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from compute_attributes t
    where
      (
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
      and (t.id > $::bigint)
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from compute_attributes t
where
  (
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

-- create, as a limited user
-- POST /api/compute_attributes: 4 statements
-- limited create.1
select 0 as place, t.id
from compute_profiles t
where t.id = any ((select $::bigint[])::bigint[]) and true
union all
select 1 as place, t.id
from compute_resources t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (
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
  );
-- limited create.2 is create.2
-- limited create.3 is create.3, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from compute_attributes t
+     where
+       t.id = $
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
-- GET /api/compute_attributes/:id: 1 statement
-- limited show.1 is limited search.1, but
    (select n.name from compute_profiles n where n.id = t.compute_profile_id) as compute_profile_name,
-   in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs
  where
-       (
+   (t.id = $::bigint)
+   and (
    )
-       and (t.id > $::bigint)
-     order by t.id desc, t.id
-     limit $
-   ) t
- order by t.id desc, t.id;
+ order by t.id
+ limit 1;

-- update, as a limited user
-- PUT /api/compute_attributes/:id: 3 statements
-- limited update.1 is limited search.2, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.*, in_order (t.vm_attrs, (select k.ordered from compute_attributes_order k where k.id = t.id)) as vm_attrs
  where
-   (
+   (t.id = $::bigint)
+   and (
      )
-   );
+   )
+ order by t.id
+ limit 1
+ for no key update of t;
-- limited update.2 is limited search.2, but
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
-   );
+       )
+   ) as held;
-- limited update.3 is create.4
