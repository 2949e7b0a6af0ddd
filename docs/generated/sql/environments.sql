-- list, as an administrator
-- GET /api/environments: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from environments t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/environments: 1 statement
-- search.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from environments t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/environments: 7 statements
-- create.1 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.2
insert into environments as t (name)
values ($::text)
returning
  t.*,
  array(
    select l.configclass_id
    from configclass_environments l
    where l.environment_id = t.id
    order by 1
  ) as configclasses,
  array(select l.location_id from environment_locations l where l.environment_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from environment_organizations l
    where l.environment_id = t.id
    order by 1
  ) as organizations;
-- create.3
with
  removed as (delete from environment_locations where environment_id = $ and not location_id = any ($::bigint[]))
insert into environment_locations (environment_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.4
with
  removed as (
    delete from environment_organizations
    where environment_id = $ and not organization_id = any ($::bigint[])
  )
insert into environment_organizations (environment_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.5 is create.2, but
- insert into environments as t (name)
- values ($::text)
- returning
+ select
      order by 1
-   ) as organizations;
+   ) as organizations
+ from environments t
+ where t.id = $;
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
            from environment_organizations l
            where l.environment_id = written.auditable_id
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
            from environment_locations l
            where l.environment_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.7
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where t.id in (x.environment_id)
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
          order by x.name, x.id
        )
      from configclass_environments l join configclasses x on x.id = l.configclass_id
      where l.environment_id = t.id
    ),
    '[]'
  ) as configclasses,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from environment_locations l join locations x on x.id = l.location_id
      where l.environment_id = t.id
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
      from environment_organizations l join organizations x on x.id = l.organization_id
      where l.environment_id = t.id
    ),
    '[]'
  ) as organizations
from environments t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/environments/:id: 1 statement
-- show.1 is create.7, but
  from environments t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/environments/:id: 5 statements
-- update.1
select t.id
from environments t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.2, but
- insert into environments as t (name)
- values ($::text)
- returning
+ select
      order by 1
-   ) as organizations;
+   ) as organizations
+ from environments t
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;
-- update.3
update environments t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.6
-- update.5 is create.7

-- delete, as an administrator
-- DELETE /api/environments/:id: 8 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select t.id as id, t.name as name, t.created_at as created_at, t.updated_at as updated_at
from environments t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.title as called, true as shown
from hostgroups t
where t.environment_id = $
order by 1
limit $;
-- delete.5
select t.name as called, true as shown
from hosts t
where t.environment_id = $
order by 1
limit $;
-- delete.6
delete from smart_class_parameters
where
  id in (
    select p.id
    from smart_class_parameters p
    where
      exists (
        select
        from class_parameter_environments e
        where e.smart_class_parameter_id = p.id and e.environment_id = $
      )
      and not exists (
        select
        from class_parameter_environments e
        where e.smart_class_parameter_id = p.id and e.environment_id <> $
      )
  )
returning id, parameter;
-- delete.7 is create.6
-- delete.8
delete from environments
where id = $;

-- list, as a limited user
-- GET /api/environments: 3 statements
-- limited list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from environments t
    where
      (
        (
          (
            (
              exists (
                select
                from environment_organizations l
                where l.environment_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (fold (t.name) like fold ($))
          )
        )
      )
      and (
        exists (
          select
          from environment_organizations l
          where l.environment_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (
        exists (
          select
          from environment_locations l
          where l.environment_id = t.id and l.location_id = any ($::bigint[])
        )
      )
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is limited list.1, but
  select
-   t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
      )
-       )
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+   );

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/environments: 4 statements
-- limited search.1 is limited list.1, but
        )
-     order by t.name asc, t.id
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.1, but
  select
-   t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    )
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/environments: 7 statements
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
+     from environments t
+     where
+       t.id = $
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from environment_organizations l
+                 where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from environment_organizations l
+           where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from environment_locations l
+           where l.environment_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as held;
-- limited create.7
select
  shown.*,
  array(
    select t.id
    from template_combinations t
    where
      t.id = any (
        array(select (entry ->> 'id')::bigint from json_array_elements(shown.template_combinations) entry)
      )
      and (
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
      and (
        (
          t.hostgroup_id is null
          or t.hostgroup_id in (
            select t.id
            from hostgroups t
            where
              (
                exists (
                  select
                  from hostgroup_organizations l
                  where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
                )
              )
              and (
                exists (
                  select
                  from hostgroup_locations l
                  where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
                )
              )
          )
        )
      )
      and (
        (
          t.environment_id is null
          or t.environment_id in (
            select t.id
            from environments t
            where
              (
                exists (
                  select
                  from environment_organizations l
                  where l.environment_id = t.id and l.organization_id = any ($::bigint[])
                )
              )
              and (
                exists (
                  select
                  from environment_locations l
                  where l.environment_id = t.id and l.location_id = any ($::bigint[])
                )
              )
          )
        )
      )
  ) as _reachable_0,
  array(
    select t.id
    from templates t
    where
      t.id = any (
        array(
          select (entry ->> 'provisioning_template_id')::bigint
          from json_array_elements(shown.template_combinations) entry
        )
      )
      and (
        exists (
          select
          from template_organizations l
          where l.template_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (
        exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($::bigint[]))
      )
  ) as _reachable_1,
  array(
    select t.id
    from hostgroups t
    where
      t.id = any (
        array(select (entry ->> 'hostgroup_id')::bigint from json_array_elements(shown.template_combinations) entry)
      )
      and (
        exists (
          select
          from hostgroup_organizations l
          where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (
        exists (
          select
          from hostgroup_locations l
          where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
        )
      )
  ) as _reachable_2,
  array(
    select t.id
    from environments t
    where
      t.id = any (
        array(
          select (entry ->> 'environment_id')::bigint
          from json_array_elements(shown.template_combinations) entry
        )
      )
      and (
        exists (
          select
          from environment_organizations l
          where l.environment_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (
        exists (
          select
          from environment_locations l
          where l.environment_id = t.id and l.location_id = any ($::bigint[])
        )
      )
  ) as _reachable_3,
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
  ) as _reachable_4,
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
  ) as _reachable_5
from
  (
    select
      t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
      coalesce(
        (
          select
            json_agg(
              json_build_object(
                'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
                (select n.name from templates n where n.id = x.provisioning_template_id),
                'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
                (select n.title from hostgroups n where n.id = x.hostgroup_id),
                'environment_id', x.environment_id, 'environment_name',
                (select n.name from environments n where n.id = x.environment_id),
                'config_template_id', x.provisioning_template_id, 'config_template_name',
                (select y.name from templates y where y.id = x.provisioning_template_id)
              )
              order by x.id, x.id
            )
          from template_combinations x
          where t.id in (x.environment_id)
        ),
        '[]'
      ) as template_combinations,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
              order by x.name, x.id
            )
          from configclass_environments l join configclasses x on x.id = l.configclass_id
          where l.environment_id = t.id
        ),
        '[]'
      ) as configclasses,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from environment_locations l join locations x on x.id = l.location_id
          where l.environment_id = t.id
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
          from environment_organizations l join organizations x on x.id = l.organization_id
          where l.environment_id = t.id
        ),
        '[]'
      ) as organizations
    from environments t
    where (t.id = $::bigint) and true
    order by t.id
    limit 1
  ) shown;

-- show, as a limited user
-- GET /api/environments/:id: 1 statement
-- limited show.1 is limited create.7, but
      from environments t
-     where (t.id = $::bigint) and true
-     order by t.id
+     where
+       (t.id = $::bigint or t.name = $::text)
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from environment_organizations l
+                 where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from environment_organizations l
+           where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from environment_locations l
+           where l.environment_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+     order by (t.name = $::text) desc

-- update, as a limited user
-- PUT /api/environments/:id: 5 statements
-- limited update.1 is limited list.1, but
- select
-   t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+ select t.id
  where
-       (
+   (t.id = $::bigint or t.name = $::text)
+   and (
    )
-     order by t.name asc, t.id
-     limit $
-   ) t
- order by t.name asc, t.id;
+ order by (t.name = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.6
-- limited update.5 is limited create.7

-- delete, as a limited user
-- DELETE /api/environments/:id: 8 statements
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
where t.environment_id = $
order by 1
limit $;
-- limited delete.5 is delete.5, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.6 is delete.6
-- limited delete.7 is create.6
-- limited delete.8 is delete.8
