-- list, as an administrator
-- GET /api/hostgroups: 2 statements
-- list.1
select
  t.subnet_id as subnet_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet_id,
        (
          select above.subnet_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet_name,
  t.operatingsystem_id as operatingsystem_id,
  (
    select x.title
    from operatingsystems x
    where
      x.id = coalesce(
        t.operatingsystem_id,
        (
          select above.operatingsystem_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as operatingsystem_name,
  t.domain_id as domain_id,
  (
    select x.name
    from domains x
    where
      x.id = coalesce(
        t.domain_id,
        (
          select above.domain_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.domain_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as domain_name,
  t.environment_id as environment_id,
  (
    select x.name
    from environments x
    where
      x.id = coalesce(
        t.environment_id,
        (
          select above.environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as environment_name,
  t.compute_profile_id as compute_profile_id,
  (
    select x.name
    from compute_profiles x
    where
      x.id = coalesce(
        t.compute_profile_id,
        (
          select above.compute_profile_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_profile_name,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select n.title from hostgroups n where n.id = t.parent_id) as parent_name,
  t.ptable_id as ptable_id,
  (
    select x.name
    from ptables x
    where
      x.id = coalesce(
        t.ptable_id,
        (
          select above.ptable_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.ptable_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as ptable_name,
  t.medium_id as medium_id,
  (
    select x.name
    from media x
    where
      x.id = coalesce(
        t.medium_id,
        (
          select above.medium_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.medium_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as medium_name,
  coalesce(
    t.pxe_loader,
    (
      select above.pxe_loader
      from hostgroups above
      where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
      order by cardinality(above.ancestor_ids) desc
      limit 1
    )
  ) as pxe_loader,
  t.subnet6_id as subnet6_id,
  (
    select x.name
    from subnets x
    where
      x.id = coalesce(
        t.subnet6_id,
        (
          select above.subnet6_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as subnet6_name,
  t.compute_resource_id as compute_resource_id,
  (
    select x.name
    from compute_resources x
    where
      x.id = coalesce(
        t.compute_resource_id,
        (
          select above.compute_resource_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as compute_resource_name,
  t.architecture_id as architecture_id,
  (
    select x.name
    from architectures x
    where
      x.id = coalesce(
        t.architecture_id,
        (
          select above.architecture_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.architecture_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as architecture_name,
  t.realm_id as realm_id,
  (
    select x.name
    from realms x
    where
      x.id = coalesce(
        t.realm_id,
        (
          select above.realm_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.realm_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as realm_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.config_proxy_id as config_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (
    select x.name
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_proxy_id,
        (
          select above.config_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where
      x.id = coalesce(
        t.config_ca_proxy_id,
        (
          select above.config_ca_proxy_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as config_ca_proxy,
  (
    select above.compute_profile_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_profile_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_profile_id,
  (
    select above.environment_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.environment_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_environment_id,
  (
    select above.domain_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.domain_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_domain_id,
  (
    select above.config_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_proxy_id,
  (
    select above.config_ca_proxy_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.config_ca_proxy_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_config_ca_proxy_id,
  (
    select above.compute_resource_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.compute_resource_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_compute_resource_id,
  (
    select above.operatingsystem_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.operatingsystem_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_operatingsystem_id,
  (
    select above.architecture_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.architecture_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_architecture_id,
  (
    select above.medium_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.medium_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_medium_id,
  (
    select above.ptable_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.ptable_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_ptable_id,
  (
    select above.subnet_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet_id,
  (
    select above.subnet6_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.subnet6_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_subnet6_id,
  (
    select above.realm_id
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.realm_id is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_realm_id,
  (
    select above.pxe_loader
    from hostgroups above
    where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
    order by cardinality(above.ancestor_ids) desc
    limit 1
  ) as inherited_pxe_loader,
  t.content_source_id as content_source_id,
  (select n.name from smart_proxies n where n.id = t.content_source_id) as content_source_name,
  t.content_view_id as content_view_id,
  (
    select x.name
    from content_views x
    where
      x.id = coalesce(
        t.content_view_id,
        (
          select above.content_view_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.content_view_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as content_view_name,
  t.lifecycle_environment_id as lifecycle_environment_id,
  (
    select x.name
    from lifecycle_environments x
    where
      x.id = coalesce(
        t.lifecycle_environment_id,
        (
          select above.lifecycle_environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.lifecycle_environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as lifecycle_environment_name,
  (
    select c.id
    from content_view_environments c
    where
      c.content_view_id = coalesce(
        t.content_view_id,
        (
          select above.content_view_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.content_view_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
      and c.environment_id = coalesce(
        t.lifecycle_environment_id,
        (
          select above.lifecycle_environment_id
          from hostgroups above
          where above.id = any (t.ancestor_ids) and above.lifecycle_environment_id is not null
          order by cardinality(above.ancestor_ids) desc
          limit 1
        )
      )
  ) as content_view_environment_id,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view',
            json_build_object(
              'id', v.id, 'name', v.name, 'label', v.label, 'composite', v.composite, 'rolling', false,
              'content_view_version', n.version, 'content_view_version_id', n.id, 'content_view_version_latest',
              n.id = (
                select x.id
                from content_view_versions x
                where x.content_view_id = v.id
                order by x.major desc, x.minor desc
                limit 1
              ),
              'content_view_default', v."default", 'content_view_environment_id', c.id
            ),
            'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'label', e.label, 'lifecycle_environment_library', e.library)
          )
          order by v.id
        )
      from
        content_views v
        join lifecycle_environments e on e.id = coalesce(
          t.lifecycle_environment_id,
          (
            select above.lifecycle_environment_id
            from hostgroups above
            where above.id = any (t.ancestor_ids) and above.lifecycle_environment_id is not null
            order by cardinality(above.ancestor_ids) desc
            limit 1
          )
        )
        left join content_view_environments c on c.content_view_id = v.id
        and c.environment_id = e.id
        left join content_view_versions n on n.id = c.content_view_version_id
      where
        v.id = coalesce(
          t.content_view_id,
          (
            select above.content_view_id
            from hostgroups above
            where above.id = any (t.ancestor_ids) and above.content_view_id is not null
            order by cardinality(above.ancestor_ids) desc
            limit 1
          )
        )
        and c.id is not null
    ),
    '[]'
  ) as content_view_environments,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from hostgroups t
where true
order by t.title asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=title ~ ex and order=id DESC, as an administrator
-- GET /api/hostgroups: 3 statements
-- search.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from hostgroups t
where (fold (t.title) like fold ($))
order by t.id desc, t.id
limit $;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from hostgroups t
where (fold (t.title) like fold ($));

-- create, as an administrator
-- POST /api/hostgroups: 11 statements
-- create.1 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.2 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- create.3
select
from hostgroups
where
  id is distinct from $::bigint
  and (title = $ or (fold (name) = fold ($::text) and coalesce(parent_id, 0) = $));
-- create.4
insert into hostgroups as t (name, title)
values ($::text, $::text)
returning
  t.*,
  array(select l.location_id from hostgroup_locations l where l.hostgroup_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from hostgroup_organizations l
    where l.hostgroup_id = t.id
    order by 1
  ) as organizations,
  array(
    select l.configclass_id
    from hostgroup_configclasses l
    where l.hostgroup_id = t.id
    order by 1
  ) as configclasses,
  array(
    select l.config_group_id
    from config_group_hostgroups l
    where l.hostgroup_id = t.id
    order by 1
  ) as config_groups;
-- create.5
with removed as (delete from hostgroup_locations where hostgroup_id = $ and not location_id = any ($::bigint[]))
insert into hostgroup_locations (hostgroup_id, location_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.6
with
  removed as (
    delete from hostgroup_organizations
    where hostgroup_id = $ and not organization_id = any ($::bigint[])
  )
insert into hostgroup_organizations (hostgroup_id, organization_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.7 is create.4, but
- insert into hostgroups as t (name, title)
- values ($::text, $::text)
- returning
+ select
      order by 1
-   ) as config_groups;
+   ) as config_groups
+ from hostgroups t
+ where t.id = $;
-- create.8
update hostgroups
set ancestor_ids = $::bigint[]
where id = $;
-- create.9 is create.7
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
            from hostgroup_organizations l
            where l.hostgroup_id = written.auditable_id
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
            from hostgroup_locations l
            where l.hostgroup_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.11 is list.1, but
    ) as content_view_environments,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
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
+       where p.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as parameters,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
+             (select n.name from templates n where n.id = x.provisioning_template_id),
+             'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
+             (select n.title from hostgroups n where n.id = x.hostgroup_id),
+             'environment_id', x.environment_id, 'environment_name',
+             (select n.name from environments n where n.id = x.environment_id),
+             'config_template_id', x.provisioning_template_id, 'config_template_name',
+             (select y.name from templates y where y.id = x.provisioning_template_id)
+           )
+           order by x.id, x.id
+         )
+       from template_combinations x
+       where t.id in (x.hostgroup_id)
+     ),
+     '[]'
+   ) as template_combinations,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+           order by x.name, x.id
+         )
+       from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
+       where l.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as configclasses,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'created_at', to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
+             to_char(g.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', g.id, 'name', g.name,
+             'configclasses',
+             coalesce(
+               (
+                 select
+                   json_agg(
+                     json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+                     order by x.name
+                   )
+                 from configclasses x join config_group_configclasses m on m.configclass_id = x.id
+                 where m.config_group_id = g.id
+               ),
+               '[]'
+             )
+           )
+           order by g.name, g.id
+         )
+       from config_group_hostgroups l join config_groups g on g.id = l.config_group_id
+       where l.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as config_groups,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+           order by x.name
+         )
+       from configclasses x
+       where
+         x.id in (
+           select given.configclass_id
+           from
+             (
+               select own.configclass_id
+               from
+                 hostgroups line
+                 join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+               where line.id = t.id
+               union
+               select member.configclass_id
+               from
+                 hostgroups line
+                 join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+                 join config_group_configclasses member on member.config_group_id = own.config_group_id
+               where line.id = t.id
+             ) given
+           where
+             coalesce(
+               t.environment_id,
+               (
+                 select above.environment_id
+                 from hostgroups above
+                 where above.id = any (t.ancestor_ids) and above.environment_id is not null
+                 order by cardinality(above.ancestor_ids) desc
+                 limit 1
+               )
+             ) is null
+             or exists (
+               select
+               from configclass_environments there
+               where
+                 there.configclass_id = given.configclass_id
+                 and there.environment_id = coalesce(
+                   t.environment_id,
+                   (
+                     select above.environment_id
+                     from hostgroups above
+                     where above.id = any (t.ancestor_ids) and above.environment_id is not null
+                     order by cardinality(above.ancestor_ids) desc
+                     limit 1
+                   )
+                 )
+             )
+         )
+     ),
+     '[]'
+   ) as all_configclasses,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+           order by x.title, x.id
+         )
+       from hostgroup_locations l join locations x on x.id = l.location_id
+       where l.hostgroup_id = t.id
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
+       from hostgroup_organizations l join organizations x on x.id = l.organization_id
+       where l.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as organizations
  from hostgroups t
- where true
- order by t.title asc, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/hostgroups/:id: 1 statement
-- show.1 is list.1, but
    ) as content_view_environments,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
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
+       where p.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as parameters,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
+             (select n.name from templates n where n.id = x.provisioning_template_id),
+             'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
+             (select n.title from hostgroups n where n.id = x.hostgroup_id),
+             'environment_id', x.environment_id, 'environment_name',
+             (select n.name from environments n where n.id = x.environment_id),
+             'config_template_id', x.provisioning_template_id, 'config_template_name',
+             (select y.name from templates y where y.id = x.provisioning_template_id)
+           )
+           order by x.id, x.id
+         )
+       from template_combinations x
+       where t.id in (x.hostgroup_id)
+     ),
+     '[]'
+   ) as template_combinations,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+           order by x.name, x.id
+         )
+       from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
+       where l.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as configclasses,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'created_at', to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
+             to_char(g.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', g.id, 'name', g.name,
+             'configclasses',
+             coalesce(
+               (
+                 select
+                   json_agg(
+                     json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+                     order by x.name
+                   )
+                 from configclasses x join config_group_configclasses m on m.configclass_id = x.id
+                 where m.config_group_id = g.id
+               ),
+               '[]'
+             )
+           )
+           order by g.name, g.id
+         )
+       from config_group_hostgroups l join config_groups g on g.id = l.config_group_id
+       where l.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as config_groups,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+           order by x.name
+         )
+       from configclasses x
+       where
+         x.id in (
+           select given.configclass_id
+           from
+             (
+               select own.configclass_id
+               from
+                 hostgroups line
+                 join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+               where line.id = t.id
+               union
+               select member.configclass_id
+               from
+                 hostgroups line
+                 join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+                 join config_group_configclasses member on member.config_group_id = own.config_group_id
+               where line.id = t.id
+             ) given
+           where
+             coalesce(
+               t.environment_id,
+               (
+                 select above.environment_id
+                 from hostgroups above
+                 where above.id = any (t.ancestor_ids) and above.environment_id is not null
+                 order by cardinality(above.ancestor_ids) desc
+                 limit 1
+               )
+             ) is null
+             or exists (
+               select
+               from configclass_environments there
+               where
+                 there.configclass_id = given.configclass_id
+                 and there.environment_id = coalesce(
+                   t.environment_id,
+                   (
+                     select above.environment_id
+                     from hostgroups above
+                     where above.id = any (t.ancestor_ids) and above.environment_id is not null
+                     order by cardinality(above.ancestor_ids) desc
+                     limit 1
+                   )
+                 )
+             )
+         )
+     ),
+     '[]'
+   ) as all_configclasses,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+           order by x.title, x.id
+         )
+       from hostgroup_locations l join locations x on x.id = l.location_id
+       where l.hostgroup_id = t.id
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
+       from hostgroup_organizations l join organizations x on x.id = l.organization_id
+       where l.hostgroup_id = t.id
+     ),
+     '[]'
+   ) as organizations
  from hostgroups t
- where true
- order by t.title asc, t.id
- limit 20;
+ where (t.id = $::bigint or t.title = $::text) and true
+ order by (t.title = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/hostgroups/:id: 10 statements
-- update.1
select t.id
from hostgroups t
where (t.id = $::bigint or t.title = $::text) and true
order by (t.title = $::text) desc
limit 1
for no key update of t;
-- update.2 is create.4, but
- insert into hostgroups as t (name, title)
- values ($::text, $::text)
- returning
+ select
      order by 1
-   ) as config_groups;
+   ) as config_groups
+ from hostgroups t
+ where (t.id = $::bigint or t.title = $::text) and true
+ order by (t.title = $::text) desc
+ limit 1;
-- update.3 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- update.4 is create.3
-- update.5 is create.8
-- update.6
update hostgroups t
set name = $::text, title = $::text, updated_at = now()
where id = $
returning t.*;
-- update.7 is shared 35ef74: with named as ( select id, match as before, smart_class_parameter_id as parameter, $::text…
-- update.8
with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from hostgroups
    where id = $
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from hostgroups child join below on child.parent_id = below.id
  )
update hostgroups as moved
set title = below.title, ancestor_ids = below.ancestor_ids
from below
where below.id = moved.id and moved.id <> $;
-- update.9 is create.10
-- update.10 is create.11

-- delete, as an administrator
-- DELETE /api/hostgroups/:id: 8 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, t.title as title, t.description as description,
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  t.environment_id as environment_id, t.operatingsystem_id as operatingsystem_id,
  t.architecture_id as architecture_id, t.medium_id as medium_id, t.ptable_id as ptable_id,
  t.subnet_id as subnet_id, t.subnet6_id as subnet6_id, t.domain_id as domain_id, t.realm_id as realm_id,
  t.compute_resource_id as compute_resource_id, t.compute_profile_id as compute_profile_id,
  t.config_proxy_id as config_proxy_id, t.config_ca_proxy_id as config_ca_proxy_id,
  coalesce(
    t.pxe_loader,
    (
      select above.pxe_loader
      from hostgroups above
      where above.id = any (t.ancestor_ids) and above.pxe_loader is not null
      order by cardinality(above.ancestor_ids) desc
      limit 1
    )
  ) as pxe_loader,
  t.created_at as created_at, t.updated_at as updated_at
from hostgroups t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select t.name as called, true as shown
from hosts t
where t.hostgroup_id = $
order by 1
limit $;
-- delete.5
select
from hostgroups
where parent_id = $
limit 1;
-- delete.6 is create.10
-- delete.7
delete from hostgroups
where id = $;
-- delete.8 is shared cfd5e8: select id from override_values where match = $ order by id;

-- list, as a limited user
-- GET /api/hostgroups: 3 statements
-- limited list.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from hostgroups t
where
  (
    (
      (
        (
          exists (
            select
            from hostgroup_organizations l
            where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (fold (t.title) like fold ($))
      )
    )
  )
  and (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($::bigint[]))
  )
order by t.title asc, t.id
limit $;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is limited list.1, but
  select
-   t.id,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
      exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($::bigint[]))
-   )
- order by t.title asc, t.id
- limit $;
+   );

-- list with search=title ~ ex and order=id DESC, as a limited user
-- GET /api/hostgroups: 4 statements
-- limited search.1 is limited list.1, but
    )
- order by t.title asc, t.id
+   and (fold (t.title) like fold ($))
+ order by t.id desc, t.id
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.1, but
  select
-   t.id,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    )
- order by t.title asc, t.id
- limit $;
+   and (fold (t.title) like fold ($));

-- create, as a limited user
-- POST /api/hostgroups: 12 statements
-- limited create.1 is shared d0d647: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- limited create.2 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited create.3 is create.3
-- limited create.4 is shared d67229: select o.id from override_values o where exists ( select from unnest(string_to_array(o.mat…
-- limited create.5 is create.4
-- limited create.6 is create.5
-- limited create.7 is create.6
-- limited create.8 is create.7
-- limited create.9 is create.8
-- limited create.10 is create.7
-- limited create.11 is create.10, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from hostgroups t
+     where
+       t.id = $
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from hostgroup_organizations l
+                 where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.title) like fold ($))
+           )
+         )
+       )
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
+   ) as held;
-- limited create.12 is create.11

-- show, as a limited user
-- GET /api/hostgroups/:id: 1 statement
-- limited show.1 is list.1, but
  select
+   shown.*,
+   array(
+     select t.id
+     from template_combinations t
+     where
+       t.id = any (
+         array(select (entry ->> 'id')::bigint from json_array_elements(shown.template_combinations) entry)
+       )
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
+       and (
+         (
+           t.hostgroup_id is null
+           or t.hostgroup_id in (
+             select t.id
+             from hostgroups t
+             where
+               (
+                 exists (
+                   select
+                   from hostgroup_organizations l
+                   where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from hostgroup_locations l
+                   where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+           )
+         )
+       )
+       and (
+         (
+           t.environment_id is null
+           or t.environment_id in (
+             select t.id
+             from environments t
+             where
+               (
+                 exists (
+                   select
+                   from environment_organizations l
+                   where l.environment_id = t.id and l.organization_id = any ($::bigint[])
+                 )
+               )
+               and (
+                 exists (
+                   select
+                   from environment_locations l
+                   where l.environment_id = t.id and l.location_id = any ($::bigint[])
+                 )
+               )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from templates t
+     where
+       t.id = any (
+         array(
+           select (entry ->> 'provisioning_template_id')::bigint
+           from json_array_elements(shown.template_combinations) entry
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
+   ) as _reachable_1,
+   array(
+     select t.id
+     from hostgroups t
+     where
+       t.id = any (
+         array(select (entry ->> 'hostgroup_id')::bigint from json_array_elements(shown.template_combinations) entry)
+       )
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
+   ) as _reachable_2,
+   array(
+     select t.id
+     from environments t
+     where
+       t.id = any (
+         array(
+           select (entry ->> 'environment_id')::bigint
+           from json_array_elements(shown.template_combinations) entry
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
+   ) as _reachable_3,
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
+   ) as _reachable_4,
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
+   ) as _reachable_5
+ from
+   (
+     select
        ) as content_view_environments,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object(
+                 'priority',
+                 case
+                   when p.organization_id is not null then 10
+                   when p.location_id is not null then 20
+                   when p.domain_id is not null then 30
+                   when p.subnet_id is not null then 40
+                   when p.operatingsystem_id is not null then 50
+                   when p.hostgroup_id is not null then 60
+                   when p.host_id is not null then 70
+                   else 0
+                 end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+                 'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
+                 'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
+                 case
+                   when p.organization_id is not null then 'organization'
+                   when p.location_id is not null then 'location'
+                   when p.domain_id is not null then 'domain'
+                   when p.subnet_id is not null then 'subnet'
+                   when p.operatingsystem_id is not null then 'operating system'
+                   when p.hostgroup_id is not null then 'host group'
+                   when p.host_id is not null then 'host'
+                   else 'global'
+                 end, 'hidden_value?', p.hidden_value, 'value',
+                 case
+                   when p.hidden_value then '"*****"'::json
+                   else in_order (p.value, (select k.ordered from parameters_order k where k.id = p.id))
+                 end
+               )
+               order by p.name
+             )
+           from parameters p
+           where p.hostgroup_id = t.id
+         ),
+         '[]'
+       ) as parameters,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object(
+                 'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
+                 (select n.name from templates n where n.id = x.provisioning_template_id),
+                 'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
+                 (select n.title from hostgroups n where n.id = x.hostgroup_id),
+                 'environment_id', x.environment_id, 'environment_name',
+                 (select n.name from environments n where n.id = x.environment_id),
+                 'config_template_id', x.provisioning_template_id, 'config_template_name',
+                 (select y.name from templates y where y.id = x.provisioning_template_id)
+               )
+               order by x.id, x.id
+             )
+           from template_combinations x
+           where t.id in (x.hostgroup_id)
+         ),
+         '[]'
+       ) as template_combinations,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+               order by x.name, x.id
+             )
+           from hostgroup_configclasses l join configclasses x on x.id = l.configclass_id
+           where l.hostgroup_id = t.id
+         ),
+         '[]'
+       ) as configclasses,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object(
+                 'created_at', to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
+                 to_char(g.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', g.id, 'name', g.name,
+                 'configclasses',
+                 coalesce(
+                   (
+                     select
+                       json_agg(
+                         json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+                         order by x.name
+                       )
+                     from configclasses x join config_group_configclasses m on m.configclass_id = x.id
+                     where m.config_group_id = g.id
+                   ),
+                   '[]'
+                 )
+               )
+               order by g.name, g.id
+             )
+           from config_group_hostgroups l join config_groups g on g.id = l.config_group_id
+           where l.hostgroup_id = t.id
+         ),
+         '[]'
+       ) as config_groups,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+               order by x.name
+             )
+           from configclasses x
+           where
+             x.id in (
+               select given.configclass_id
+               from
+                 (
+                   select own.configclass_id
+                   from
+                     hostgroups line
+                     join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+                   where line.id = t.id
+                   union
+                   select member.configclass_id
+                   from
+                     hostgroups line
+                     join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+                     join config_group_configclasses member on member.config_group_id = own.config_group_id
+                   where line.id = t.id
+                 ) given
+               where
+                 coalesce(
+                   t.environment_id,
+                   (
+                     select above.environment_id
+                     from hostgroups above
+                     where above.id = any (t.ancestor_ids) and above.environment_id is not null
+                     order by cardinality(above.ancestor_ids) desc
+                     limit 1
+                   )
+                 ) is null
+                 or exists (
+                   select
+                   from configclass_environments there
+                   where
+                     there.configclass_id = given.configclass_id
+                     and there.environment_id = coalesce(
+                       t.environment_id,
+                       (
+                         select above.environment_id
+                         from hostgroups above
+                         where above.id = any (t.ancestor_ids) and above.environment_id is not null
+                         order by cardinality(above.ancestor_ids) desc
+                         limit 1
+                       )
+                     )
+                 )
+             )
+         ),
+         '[]'
+       ) as all_configclasses,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+               order by x.title, x.id
+             )
+           from hostgroup_locations l join locations x on x.id = l.location_id
+           where l.hostgroup_id = t.id
+         ),
+         '[]'
+       ) as locations,
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+               order by x.title, x.id
+             )
+           from hostgroup_organizations l join organizations x on x.id = l.organization_id
+           where l.hostgroup_id = t.id
+         ),
+         '[]'
+       ) as organizations
      from hostgroups t
- where true
- order by t.title asc, t.id
- limit 20;
+     where
+       (t.id = $::bigint or t.title = $::text)
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from hostgroup_organizations l
+                 where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.title) like fold ($))
+           )
+         )
+       )
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
+     order by (t.title = $::text) desc
+     limit 1
+   ) shown;

-- update, as a limited user
-- PUT /api/hostgroups/:id: 11 statements
-- limited update.1 is limited list.1, but
- select
-   t.id,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ select t.id
  where
-   (
+   (t.id = $::bigint or t.title = $::text)
+   and (
    )
- order by t.title asc, t.id
- limit $;
+ order by (t.title = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is update.2
-- limited update.3 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- limited update.4 is create.3
-- limited update.5 is create.8
-- limited update.6 is shared d67229: select o.id from override_values o where exists ( select from unnest(string_to_array(o.mat…
-- limited update.7 is update.6
-- limited update.8 is shared 35ef74: with named as ( select id, match as before, smart_class_parameter_id as parameter, $::text…
-- limited update.9 is update.8
-- limited update.10 is limited create.11
-- limited update.11 is create.11

-- delete, as a limited user
-- DELETE /api/hostgroups/:id: 8 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4, but
- select t.name as called, true as shown
+ select t.name as called, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as shown
-- limited delete.5 is delete.5
-- limited delete.6 is create.10
-- limited delete.7 is delete.7
-- limited delete.8 is shared cfd5e8: select id from override_values where match = $ order by id;
