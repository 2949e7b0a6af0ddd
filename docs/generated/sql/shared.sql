-- Statements that several resources run. The other files name them by what stands above them here.
-- $ stands for a bound value. Where a statement is like one above it, lines with - are gone and lines with + are new.

-- shared 6c78e4
delete from auth_sources
where id = $;

-- shared 237904
delete from organizations
where id = $;

-- shared b5a176
delete from parameters
where id = $;

-- shared d0c8ac
insert into organizations as t (name, title)
values ($::text, $::text)
returning
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users,
  array(
    select l.smart_proxy_id
    from smart_proxy_organizations l
    where l.organization_id = t.id
    order by 1
  ) as smart_proxies,
  array(select l.subnet_id from subnet_organizations l where l.organization_id = t.id order by 1) as subnets,
  array(
    select l.compute_resource_id
    from compute_resource_organizations l
    where l.organization_id = t.id
    order by 1
  ) as compute_resources,
  array(select l.medium_id from medium_organizations l where l.organization_id = t.id order by 1) as media,
  array(select l.ptable_id from ptable_organizations l where l.organization_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_organizations l
    where l.organization_id = t.id
    order by 1
  ) as provisioning_templates,
  array(select l.domain_id from domain_organizations l where l.organization_id = t.id order by 1) as domains,
  array(select l.realm_id from realm_organizations l where l.organization_id = t.id order by 1) as realms,
  array(
    select l.environment_id
    from environment_organizations l
    where l.organization_id = t.id
    order by 1
  ) as environments,
  array(
    select l.hostgroup_id
    from hostgroup_organizations l
    where l.organization_id = t.id
    order by 1
  ) as hostgroups;

-- shared 8cd9d5
insert into user_organizations (user_id, organization_id)
values ($, $)
on conflict do nothing;

-- shared fc2725
select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as everything;

-- shared ed55e9
select
  case
    when strpos(i.name, '.') > 0
    or i.domain_id is null then i.name
    else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
  end as name, h.name as "hostName", i.primary,
  case
    when family(i.ip) = family(s.mask) then (i.ip & s.mask) <> (s.network & s.mask)
    else i.ip is not null
    and s.mask is not null
  end as ip,
  case
    when family(i.ip6) = family(s6.mask) then (i.ip6 & s6.mask) <> (s6.network & s6.mask)
    else i.ip6 is not null
    and s6.mask is not null
  end as ip6, s.network_type <> 'IPv4' as family, s6.network_type <> 'IPv6' as family6
from
  interfaces i
  join hosts h on h.id = i.host_id
  left join subnets s on s.id = i.subnet_id
  left join subnets s6 on s6.id = i.subnet6_id
where i.id = $;

-- shared 33713a
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from organizations t
where
  (
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
  and ((((fold (t.title) like fold ($)))));

-- shared f7e333
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from organizations t
where (true);

-- shared b2cbd9
select
  t.*,
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- shared 3ca659
select
  t.*,
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;

-- shared 515771 is shared 3ca659, but
  from auth_sources t
- where (t.id = $::bigint or t.name = $::text) and true
- order by (t.name = $::text) desc
- limit 1;
+ where t.id = $;

-- shared 45349a is shared d0c8ac, but
- insert into organizations as t (name, title)
- values ($::text, $::text)
- returning
+ select
      order by 1
-   ) as hostgroups;
+   ) as hostgroups
+ from organizations t
+ where (t.id = $::bigint or t.title = $::text) and true
+ order by (t.title = $::text) desc
+ limit 1;

-- shared 2e6053 is shared d0c8ac, but
- insert into organizations as t (name, title)
- values ($::text, $::text)
- returning
+ select
      order by 1
-   ) as hostgroups;
+   ) as hostgroups
+ from organizations t
+ where t.id = $;

-- shared aedcb3
select
  t.*,
  in_order (
    t.default_value,
    (select k.ordered from smart_class_parameters_order k where k.id = t.id)
  ) as default_value,
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- shared 9ba6e4
select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization
from tasks t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- shared c50f27
select
  t.login as called,
  (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[]))) as shown
from users t
where t.auth_source_id = $
order by 1
limit $;

-- shared 60f2ea is shared c50f27, but
    t.login as called,
-   (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
-   and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[])))
-   and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[]))) as shown
+   (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden')) as shown

-- shared d0d647
select 0 as place, t.id
from locations t
where
  t.id = any ((select $::bigint[])::bigint[])
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
union all
select 1 as place, t.id
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
  );

-- shared b42231
select 0 as place, t.id
from locations t
where t.id = any ((select $::bigint[])::bigint[]) and (true)
union all
select 1 as place, t.id
from organizations t
where t.id = any ((select $::bigint[])::bigint[]) and (true);

-- shared a634ae is shared 33713a, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select 0 as place, t.id
  where
-   (
+   t.id = any ((select $::bigint[])::bigint[])
+   and (
      )
-   )
-   and ((((fold (t.title) like fold ($)))));
+   );

-- shared 59b85d
select 0 as place, t.id
from organizations t
where t.id = any ((select $::bigint[])::bigint[]) and (true);

-- shared 30f4a1
select 0 as place, t.id
from users t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])));

-- shared 91d83b
select distinct smart_proxy_id as id
from smart_proxy_features
where settings -> 'mirror' = 'false'
order by 1;

-- shared a2f63e
select f.id
from filters f
where
  f.override
  and f.id in (select l.filter_id from filter_organizations l where l.organization_id = $)
  and not exists (select from filter_organizations l where l.filter_id = f.id and l.organization_id <> $)
  or not f.override
  and f.role_id in (select l.role_id from role_organizations l where l.organization_id = $)
  and not exists (select from role_organizations l where l.role_id = f.role_id and l.organization_id <> $)
order by f.id;

-- shared e9d997
select
from filters
where id in (select l.filter_id from filter_organizations l where l.organization_id = $)
order by id
for update;

-- shared a2cff0
select
from organizations
where
  id is distinct from $::bigint
  and (title = $ or (fold (name) = fold ($::text) and coalesce(parent_id, 0) = $));

-- shared ec7346
select
from organizations
where id = $
for update;

-- shared 7fa723
select
from roles
where id in (select l.role_id from role_organizations l where l.organization_id = $)
order by id
for update;

-- shared 318c42
select
from usergroups
where
  admin
  and id in (
    with recursive
      around (id) as (
        select $::bigint
        union
        select outside.usergroup_id
        from usergroup_usergroups outside join around on outside.member_id = around.id
      )
    select id
    from around
  );

-- shared c9481f
select
from users u join auth_sources s on s.id = u.auth_source_id
where
  not u.disabled
  and u.id is distinct from $::bigint
  and (s.type = 'AuthSourceInternal' and u.password is not null or s.type = 'AuthSourceLdap')
  and (
    u.admin
    or u.id in (
      with recursive
        inside (id) as (
          select id
          from usergroups
          where admin
          union
          select down.member_id
          from usergroup_usergroups down join inside on down.usergroup_id = inside.id
        )
      select user_id
      from usergroup_users
      where usergroup_id in (select id from inside)
    )
  )
limit 1;

-- shared 897ed0
select id
from organizations
where parent_id = $
limit 1;

-- shared cfd5e8
select id
from override_values
where match = $
order by id;

-- shared a812a8
select id, name, label
from organizations
where id = $;

-- shared d67229
select o.id
from override_values o
where
  exists (
    select
    from unnest(string_to_array(o.match, ',')) as p (part), unnest($::text[]) as n (text)
    where p.part = n.text or starts_with(p.part, n.text || '/')
  )
order by o.id;

-- shared 2147aa
select pg_advisory_xact_lock(hashtext (fold ($::text)));

-- shared 4e9526
select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value
from parameters t
where t.id = $;

-- shared cffc40
select t.id as id
from operatingsystems t
where (t.id = $::bigint or t.title = $::text) and true
order by (t.title = $::text) desc
limit 1;

-- shared b016bd
select t.id as id
from smart_class_parameters t
where
  (t.id = $::bigint or t.parameter = $::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $::text) desc
limit 1;

-- shared 5c8e88
select t.id as id
from users t
where
  (t.id = $::bigint or t.login = $::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
      )
      or (t.id = $)
    )
  )
order by (t.login = $::text) desc
limit 1;

-- shared 2ff1d2
select t.id as id
from users t
where
  (t.id = $::bigint or t.login = $::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $::text) desc
limit 1;

-- shared 599ef9
select t.id
from lifecycle_environments t
where t.id = any ($::bigint[]) and (t.organization_id = any ($::bigint[]));

-- shared d324bd is shared 33713a, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.id
  where
-   (
+   (t.id = $::bigint or t.title = $::text)
+   and (
    )
-   and ((((fold (t.title) like fold ($)))));
+   and ((((fold (t.title) like fold ($)))))
+ order by (t.title = $::text) desc
+ limit 1
+ for no key update of t;

-- shared ce859a
select t.id
from organizations t
where (t.id = $::bigint or t.title = $::text) and (true)
order by (t.title = $::text) desc
limit 1
for no key update of t;

-- shared 181573
select t.id
from smart_class_parameters t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;

-- shared 76142c is shared 181573, but
  select t.id
- from smart_class_parameters t
+ from subscriptions t

-- shared 37fdb4
select t.id
from tasks t
where t.id = any ($::bigint[]) and t.user_id is distinct from $::bigint;

-- shared 9d501d
select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
from hosts t
where t.organization_id = $
order by 1
limit $;

-- shared 7b9844
update auth_sources t
set name = $::text, updated_at = now()
where id = $
returning t.*;

-- shared 22f779 is shared 7b9844, but
- update auth_sources t
+ update interfaces t

-- shared f9b500
update organizations
set ancestor_ids = $::bigint[]
where id = $;

-- shared 3dcfc7
update organizations t
set name = $::text, title = $::text, updated_at = now()
where id = $
returning t.*;

-- shared 675403
update parameters t
set name = $::text, updated_at = now()
where id = $
returning t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value;

-- shared 607efc is shared 7b9844, but
- update auth_sources t
+ update subscriptions t

-- shared 35ef74
with
  named as (
    select id, match as before, smart_class_parameter_id as parameter, $::text || substr(match, $::int) as match
    from override_values
    where (match = $ or starts_with(match, $::text)) and strpos(match, ',') = 0
  )
update override_values o
set match = named.match, updated_at = now()
from named
where
  named.id = o.id
  and not exists (
    select
    from override_values other
    where other.smart_class_parameter_id = named.parameter and other.match = named.match
  )
returning o.id, named.before, o.match as after;

-- shared 03afc9
with
  planned as (
    insert into tasks (kind, action, input, organization_id, user_id, username)
    values ($, $, $::jsonb, $::bigint, $, $)
    returning id, uuid
  )
select planned.id, planned.uuid
from planned, pg_notify ($, '');

-- shared 0148a5
with
  removed as (
    delete from auth_source_organizations
    where auth_source_id = $ and not organization_id = any ($::bigint[])
  )
insert into auth_source_organizations (auth_source_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;

-- shared c712ea
with
  removed as (delete from auth_source_locations where auth_source_id = $ and not location_id = any ($::bigint[]))
insert into auth_source_locations (auth_source_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;

-- shared 017f80
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
select true as held;

-- shared 54907e is shared 017f80, but
      returning id, auditable_id, auditable_type
+   ),
+   in_organizations as (
+     insert into audit_organizations (audit_id, organization_id)
+     select found.audit_id, p.id
+     from
+       (
+         select written.id, places.id
+         from
+           written
+           cross join lateral (
+             select l.organization_id as id
+             from auth_source_organizations l
+             where l.auth_source_id = written.auditable_id
+             offset 0
+           ) places (id)
+       ) found (audit_id, id)
+       join organizations p using (id)
+     for key share of p
+   ),
+   in_locations as (
+     insert into audit_locations (audit_id, location_id)
+     select found.audit_id, p.id
+     from
+       (
+         select written.id, places.id
+         from
+           written
+           cross join lateral (
+             select l.location_id as id
+             from auth_source_locations l
+             where l.auth_source_id = written.auditable_id
+             offset 0
+           ) places (id)
+       ) found (audit_id, id)
+       join locations p using (id)
+     for key share of p

-- shared 1d16e3 is shared 017f80, but
      returning id, auditable_id, auditable_type
+   ),
+   in_organizations as (
+     insert into audit_organizations (audit_id, organization_id)
+     select found.audit_id, p.id
+     from
+       (
+         select written.id, places.id
+         from
+           written
+           cross join lateral (
+             select x.organization_id as id
+             from subscriptions x
+             where x.id = written.auditable_id and x.organization_id is not null
+             offset 0
+           ) places (id)
+       ) found (audit_id, id)
+       join organizations p using (id)
+     for key share of p
    )
- select true as held;
+ select exists (select from subscriptions t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;

-- shared 2a8af7
with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from organizations
    where id = $
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from organizations child join below on child.parent_id = below.id
  )
update organizations as moved
set title = below.title, ancestor_ids = below.ancestor_ids
from below
where below.id = moved.id and moved.id <> $;
