-- list, as an administrator
-- GET /api/subnets: 2 statements
-- list.1
select
  host(t.network) as network, t.network_type as network_type,
  bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
  host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
  host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.httpboot_id as httpboot_id,
  (select n.name from smart_proxies n where n.id = t.httpboot_id) as httpboot_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.httpboot_id
  ) as httpboot,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from subnets t
where true
order by t.vlanid asc nulls last, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/subnets: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from subnets t
- where true
- order by t.vlanid asc nulls last, t.id
- limit 20;
+ from (select t.* from subnets t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from subnets t
where (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/subnets: 8 statements
-- create.1 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.2
insert into subnets as t (name, network_type, network, mask)
values ($::text, $::text, $::inet, $::inet)
returning
  t.*,
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations;
-- create.3
with removed as (delete from subnet_locations where subnet_id = $ and not location_id = any ($::bigint[]))
insert into subnet_locations (subnet_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.4
with removed as (delete from subnet_organizations where subnet_id = $ and not organization_id = any ($::bigint[]))
insert into subnet_organizations (subnet_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.5
select
  t.*,
  array(select l.domain_id from subnet_domains l where l.subnet_id = t.id order by 1) as domains,
  array(select l.location_id from subnet_locations l where l.subnet_id = t.id order by 1) as locations,
  array(select l.organization_id from subnet_organizations l where l.subnet_id = t.id order by 1) as organizations
from subnets t
where t.id = $;
-- create.6 is create.5
-- create.7
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
            from subnet_organizations l
            where l.subnet_id = written.auditable_id
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
            from subnet_locations l
            where l.subnet_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.8 is list.1, but
    ) as bmc,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   coalesce(
+     (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+       from subnet_domains l join domains x on x.id = l.domain_id
+       where l.subnet_id = t.id
+     ),
+     '[]'
+   ) as domains,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'id', x.id, 'name', x.name, 'ip', host(x.ip), 'ip6', host(x.ip6), 'mac', x.mac, 'identifier',
+             x.identifier, 'primary', x.primary, 'provision', x.provision
+           )
+           order by x.name, x.id
+         )
+       from interfaces x
+       where t.id in (x.subnet_id, x.subnet6_id)
+     ),
+     '[]'
+   ) as interfaces,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'priority',
+             case
+               when p.organization_id is not null then 10
+               when p.location_id is not null then 20
+               when p.domain_id is not null then 30
+               when p.subnet_id is not null then 40
+               when p.operatingsystem_id is not null then 50
+               when p.hostgroup_id is not null then 60
+               when p.host_id is not null then 70
+               else 0
+             end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+             'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
+             'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
+             case
+               when p.organization_id is not null then 'organization'
+               when p.location_id is not null then 'location'
+               when p.domain_id is not null then 'domain'
+               when p.subnet_id is not null then 'subnet'
+               when p.operatingsystem_id is not null then 'operating system'
+               when p.hostgroup_id is not null then 'host group'
+               when p.host_id is not null then 'host'
+               else 'global'
+             end, 'hidden_value?', p.hidden_value, 'value',
+             case
+               when p.hidden_value then '"*****"'::json
+               else in_order (p.value, (select k.ordered from parameters_order k where k.id = p.id))
+             end
+           )
+           order by p.name
+         )
+       from parameters p
+       where p.subnet_id = t.id
+     ),
+     '[]'
+   ) as parameters,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+           order by x.title, x.id
+         )
+       from subnet_locations l join locations x on x.id = l.location_id
+       where l.subnet_id = t.id
+     ),
+     '[]'
+   ) as locations,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+           order by x.title, x.id
+         )
+       from subnet_organizations l join organizations x on x.id = l.organization_id
+       where l.subnet_id = t.id
+     ),
+     '[]'
+   ) as organizations
  from subnets t
- where true
- order by t.vlanid asc nulls last, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/subnets/:id: 1 statement
-- show.1 is list.1, but
    ) as bmc,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   coalesce(
+     (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+       from subnet_domains l join domains x on x.id = l.domain_id
+       where l.subnet_id = t.id
+     ),
+     '[]'
+   ) as domains,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'id', x.id, 'name', x.name, 'ip', host(x.ip), 'ip6', host(x.ip6), 'mac', x.mac, 'identifier',
+             x.identifier, 'primary', x.primary, 'provision', x.provision
+           )
+           order by x.name, x.id
+         )
+       from interfaces x
+       where t.id in (x.subnet_id, x.subnet6_id)
+     ),
+     '[]'
+   ) as interfaces,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'priority',
+             case
+               when p.organization_id is not null then 10
+               when p.location_id is not null then 20
+               when p.domain_id is not null then 30
+               when p.subnet_id is not null then 40
+               when p.operatingsystem_id is not null then 50
+               when p.hostgroup_id is not null then 60
+               when p.host_id is not null then 70
+               else 0
+             end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+             'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
+             'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
+             case
+               when p.organization_id is not null then 'organization'
+               when p.location_id is not null then 'location'
+               when p.domain_id is not null then 'domain'
+               when p.subnet_id is not null then 'subnet'
+               when p.operatingsystem_id is not null then 'operating system'
+               when p.hostgroup_id is not null then 'host group'
+               when p.host_id is not null then 'host'
+               else 'global'
+             end, 'hidden_value?', p.hidden_value, 'value',
+             case
+               when p.hidden_value then '"*****"'::json
+               else in_order (p.value, (select k.ordered from parameters_order k where k.id = p.id))
+             end
+           )
+           order by p.name
+         )
+       from parameters p
+       where p.subnet_id = t.id
+     ),
+     '[]'
+   ) as parameters,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+           order by x.title, x.id
+         )
+       from subnet_locations l join locations x on x.id = l.location_id
+       where l.subnet_id = t.id
+     ),
+     '[]'
+   ) as locations,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+           order by x.title, x.id
+         )
+       from subnet_organizations l join organizations x on x.id = l.organization_id
+       where l.subnet_id = t.id
+     ),
+     '[]'
+   ) as organizations
  from subnets t
- where true
- order by t.vlanid asc nulls last, t.id
- limit 20;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/subnets/:id: 5 statements
-- update.1
select t.id
from subnets t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.5, but
  from subnets t
- where t.id = $;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;
-- update.3
update subnets t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.7
-- update.5 is create.8

-- delete, as an administrator
-- DELETE /api/subnets/:id: 9 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.description as description, t.network_type as network_type,
  host(t.network) as network, host(t.mask) as mask, host(t.gateway) as gateway, host(t.dns_primary) as dns_primary,
  host(t.dns_secondary) as dns_secondary, host(t.from) as
from
,
  host(t.to) as to, t.vlanid as vlanid, t.mtu as mtu, t.nic_delay as nic_delay, t.ipam as ipam,
  t.boot_mode as boot_mode, t.dhcp_id as dhcp_id, t.tftp_id as tftp_id, t.httpboot_id as httpboot_id,
  t.dns_id as dns_id, t.template_id as template_id, t.bmc_id as bmc_id, t.created_at as created_at,
  t.updated_at as updated_at
from subnets t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.title as called, true as shown
from hostgroups t
where t.subnet_id = $
order by 1
limit $;
-- delete.5 is delete.4, but
  from hostgroups t
- where t.subnet_id = $
+ where t.subnet6_id = $
-- delete.6
select t.name as called, true as shown
from interfaces t
where t.subnet_id = $
order by 1
limit $;
-- delete.7 is delete.6, but
  from interfaces t
- where t.subnet_id = $
+ where t.subnet6_id = $
-- delete.8 is create.7
-- delete.9
delete from subnets
where id = $;

-- list, as a limited user
-- GET /api/subnets: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from subnets t
- where true
+     where
+       (
+         (
+           (
+             (
+               exists (
+                 select
+                 from subnet_organizations l
+                 where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from subnet_organizations l
+           where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
      order by t.vlanid asc nulls last, t.id
- limit 20;
+     limit $
+   ) t
+ order by t.vlanid asc nulls last, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from subnets t
where
  (
    (
      (
        (
          exists (
            select
            from subnet_organizations l
            where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (fold (t.name) like fold ($))
      )
    )
  )
  and (
    exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($::bigint[]))
  )
  and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/subnets: 4 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from subnets t
- where true
- order by t.vlanid asc nulls last, t.id
- limit 20;
+     where
+       (
+         (
+           (
+             (
+               exists (
+                 select
+                 from subnet_organizations l
+                 where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from subnet_organizations l
+           where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.3, but
    )
-   and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/subnets: 8 statements
-- limited create.1 is shared d0d647: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.5
-- limited create.7 is create.7, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from subnets t
+     where
+       t.id = $
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from subnet_organizations l
+                 where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from subnet_organizations l
+           where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
+   ) as held;
-- limited create.8 is create.8

-- show, as a limited user
-- GET /api/subnets/:id: 1 statement
-- limited show.1
select
  shown.*,
  array(
    select t.id
    from domains t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.domains) entry))
      and (
        exists (
          select
          from domain_organizations l
          where l.domain_id = t.id and l.organization_id = any ($::bigint[])
        )
      )
      and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
  ) as _reachable_0,
  array(
    select t.id
    from interfaces t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.interfaces) entry))
      and (
        (
          t.host_id is null
          or t.host_id in (
            select t.id
            from hosts t
            where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
          )
        )
      )
  ) as _reachable_1,
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
  ) as _reachable_2,
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
  ) as _reachable_3
from
  (
    select
      host(t.network) as network, t.network_type as network_type,
      bit_count(substring(inet_send (t.mask) from 5))::integer as cidr,
      host(t.mask) as mask, t.vlanid as vlanid, t.mtu as mtu, host(t.gateway) as gateway,
      host(t.dns_primary) as dns_primary, host(t.dns_secondary) as dns_secondary, host(t.from) as
    from
,
  host(t.to) as to, t.created_at as created_at, t.updated_at as updated_at, t.ipam as ipam,
  t.boot_mode as boot_mode, t.nic_delay as nic_delay, t.id as id, t.name as name, t.description as description,
  host(t.network) || '/' || bit_count(substring(inet_send (t.mask) from 5))::integer as network_address,
  t.dhcp_id as dhcp_id,
  (select n.name from smart_proxies n where n.id = t.dhcp_id) as dhcp_name,
  t.tftp_id as tftp_id,
  (select n.name from smart_proxies n where n.id = t.tftp_id) as tftp_name,
  t.httpboot_id as httpboot_id,
  (select n.name from smart_proxies n where n.id = t.httpboot_id) as httpboot_name,
  t.dns_id as dns_id, t.template_id as template_id,
  (select n.name from smart_proxies n where n.id = t.template_id) as template_name,
  t.bmc_id as bmc_id,
  (select n.name from smart_proxies n where n.id = t.bmc_id) as bmc_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dhcp_id
  ) as dhcp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.tftp_id
  ) as tftp,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.httpboot_id
  ) as httpboot,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.dns_id
  ) as dns,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.template_id
  ) as template,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from smart_proxies x
    where x.id = t.bmc_id
  ) as bmc,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subnet_domains l join domains x on x.id = l.domain_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as domains,
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
      where t.id in (x.subnet_id, x.subnet6_id)
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
      where p.subnet_id = t.id
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
      from subnet_locations l join locations x on x.id = l.location_id
      where l.subnet_id = t.id
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
      from subnet_organizations l join organizations x on x.id = l.organization_id
      where l.subnet_id = t.id
    ),
    '[]'
  ) as organizations
  from subnets t
  where
    (t.id = $::bigint or t.name = $::text)
    and (
      (
        (
          (
            exists (
              select
              from subnet_organizations l
              where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
            )
          )
          and (fold (t.name) like fold ($))
        )
      )
    )
    and (
      exists (
        select
        from subnet_organizations l
        where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
      )
    )
    and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
  order by (t.name = $::text) desc
  limit 1
  ) shown;

-- update, as a limited user
-- PUT /api/subnets/:id: 5 statements
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
-   and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])));
+   and (exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($::bigint[])))
+ order by (t.name = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.7
-- limited update.5 is create.8

-- delete, as a limited user
-- DELETE /api/subnets/:id: 9 statements
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
where t.subnet_id = $
order by 1
limit $;
-- limited delete.5 is limited delete.4, but
  from hostgroups t
- where t.subnet_id = $
+ where t.subnet6_id = $
-- limited delete.6
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
where t.subnet_id = $
order by 1
limit $;
-- limited delete.7 is limited delete.6, but
  from interfaces t
- where t.subnet_id = $
+ where t.subnet6_id = $
-- limited delete.8 is create.7
-- limited delete.9 is delete.9
