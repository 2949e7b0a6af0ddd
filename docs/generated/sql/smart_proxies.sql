-- list, as an administrator
-- GET /api/smart_proxies: 1 statement
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id, t.url as url,
  coalesce(
    (
      select json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
      from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = t.id
    ),
    '[]'
  ) as features,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from smart_proxies t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/smart_proxies: 1 statement
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from smart_proxies t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from smart_proxies t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/smart_proxies: 11 statements
-- create.1
select
from smart_proxies
where url = $;
-- create.2 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.3
insert into smart_proxies as t (name, url, runner, any_organization, any_location)
values ($::text, $::text, $::text, $::boolean, $::boolean)
returning
  t.*,
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations;
-- create.4
with
  removed as (delete from smart_proxy_locations where smart_proxy_id = $ and not location_id = any ($::bigint[]))
insert into smart_proxy_locations (smart_proxy_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.5
with
  removed as (
    delete from smart_proxy_organizations
    where smart_proxy_id = $ and not organization_id = any ($::bigint[])
  )
insert into smart_proxy_organizations (smart_proxy_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.6 is create.3, but
- insert into smart_proxies as t (name, url, runner, any_organization, any_location)
- values ($::text, $::text, $::text, $::boolean, $::boolean)
- returning
+ select
      order by 1
-   ) as organizations;
+   ) as organizations
+ from smart_proxies t
+ where t.id = $;
-- create.7 is create.6
-- create.8
insert into features (name)
select name
from jsonb_to_recordset($::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)
order by name
on conflict do nothing;
-- create.9
with
  kept as (
    select f.id, wanted.capabilities, wanted.settings
    from
      jsonb_to_recordset($::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)
      join features f using (name)
  ),
  gone as (
    delete from smart_proxy_features
    where smart_proxy_id = $ and feature_id not in (select id from kept)
    returning 1
  ),
  written as (
    insert into smart_proxy_features as l (smart_proxy_id, feature_id, capabilities, settings)
    select $::bigint, id, capabilities, settings
    from kept
    on conflict (smart_proxy_id, feature_id) do update
    set capabilities = excluded.capabilities, settings = excluded.settings
    where (l.capabilities, l.settings) is distinct from (excluded.capabilities, excluded.settings)
    returning 1
  )
select exists (select from gone) or exists (select from written) as changed;
-- create.10
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
            from smart_proxy_organizations l
            where l.smart_proxy_id = written.auditable_id
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
            from smart_proxy_locations l
            where l.smart_proxy_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.11
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id, t.url as url,
  coalesce(
    (
      select json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
      from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = t.id
    ),
    '[]'
  ) as features,
  t.runner as runner, t.runner_command as runner_command, t.ssh_user as ssh_user, t.ssh_port as ssh_port,
  t.ssh_known_hosts as ssh_known_hosts, t.run_timeout as run_timeout,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from smart_proxy_locations l join locations x on x.id = l.location_id
      where l.smart_proxy_id = t.id
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
      from smart_proxy_organizations l join organizations x on x.id = l.organization_id
      where l.smart_proxy_id = t.id
    ),
    '[]'
  ) as organizations
from smart_proxies t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/smart_proxies/:id: 1 statement
-- show.1 is create.11, but
  from smart_proxies t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/smart_proxies/:id: 5 statements
-- update.1
select t.id
from smart_proxies t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- update.3
update smart_proxies t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.10
-- update.5 is create.11

-- delete, as an administrator
-- DELETE /api/smart_proxies/:id: 17 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.url as url, t.runner as runner, t.runner_command as runner_command,
  t.ssh_user as ssh_user, t.ssh_port as ssh_port, t.ssh_known_hosts as ssh_known_hosts,
  t.run_timeout as run_timeout, t.any_organization as any_organization, t.any_location as any_location,
  t.created_at as created_at, t.updated_at as updated_at
from smart_proxies t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.name as called, true as shown
from domains t
where t.dns_id = $
order by 1
limit $;
-- delete.5
select t.name as called, true as shown
from subnets t
where t.dhcp_id = $
order by 1
limit $;
-- delete.6 is delete.5, but
  from subnets t
- where t.dhcp_id = $
+ where t.tftp_id = $
-- delete.7 is delete.5, but
  from subnets t
- where t.dhcp_id = $
+ where t.httpboot_id = $
-- delete.8 is delete.4, but
  select t.name as called, true as shown
- from domains t
+ from subnets t
-- delete.9 is delete.5, but
  from subnets t
- where t.dhcp_id = $
+ where t.template_id = $
-- delete.10 is delete.5, but
  from subnets t
- where t.dhcp_id = $
+ where t.bmc_id = $
-- delete.11
select t.name as called, true as shown
from realms t
where t.realm_proxy_id = $
order by 1
limit $;
-- delete.12
select t.title as called, true as shown
from hostgroups t
where t.config_proxy_id = $
order by 1
limit $;
-- delete.13 is delete.12, but
  from hostgroups t
- where t.config_proxy_id = $
+ where t.config_ca_proxy_id = $
-- delete.14
select t.name as called, true as shown
from hosts t
where t.config_proxy_id = $
order by 1
limit $;
-- delete.15 is delete.14, but
  from hosts t
- where t.config_proxy_id = $
+ where t.config_ca_proxy_id = $
-- delete.16 is create.10
-- delete.17
delete from smart_proxies
where id = $;

-- list, as a limited user
-- GET /api/smart_proxies: 1 statement
-- limited list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id, t.url as url,
  coalesce(
    (
      select json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
      from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = t.id
    ),
    '[]'
  ) as features,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from smart_proxies t
    where
      (
        (
          (
            (
              exists (
                select
                from smart_proxy_organizations l
                where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (fold (t.name) like fold ($))
          )
        )
      )
      and (
        exists (
          select
          from smart_proxy_organizations l
          where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (
        exists (
          select
          from smart_proxy_locations l
          where l.smart_proxy_id = t.id and l.location_id = any ($::bigint[])
        )
      )
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/smart_proxies: 2 statements
-- limited search.1 is limited list.1, but
        )
-     order by t.name asc, t.id
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is limited list.1, but
  select
-   t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id, t.url as url,
-   coalesce(
-     (
-       select json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
-       from smart_proxy_features l join features f on f.id = l.feature_id
-       where l.smart_proxy_id = t.id
-     ),
-     '[]'
-   ) as features,
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

-- create, as a limited user
-- POST /api/smart_proxies: 11 statements
-- limited create.1 is create.1
-- limited create.2 is shared d0d647: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6
-- limited create.7 is create.6
-- limited create.8 is create.8
-- limited create.9 is create.9
-- limited create.10 is create.10, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from smart_proxies t
+     where
+       t.id = $
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from smart_proxy_organizations l
+                 where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from smart_proxy_organizations l
+           where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from smart_proxy_locations l
+           where l.smart_proxy_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as held;
-- limited create.11 is create.11, but
  select
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
          (
-       select json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
+           select
+             json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
      order by t.id
- limit 1;
+     limit 1
+   ) shown;

-- show, as a limited user
-- GET /api/smart_proxies/:id: 1 statement
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
      t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id, t.url as url,
      coalesce(
        (
          select
            json_agg(json_build_object('capabilities', l.capabilities, 'name', f.name, 'id', f.id) order by f.name)
          from smart_proxy_features l join features f on f.id = l.feature_id
          where l.smart_proxy_id = t.id
        ),
        '[]'
      ) as features,
      t.runner as runner, t.runner_command as runner_command, t.ssh_user as ssh_user, t.ssh_port as ssh_port,
      t.ssh_known_hosts as ssh_known_hosts, t.run_timeout as run_timeout,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from smart_proxy_locations l join locations x on x.id = l.location_id
          where l.smart_proxy_id = t.id
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
          from smart_proxy_organizations l join organizations x on x.id = l.organization_id
          where l.smart_proxy_id = t.id
        ),
        '[]'
      ) as organizations
    from smart_proxies t
    where
      (t.id = $::bigint or t.name = $::text)
      and (
        (
          (
            (
              exists (
                select
                from smart_proxy_organizations l
                where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (fold (t.name) like fold ($))
          )
        )
      )
      and (
        exists (
          select
          from smart_proxy_organizations l
          where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (
        exists (
          select
          from smart_proxy_locations l
          where l.smart_proxy_id = t.id and l.location_id = any ($::bigint[])
        )
      )
    order by (t.name = $::text) desc
    limit 1
  ) shown;

-- update, as a limited user
-- PUT /api/smart_proxies/:id: 5 statements
-- limited update.1
select t.id
from smart_proxies t
where
  (t.id = $::bigint or t.name = $::text)
  and (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (fold (t.name) like fold ($))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($::bigint[])
    )
  )
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.10
-- limited update.5 is limited create.11

-- delete, as a limited user
-- DELETE /api/smart_proxies/:id: 17 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4, but
- select t.name as called, true as shown
+ select
+   t.name as called,
+   (exists (select from domain_organizations l where l.domain_id = t.id and l.organization_id = any ($::bigint[])))
+   and (
+     exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[]))
+   ) as shown
-- limited delete.5 is delete.5, but
- select t.name as called, true as shown
+ select
+   t.name as called,
+   (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($::bigint[])))
+   and (
+     exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[]))
+   ) as shown
-- limited delete.6
select
  t.name as called,
  (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($::bigint[])))
  and (
    exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[]))
  ) as shown
from subnets t
where t.tftp_id = $
order by 1
limit $;
-- limited delete.7 is limited delete.6, but
  from subnets t
- where t.tftp_id = $
+ where t.httpboot_id = $
-- limited delete.8 is limited delete.6, but
  from subnets t
- where t.tftp_id = $
+ where t.dns_id = $
-- limited delete.9 is limited delete.6, but
  from subnets t
- where t.tftp_id = $
+ where t.template_id = $
-- limited delete.10 is limited delete.6, but
  from subnets t
- where t.tftp_id = $
+ where t.bmc_id = $
-- limited delete.11
select
  t.name as called,
  (exists (select from realm_organizations l where l.realm_id = t.id and l.organization_id = any ($::bigint[])))
  and (
    exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[]))
  ) as shown
from realms t
where t.realm_proxy_id = $
order by 1
limit $;
-- limited delete.12
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
where t.config_proxy_id = $
order by 1
limit $;
-- limited delete.13 is limited delete.12, but
  from hostgroups t
- where t.config_proxy_id = $
+ where t.config_ca_proxy_id = $
-- limited delete.14 is delete.14, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.15
select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
from hosts t
where t.config_ca_proxy_id = $
order by 1
limit $;
-- limited delete.16 is create.10
-- limited delete.17 is delete.17
