-- list, as an administrator
-- GET /api/operatingsystems: 2 statements
-- list.1
select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from operatingsystems t
where true
order by t.title asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/operatingsystems: 3 statements
-- search.1
select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from operatingsystems t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from operatingsystems t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/operatingsystems: 5 statements
-- create.1
with
  wanted (name, major, minor, description) as (select $::text, $::text, coalesce($::text, ''), $::text),
  titled as (
    select
      *,
      case
        when description <> '' then description
        else name || ' ' || major || case when minor = '' then '' else '.' || minor
        end
      end as title
    from wanted
  )
select
  coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
  coalesce(bool_or(o.title = w.title), false) as title
from
  operatingsystems o
  join titled w on o.title = w.title
  or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
where o.id is distinct from $::bigint;
-- create.2
insert into operatingsystems as t (name, major, family)
values ($::text, $::text, $::text)
returning
  t.*,
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates;
-- create.3 is create.2, but
- insert into operatingsystems as t (name, major, family)
- values ($::text, $::text, $::text)
- returning
+ select
      order by 1
-   ) as provisioning_templates;
+   ) as provisioning_templates
+ from operatingsystems t
+ where t.id = $;
-- create.4 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.5
select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id)
          )
          order by x.name, x.id
        )
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where t.id in (x.operatingsystem_id)
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where t.id in (x.operatingsystem_id)
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case
              when p.hidden_value then '"*****"'::json
              else in_order (p.value, (select k.ordered from parameters_order k where k.id = p.id))
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/operatingsystems/:id: 1 statement
-- show.1 is create.5, but
  from operatingsystems t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.title = $::text) and true
+ order by (t.title = $::text) desc

-- update, as an administrator
-- PUT /api/operatingsystems/:id: 6 statements
-- update.1
select t.id
from operatingsystems t
where (t.id = $::bigint or t.title = $::text) and true
order by (t.title = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.2, but
- insert into operatingsystems as t (name, major, family)
- values ($::text, $::text, $::text)
- returning
+ select
      order by 1
-   ) as provisioning_templates;
+   ) as provisioning_templates
+ from operatingsystems t
+ where (t.id = $::bigint or t.title = $::text) and true
+ order by (t.title = $::text) desc
+ limit 1;
-- update.3 is create.1
-- update.4
update operatingsystems t
set description = $::text, updated_at = now()
where id = $
returning t.*;
-- update.5 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.6 is create.5

-- delete, as an administrator
-- DELETE /api/operatingsystems/:id: 8 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.major as major, t.minor as minor, t.description as description, t.title as title,
  t.family as family, t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at
from operatingsystems t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.title as called, true as shown
from hostgroups t
where t.operatingsystem_id = $
order by 1
limit $;
-- delete.5
select t.name as called, true as shown
from hosts t
where t.operatingsystem_id = $
order by 1
limit $;
-- delete.6 is delete.5, but
  select t.name as called, true as shown
- from hosts t
+ from images t
-- delete.7 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.8
delete from operatingsystems
where id = $;

-- list, as a limited user
-- GET /api/operatingsystems: 3 statements
-- limited list.1
select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from operatingsystems t
    where ((((fold (t.name) like fold ($)))))
    order by t.title asc, t.id
    limit $
  ) t
order by t.title asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.3, but
  from operatingsystems t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/operatingsystems: 4 statements
-- limited search.1 is limited list.1, but
      from operatingsystems t
-     where ((((fold (t.name) like fold ($)))))
-     order by t.title asc, t.id
+     where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.title asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.3, but
  from operatingsystems t
- where (fold (t.name) like fold ($));
+ where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/operatingsystems: 5 statements
-- limited create.1 is create.1
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4
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
select exists (select from operatingsystems t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.5 is create.5

-- show, as a limited user
-- GET /api/operatingsystems/:id: 1 statement
-- limited show.1 is create.5, but
  select
+   shown.*,
+   array(
+     select t.id
+     from media t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.media) entry))
+       and (
+         exists (
+           select
+           from medium_organizations l
+           where l.medium_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from medium_locations l where l.medium_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_0,
+   array(
+     select t.id
+     from ptables t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.ptables) entry))
+       and (
+         exists (
+           select
+           from ptable_organizations l
+           where l.ptable_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_1,
+   array(
+     select t.id
+     from templates t
+     where
+       t.id = any (
+         array(select (entry ->> 'id')::bigint from json_array_elements(shown.provisioning_templates) entry)
+       )
+       and (
+         exists (
+           select
+           from template_organizations l
+           where l.template_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($::bigint[]))
+       )
+   ) as _reachable_2,
+   array(
+     select t.id
+     from os_default_templates t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.os_default_templates) entry))
+       and (
+         (
+           t.provisioning_template_id is null
+           or t.provisioning_template_id in (
+             select t.id
+             from templates t
+             where
+               (
+                 exists (
+                   select
+                   from template_organizations l
+                   where l.template_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from template_locations l
+                   where l.template_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+           )
+         )
+       )
+   ) as _reachable_3,
+   array(
+     select t.id
+     from templates t
+     where
+       t.id = any (
+         array(
+           select (entry ->> 'provisioning_template_id')::bigint
+           from json_array_elements(shown.os_default_templates) entry
+         )
+       )
+       and (
+         exists (
+           select
+           from template_organizations l
+           where l.template_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($::bigint[]))
+       )
+   ) as _reachable_4,
+   array(
+     select t.id
+     from images t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.images) entry))
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
+   ) as _reachable_5
+ from
+   (
+     select
      from operatingsystems t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where (t.id = $::bigint or t.title = $::text) and ((((fold (t.name) like fold ($)))))
+     order by (t.title = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/operatingsystems/:id: 6 statements
-- limited update.1 is update.1, but
  from operatingsystems t
- where (t.id = $::bigint or t.title = $::text) and true
+ where (t.id = $::bigint or t.title = $::text) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is create.1
-- limited update.4 is update.4
-- limited update.5 is limited create.4
-- limited update.6 is create.5

-- delete, as a limited user
-- DELETE /api/operatingsystems/:id: 8 statements
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
where t.operatingsystem_id = $
order by 1
limit $;
-- limited delete.5 is delete.5, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.6
select
  t.name as called,
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
  ) as shown
from images t
where t.operatingsystem_id = $
order by 1
limit $;
-- limited delete.7 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.8 is delete.8
