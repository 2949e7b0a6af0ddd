-- list, as an administrator
-- GET /api/hosts/:host_id/interfaces: 2 statements
-- list.1
select t.id as id
from hosts t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- list.2
select
  t.subnet_id as subnet_id,
  (select n.name from subnets n where n.id = t.subnet_id) as subnet_name,
  t.subnet6_id as subnet6_id,
  (select n.name from subnets n where n.id = t.subnet6_id) as subnet6_name,
  t.domain_id as domain_id,
  (select n.name from domains n where n.id = t.domain_id) as domain_name,
  t.created_at as created_at, t.updated_at as updated_at, t.managed as managed, t.identifier as identifier,
  t.id as id, t.name as name, host(t.ip) as ip, host(t.ip6) as ip6, t.mac as mac,
  coalesce(
    t.mtu,
    (select s.mtu from subnets s where s.id = t.subnet_id),
    (select s.mtu from subnets s where s.id = t.subnet6_id)
  ) as mtu,
  case
    when strpos(t.name, '.') > 0
    or t.domain_id is null then t.name
    else t.name || '.' || (select d.name from domains d where d.id = t.domain_id)
  end as fqdn, t.primary as primary, t.provision as provision, t.type as type, t.virtual as virtual, t.tag as tag,
  t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
  t.bond_options as bond_options, t.provider as provider, t.username as username,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
order by t.id asc, t.id;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/hosts/:host_id/interfaces: 3 statements
-- search.1 is list.1
-- search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (select t.* from interfaces t where (t.host_id = $) and (t.id > $::bigint) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from interfaces t
where (t.host_id = $);

-- create, as an administrator
-- POST /api/hosts/:host_id/interfaces: 5 statements
-- create.1 is list.1
-- create.2
insert into interfaces as t (host_id)
values ($::bigint)
returning t.*;
-- create.3 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- create.4
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
            from hosts x
            where
              x.id = (select t.host_id from interfaces t where t.id = written.auditable_id)
              and x.organization_id is not null
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
            select x.location_id as id
            from hosts x
            where
              x.id = (select t.host_id from interfaces t where t.id = written.auditable_id)
              and x.location_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.5 is list.2, but
    t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
-   t.bond_options as bond_options, t.provider as provider, t.username as username,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+   t.bond_options as bond_options, t.provider as provider, t.username as username
+ from interfaces t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/hosts/:host_id/interfaces/:id: 2 statements
-- show.1 is list.1
-- show.2 is list.2, but
    t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
-   t.bond_options as bond_options, t.provider as provider, t.username as username,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+   t.bond_options as bond_options, t.provider as provider, t.username as username
+ from interfaces t
+ where (t.id = $::bigint or t.name = $::text) and (t.host_id = $)
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/hosts/:host_id/interfaces/:id: 6 statements
-- update.1 is list.1
-- update.2
select t.*
from interfaces t
where (t.id = $::bigint or t.name = $::text) and (t.host_id = $)
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.3 is shared 22f779: update interfaces t set name = $::text, updated_at = now() where id = $ returning t.*;
-- update.4 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- update.5 is create.4
-- update.6 is create.5

-- delete, as an administrator
-- DELETE /api/hosts/:host_id/interfaces/:id: 5 statements
-- delete.1 is list.1
-- delete.2 is update.2
-- delete.3 is create.5
-- delete.4 is create.4
-- delete.5
delete from interfaces
where id = $;

-- list, as a limited user
-- GET /api/hosts/:host_id/interfaces: 2 statements
-- limited list.1 is list.1, but
  from hosts t
- where (t.id = $::bigint or t.name = $::text) and true
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and (t.organization_id = any ($::bigint[]))
+   and (t.location_id = any ($::bigint[]))
-- limited list.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from interfaces t
+     where
+       (
+         t.host_id in (
+           select t.id
+           from hosts t
+           where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+         )
+       )
+       and (t.host_id = $)
+     order by t.id asc, t.id
+     limit $
+   ) t

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/hosts/:host_id/interfaces: 3 statements
-- limited search.1 is limited list.1
-- limited search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from interfaces t
+     where
+       (
+         t.host_id in (
+           select t.id
+           from hosts t
+           where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+         )
+       )
+       and (t.host_id = $)
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from interfaces t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
    )
  )
  and (t.host_id = $);

-- create, as a limited user
-- POST /api/hosts/:host_id/interfaces: 5 statements
-- limited create.1 is limited list.1
-- limited create.2 is create.2
-- limited create.3 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- limited create.4 is create.4, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from interfaces t
+     where
+       t.id = $
+       and (
+         t.host_id in (
+           select t.id
+           from hosts t
+           where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+         )
+       )
+   ) as held;
-- limited create.5 is create.5

-- show, as a limited user
-- GET /api/hosts/:host_id/interfaces/:id: 2 statements
-- limited show.1 is limited list.1
-- limited show.2 is list.2, but
    t.attached_to as attached_to, t.mode as mode, array_to_string(t.attached_devices, ',') as attached_devices,
-   t.bond_options as bond_options, t.provider as provider, t.username as username,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from interfaces t where (t.host_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+   t.bond_options as bond_options, t.provider as provider, t.username as username
+ from interfaces t
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and (
+     t.host_id in (
+       select t.id
+       from hosts t
+       where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+     )
+   )
+   and (t.host_id = $)
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as a limited user
-- PUT /api/hosts/:host_id/interfaces/:id: 6 statements
-- limited update.1 is limited list.1
-- limited update.2
select t.*
from interfaces t
where
  (t.id = $::bigint or t.name = $::text)
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
    )
  )
  and (t.host_id = $)
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- limited update.3 is shared 22f779: update interfaces t set name = $::text, updated_at = now() where id = $ returning t.*;
-- limited update.4 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- limited update.5 is limited create.4
-- limited update.6 is create.5

-- delete, as a limited user
-- DELETE /api/hosts/:host_id/interfaces/:id: 5 statements
-- limited delete.1 is limited list.1
-- limited delete.2 is limited update.2
-- limited delete.3 is create.5
-- limited delete.4 is create.4
-- limited delete.5 is delete.5
