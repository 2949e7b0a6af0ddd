-- list, as an administrator
-- GET /api/organizations: 1 statement
-- list.1
select
  t.label as label, nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from organizations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from organizations t where (true) order by t.title asc, t.id limit $) t
order by t.title asc, t.id;

-- list with search=title ~ ex and order=id DESC, as an administrator
-- GET /api/organizations: 2 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from organizations t where (true) order by t.title asc, t.id limit $) t
- order by t.title asc, t.id;
+ from
+   (
+     select t.*
+     from organizations t
+     where (true) and (fold (t.title) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.2 is shared f7e333: select count(*) as count, (select coalesce(sum(writes), 0)::bigint from table_changes wher…

-- create, as an administrator
-- POST /api/organizations: 8 statements
-- create.1 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- create.2 is shared a2cff0: select from organizations where id is distinct from $::bigint and (title = $ or (fold (nam…
-- create.3 is shared 91d83b: select distinct smart_proxy_id as id from smart_proxy_features where settings -> 'mirror' …
-- create.4 is shared d0c8ac: insert into organizations as t (name, title) values ($::text, $::text) returning t.*, arra…
-- create.5 is shared f9b500: update organizations set ancestor_ids = $::bigint[] where id = $;
-- create.6 is shared 2e6053: select t.*, array(select l.location_id from location_organizations l where l.organization_…
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
            select x.id
            from organizations x
            where x.id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select exists (select from organizations t where t.id = $ and (true)) as held;
-- create.8
select
  t.label as label, nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from organizations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  (select count(*) from hosts h where h.organization_id = t.id) as hosts_count,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description, 'inherited', not linked.directly)
          order by x.login, x.id
        )
      from
        (
          select l.user_id as id, bool_or(l.organization_id = t.id) as directly
          from user_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join users x on x.id = linked.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'url', x.url, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.smart_proxy_id as id, bool_or(l.organization_id = t.id) as directly
          from smart_proxy_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join smart_proxies x on x.id = linked.id
    ),
    '[]'
  ) as smart_proxies,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'description', x.description, 'network_address',
            host(x.network) || '/' || bit_count(substring(inet_send (x.mask) from 5))::integer,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.subnet_id as id, bool_or(l.organization_id = t.id) as directly
          from subnet_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join subnets x on x.id = linked.id
    ),
    '[]'
  ) as subnets,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'provider', x.provider, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.compute_resource_id as id, bool_or(l.organization_id = t.id) as directly
          from compute_resource_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join compute_resources x on x.id = linked.id
    ),
    '[]'
  ) as compute_resources,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.medium_id as id, bool_or(l.organization_id = t.id) as directly
          from medium_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join media x on x.id = linked.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'description', x.description, 'os_family', x.os_family, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'name', x.name, 'id', x.id,
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.ptable_id as id, bool_or(l.organization_id = t.id) as directly
          from ptable_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join ptables x on x.id = linked.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'inherited', not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.template_id as id, bool_or(l.organization_id = t.id) as directly
          from template_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join templates x on x.id = linked.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.domain_id as id, bool_or(l.organization_id = t.id) as directly
          from domain_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join domains x on x.id = linked.id
    ),
    '[]'
  ) as domains,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
            not linked.directly
          )
          order by x.name, x.id
        )
      from
        (
          select l.realm_id as id, bool_or(l.organization_id = t.id) as directly
          from realm_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join realms x on x.id = linked.id
    ),
    '[]'
  ) as realms,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'inherited', not linked.directly)
          order by x.name, x.id
        )
      from
        (
          select l.environment_id as id, bool_or(l.organization_id = t.id) as directly
          from environment_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join environments x on x.id = linked.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description, 'inherited', not linked.directly)
          order by x.title, x.id
        )
      from
        (
          select l.hostgroup_id as id, bool_or(l.organization_id = t.id) as directly
          from hostgroup_organizations l
          where l.organization_id = t.id or l.organization_id = any (t.ancestor_ids)
          group by 1
        ) linked
        join hostgroups x on x.id = linked.id
    ),
    '[]'
  ) as hostgroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from location_organizations l join locations x on x.id = l.location_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as locations,
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
      where p.organization_id = t.id
    ),
    '[]'
  ) as parameters
from organizations t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/organizations/:id: 1 statement
-- show.1 is create.8, but
  from organizations t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.title = $::text) and (true)
+ order by (t.title = $::text) desc

-- update, as an administrator
-- PUT /api/organizations/:id: 10 statements
-- update.1 is shared ce859a: select t.id from organizations t where (t.id = $::bigint or t.title = $::text) and (true) …
-- update.2 is shared 45349a: select t.*, array(select l.location_id from location_organizations l where l.organization_…
-- update.3 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- update.4 is shared a2cff0: select from organizations where id is distinct from $::bigint and (title = $ or (fold (nam…
-- update.5 is shared f9b500: update organizations set ancestor_ids = $::bigint[] where id = $;
-- update.6 is shared 3dcfc7: update organizations t set name = $::text, title = $::text, updated_at = now() where id = …
-- update.7 is shared 35ef74: with named as ( select id, match as before, smart_class_parameter_id as parameter, $::text…
-- update.8 is shared 2a8af7: with recursive below (id, title, ancestor_ids) as ( select id, title, ancestor_ids from or…
-- update.9 is create.7
-- update.10 is create.8

-- delete, as an administrator
-- DELETE /api/organizations/:id: 11 statements
-- delete.1 is shared ce859a: select t.id from organizations t where (t.id = $::bigint or t.title = $::text) and (true) …
-- delete.2 is shared 45349a: select t.*, array(select l.location_id from location_organizations l where l.organization_…
-- delete.3
select
  t.id as id, t.name as name, t.description as description,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id, t.title as title,
  t.select_all_types as select_all_types, t.created_at as created_at, t.updated_at as updated_at
from organizations t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.name as called, true as shown
from hosts t
where t.organization_id = $
order by 1
limit $;
-- delete.5 is shared ec7346: select from organizations where id = $ for update;
-- delete.6 is shared 897ed0: select id from organizations where parent_id = $ limit 1;
-- delete.7 is shared 7fa723: select from roles where id in (select l.role_id from role_organizations l where l.organiza…
-- delete.8 is shared e9d997: select from filters where id in (select l.filter_id from filter_organizations l where l.or…
-- delete.9 is shared a2f63e: select f.id from filters f where f.override and f.id in (select l.filter_id from filter_or…
-- delete.10 is create.7, but
    )
- select exists (select from organizations t where t.id = $ and (true)) as held;
+ select true as held;
-- delete.11 is shared 237904: delete from organizations where id = $;

-- list, as a limited user
-- GET /api/organizations: 1 statement
-- limited list.1
select
  t.label as label, nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from organizations n where n.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
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
      and ((((fold (t.title) like fold ($)))))
    order by t.title asc, t.id
    limit $
  ) t
order by t.title asc, t.id;

-- list with search=title ~ ex and order=id DESC, as a limited user
-- GET /api/organizations: 2 statements
-- limited search.1 is limited list.1, but
        and ((((fold (t.title) like fold ($)))))
-     order by t.title asc, t.id
+       and (fold (t.title) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.title asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared 33713a: select count(*) as count, (select coalesce(sum(writes), 0)::bigint from table_changes wher…

-- create, as a limited user
-- POST /api/organizations: 11 statements
-- limited create.1 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited create.2 is shared a2cff0: select from organizations where id is distinct from $::bigint and (title = $ or (fold (nam…
-- limited create.3 is shared 91d83b: select distinct smart_proxy_id as id from smart_proxy_features where settings -> 'mirror' …
-- limited create.4 is shared d67229: select o.id from override_values o where exists ( select from unnest(string_to_array(o.mat…
-- limited create.5 is shared d0c8ac: insert into organizations as t (name, title) values ($::text, $::text) returning t.*, arra…
-- limited create.6 is shared f9b500: update organizations set ancestor_ids = $::bigint[] where id = $;
-- limited create.7 is shared 8cd9d5: insert into user_organizations (user_id, organization_id) values ($, $) on conflict do not…
-- limited create.8 is shared 2e6053: select t.*, array(select l.location_id from location_organizations l where l.organization_…
-- limited create.9 is create.7, but
    )
- select exists (select from organizations t where t.id = $ and (true)) as held;
+ select
+   exists (
+     select
+     from organizations t
+     where
+       t.id = $
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
+       and ((((fold (t.title) like fold ($)))))
+   ) as held;
-- limited create.10 is create.8
-- limited create.11 is shared 30f4a1: select 0 as place, t.id from users t where t.id = any ((select $::bigint[])::bigint[]) and…

-- show, as a limited user
-- GET /api/organizations/:id: 1 statement
-- limited show.1 is create.8, but
  select
+   shown.*,
+   array(
+     select t.id
+     from users t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.users) entry))
+       and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
+       and (
+         exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($::bigint[]))
+       )
+       and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_0,
+   array(
+     select t.id
+     from smart_proxies t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.smart_proxies) entry))
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
+   ) as _reachable_1,
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
+   ) as _reachable_2,
+   array(
+     select t.id
+     from compute_resources t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.compute_resources) entry))
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
+   ) as _reachable_3,
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
+   ) as _reachable_4,
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
+   ) as _reachable_5,
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
+   ) as _reachable_6,
+   array(
+     select t.id
+     from domains t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.domains) entry))
+       and (
+         exists (
+           select
+           from domain_organizations l
+           where l.domain_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_7,
+   array(
+     select t.id
+     from realms t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.realms) entry))
+       and (
+         exists (
+           select
+           from realm_organizations l
+           where l.realm_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($::bigint[])))
+   ) as _reachable_8,
+   array(
+     select t.id
+     from environments t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.environments) entry))
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
+   ) as _reachable_9,
+   array(
+     select t.id
+     from hostgroups t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.hostgroups) entry))
+       and (
+         exists (
+           select
+           from hostgroup_organizations l
+           where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from hostgroup_locations l
+           where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as _reachable_10,
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
+   ) as _reachable_11
+ from
+   (
+     select
                json_build_object(
-             'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type, 'inherited',
-             not linked.directly
+                 'id', x.id, 'name', x.name, 'realm_proxy_id', x.realm_proxy_id, 'realm_type', x.realm_type,
+                 'inherited', not linked.directly
      from organizations t
- where (t.id = $::bigint) and true
- order by t.id
- limit 1;
+     where
+       (t.id = $::bigint or t.title = $::text)
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
+       and ((((fold (t.title) like fold ($)))))
+     order by (t.title = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/organizations/:id: 12 statements
-- limited update.1 is shared d324bd: select t.id from organizations t where (t.id = $::bigint or t.title = $::text) and ( ( (t.…
-- limited update.2 is shared 45349a: select t.*, array(select l.location_id from location_organizations l where l.organization_…
-- limited update.3 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited update.4 is shared a2cff0: select from organizations where id is distinct from $::bigint and (title = $ or (fold (nam…
-- limited update.5 is shared f9b500: update organizations set ancestor_ids = $::bigint[] where id = $;
-- limited update.6 is shared d67229: select o.id from override_values o where exists ( select from unnest(string_to_array(o.mat…
-- limited update.7 is shared 3dcfc7: update organizations t set name = $::text, title = $::text, updated_at = now() where id = …
-- limited update.8 is shared 35ef74: with named as ( select id, match as before, smart_class_parameter_id as parameter, $::text…
-- limited update.9 is shared 2a8af7: with recursive below (id, title, ancestor_ids) as ( select id, title, ancestor_ids from or…
-- limited update.10 is limited create.9
-- limited update.11 is create.8
-- limited update.12 is shared 30f4a1: select 0 as place, t.id from users t where t.id = any ((select $::bigint[])::bigint[]) and…

-- delete, as a limited user
-- DELETE /api/organizations/:id: 11 statements
-- limited delete.1 is shared d324bd: select t.id from organizations t where (t.id = $::bigint or t.title = $::text) and ( ( (t.…
-- limited delete.2 is shared 45349a: select t.*, array(select l.location_id from location_organizations l where l.organization_…
-- limited delete.3 is delete.3
-- limited delete.4 is shared 9d501d: select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any …
-- limited delete.5 is shared ec7346: select from organizations where id = $ for update;
-- limited delete.6 is shared 897ed0: select id from organizations where parent_id = $ limit 1;
-- limited delete.7 is shared 7fa723: select from roles where id in (select l.role_id from role_organizations l where l.organiza…
-- limited delete.8 is shared e9d997: select from filters where id in (select l.filter_id from filter_organizations l where l.or…
-- limited delete.9 is shared a2f63e: select f.id from filters f where f.override and f.id in (select l.filter_id from filter_or…
-- limited delete.10 is delete.10
-- limited delete.11 is shared 237904: delete from organizations where id = $;
