-- list, as an administrator
-- GET /api/domains: 2 statements
-- list.1
select
  t.fullname as fullname, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.dns_id as dns_id,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from domains t
where true
order by t.name asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/domains: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from domains t
- where true
- order by t.name asc, t.id
- limit 20;
+ from (select t.* from domains t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from domains t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/domains: 7 statements
-- create.1 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.2
insert into domains as t (name)
values ($::text)
returning
  t.*,
  array(select l.subnet_id from subnet_domains l where l.domain_id = t.id order by 1) as subnets,
  array(select l.location_id from domain_locations l where l.domain_id = t.id order by 1) as locations,
  array(select l.organization_id from domain_organizations l where l.domain_id = t.id order by 1) as organizations;
-- create.3
with removed as (delete from domain_locations where domain_id = $ and not location_id = any ($::bigint[]))
insert into domain_locations (domain_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.4
with removed as (delete from domain_organizations where domain_id = $ and not organization_id = any ($::bigint[]))
insert into domain_organizations (domain_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.5
select
  t.*,
  array(select l.subnet_id from subnet_domains l where l.domain_id = t.id order by 1) as subnets,
  array(select l.location_id from domain_locations l where l.domain_id = t.id order by 1) as locations,
  array(select l.organization_id from domain_organizations l where l.domain_id = t.id order by 1) as organizations
from domains t
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
            from domain_organizations l
            where l.domain_id = written.auditable_id
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
            from domain_locations l
            where l.domain_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.7
select
  t.fullname as fullname, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.dns_id as dns_id,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer
          )
          order by x.name, x.id
        )
      from subnet_domains l join subnets x on x.id = l.subnet_id
      where l.domain_id = t.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'ip', host(x.ip), 'ip6', host(x.ip6), 'mac', x.mac, 'identifier',
            x.identifier, 'primary', x.primary, 'provision', x.provision
          )
          order by x.name, x.id
        )
      from interfaces x
      where t.id in (x.domain_id)
    ),
    '[]'
  ) as interfaces,
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
      where p.domain_id = t.id
    ),
    '[]'
  ) as parameters,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from domain_locations l join locations x on x.id = l.location_id
      where l.domain_id = t.id
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
      from domain_organizations l join organizations x on x.id = l.organization_id
      where l.domain_id = t.id
    ),
    '[]'
  ) as organizations
from domains t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/domains/:id: 1 statement
-- show.1 is create.7, but
  from domains t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/domains/:id: 5 statements
-- update.1
select t.id
from domains t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.5, but
  from domains t
- where t.id = $;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;
-- update.3
update domains t
set fullname = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.6
-- update.5 is create.7

-- delete, as an administrator
-- DELETE /api/domains/:id: 7 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.fullname as fullname, t.dns_id as dns_id, t.created_at as created_at,
  t.updated_at as updated_at
from domains t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.title as called, true as shown
from hostgroups t
where t.domain_id = $
order by 1
limit $;
-- delete.5
select t.name as called, true as shown
from interfaces t
where t.domain_id = $
order by 1
limit $;
-- delete.6 is create.6
-- delete.7
delete from domains
where id = $;

-- list, as a limited user
-- GET /api/domains: 3 statements
-- limited list.1
select
  t.fullname as fullname, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.dns_id as dns_id,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from domains t
    where
      (
        (
          (
            (
              exists (
                select
                from domain_organizations l
                where l.domain_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (fold (t.name) like fold ($))
          )
        )
      )
      and (
        exists (
          select
          from domain_organizations l
          where l.domain_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from domains t
where
  (
    (
      (
        (
          exists (
            select
            from domain_organizations l
            where l.domain_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (fold (t.name) like fold ($))
      )
    )
  )
  and (
    exists (select from domain_organizations l where l.domain_id = t.id and l.organization_id = any ($::bigint[]))
  )
  and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/domains: 4 statements
-- limited search.1 is limited list.1, but
        and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
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
-   and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/domains: 7 statements
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
+     from domains t
+     where
+       t.id = $
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from domain_organizations l
+                 where l.domain_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from domain_organizations l
+           where l.domain_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
+   ) as held;
-- limited create.7 is create.7

-- show, as a limited user
-- GET /api/domains/:id: 1 statement
-- limited show.1 is create.7, but
  select
+   shown.*,
+   array(
+     select t.id
+     from subnets t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.subnets) entry))
+       and (
+         exists (
+           select
+           from subnet_organizations l
+           where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_0,
+   array(
+     select t.id
+     from interfaces t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.interfaces) entry))
+       and (
+         (
+           t.host_id is null
+           or t.host_id in (
+             select t.id
+             from hosts t
+             where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+           )
+         )
+       )
+   ) as _reachable_1,
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
+   ) as _reachable_2,
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
+   ) as _reachable_3
+ from
+   (
+     select
      from domains t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where
+       (t.id = $::bigint or t.name = $::text)
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from domain_organizations l
+                 where l.domain_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from domain_organizations l
+           where l.domain_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
+     order by (t.name = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/domains/:id: 5 statements
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
-   and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
+ order by (t.name = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.6
-- limited update.5 is create.7

-- delete, as a limited user
-- DELETE /api/domains/:id: 7 statements
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
where t.domain_id = $
order by 1
limit $;
-- limited delete.5
select
  t.name as called,
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
    )
  ) as shown
from interfaces t
where t.domain_id = $
order by 1
limit $;
-- limited delete.6 is create.6
-- limited delete.7 is delete.7
