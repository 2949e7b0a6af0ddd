-- list, as an administrator
-- GET /api/hosts: 1 statement
-- list.1
select
  primary_interface.ip as ip, primary_interface.ip6 as ip6, t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.last_report as last_report, primary_interface.mac as mac, t.realm_id as realm_id,
  (select n.name from realms n where n.id = t.realm_id) as realm_name,
  service_processor.mac as sp_mac, service_processor.ip as sp_ip, service_processor.name as sp_name,
  primary_interface.domain_id as domain_id, primary_interface.domain_name as domain_name,
  t.architecture_id as architecture_id,
  (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
  t.operatingsystem_id as operatingsystem_id,
  (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
  primary_interface.subnet_id as subnet_id, primary_interface.subnet_name as subnet_name,
  primary_interface.subnet6_id as subnet6_id, primary_interface.subnet6_name as subnet6_name,
  service_processor.subnet_id as sp_subnet_id, t.ptable_id as ptable_id,
  (select n.name from ptables n where n.id = t.ptable_id) as ptable_name,
  t.medium_id as medium_id,
  (select n.name from media n where n.id = t.medium_id) as medium_name,
  t.pxe_loader as pxe_loader, t.build as build, coalesce(t.comment, '') as comment, t.disk as disk,
  t.initiated_at as initiated_at, t.installed_at as installed_at, t.model_id as model_id,
  t.hostgroup_id as hostgroup_id, coalesce(t.owner_user_id, t.owner_usergroup_id) as owner_id,
  coalesce(
    (
      select coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)
      from users u
      where u.id = t.owner_user_id
    ),
    (select g.name from usergroups g where g.id = t.owner_usergroup_id)
  ) as owner_name,
  case when t.owner_user_id is not null then 'User' when t.owner_usergroup_id is not null then 'Usergroup'
  end as owner_type, t.enabled as enabled, t.managed as managed, t.use_image as use_image,
  t.image_file as image_file, t.uuid as uuid, t.compute_resource_id as compute_resource_id,
  (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
  t.compute_profile_id as compute_profile_id,
  (select n.name from compute_profiles n where n.id = t.compute_profile_id) as compute_profile_name,
  case when t.compute_resource_id is null then '[build]'::json else '[build,image]'::json
  end as capabilities, t.provision_method as provision_method, coalesce(t.certname, t.name) as certname,
  t.image_id as image_id,
  (select n.name from images n where n.id = t.image_id) as image_name,
  t.created_at as created_at, t.updated_at as updated_at, t.last_compile as last_compile,
  states.global_status as global_status, states.global_status_label as global_status_label,
  (
    select left(v.value, 15)::bigint
    from fact_names n join fact_values v on v.fact_name_id = n.id
    where n.name = 'system_uptime::seconds' and v.host_id = t.id and v.value ~ '^[0-9]{1,15}$'
  ) as uptime_seconds,
  service_processor.id is not null as bmc_available, t.organization_id as organization_id,
  (select n.title from organizations n where n.id = t.organization_id) as organization_name,
  t.location_id as location_id,
  (select n.title from locations n where n.id = t.location_id) as location_name,
  (select n.name from models n where n.id = t.model_id) as model_name,
  states.build_status as build_status, states.build_status_label as build_status_label, t.name as name, t.id as id,
  t.config_proxy_id as config_proxy_id,
  (select n.name from smart_proxies n where n.id = t.config_proxy_id) as config_proxy_name,
  t.config_ca_proxy_id as config_ca_proxy_id,
  (select n.name from smart_proxies n where n.id = t.config_ca_proxy_id) as config_ca_proxy_name,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where x.id = t.config_proxy_id
  ) as config_proxy,
  (
    select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
    from smart_proxies x
    where x.id = t.config_ca_proxy_id
  ) as config_ca_proxy,
  (select g.name from hostgroups g where g.id = t.hostgroup_id) as hostgroup_name,
  (select g.title from hostgroups g where g.id = t.hostgroup_id) as hostgroup_title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  hosts t
  left join lateral (
    select
      host(i.ip) as ip, host(i.ip6) as ip6, i.mac, i.domain_id, i.subnet_id, i.subnet6_id,
      (select x.name from domains x where x.id = i.domain_id) as domain_name,
      (select x.name from subnets x where x.id = i.subnet_id) as subnet_name,
      (select x.name from subnets x where x.id = i.subnet6_id) as subnet6_name
    from interfaces i
    where i.host_id = t.id and i.primary
    limit 1
  ) primary_interface on true
  left join lateral (
    select i.id, host(i.ip) as ip, i.mac, i.name, i.subnet_id
    from interfaces i
    where i.host_id = t.id and i.type = 'bmc'
    order by i.id
    limit 1
  ) service_processor on true
  left join lateral (
    select
      configuration.status as configuration_status, configuration.label as configuration_status_label,
      build.status as build_status, build.label as build_status_label, subscription.status as subscription_status,
      subscription.label as subscription_status_label,
      greatest(configuration.global, build.global, subscription.global) as global_status,
      (array['OK', 'Warning', 'Error']) [greatest(configuration.global, build.global, subscription.global) + 1] as global_status_label
    from
      (select) one
      left join lateral (
        select s.status, s.label, s.global
        from configuration_states s
        where s.host_id = t.id
        limit 1
      ) configuration on true
      left join lateral (
        select s.status, s.label, s.global
        from build_states s
        where s.host_id = t.id
        limit 1
      ) build on true
      left join lateral (
        select
          (array[5, 0, 2]) [k.state] as status,
          (array['Simple content access', 'Fully entitled', 'Unentitled']) [k.state] as label,
          (array[0, 0, 2]) [k.state] as global
        from
          registrations r
          join organizations o on o.id = t.organization_id
          cross join lateral (
            select
              case
                when o.content_access_mode <> 'entitlement' then 1
                when case
                  when o.content_access_mode = 'entitlement' then array(
                    select p.product ->> 'productId'
                    from jsonb_array_elements(r.installed_products) p (product)
                    where
                      not exists (
                        select
                        from
                          host_entitlements l
                          join subscriptions s on s.id = l.subscription_id
                          join products x on x.id = s.product_id
                          or x.id in (
                            select c.product_id
                            from subscription_products c
                            where c.subscription_id = s.id
                          )
                        where l.host_id = r.host_id and x.cp_id = p.product ->> 'productId'
                      )
                  )
                  else '{}'
                end = '{}' then 2
                else 3
              end as state
            offset 0
          ) k
        where r.host_id = t.id
        limit 1
      ) subscription on true
    limit 1
  ) states on true
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/hosts: 2 statements
-- search.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from hosts t
where (fold (t.name) like fold ($))
order by t.id desc, t.id
limit $;
-- search.2 is list.1, but
    (select g.title from hostgroups g where g.id = t.hostgroup_id) as hostgroup_title,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
    ) states on true
- where true
- order by t.name asc, t.id
- limit 20;
+ where t.id = any ((select $::bigint[])::bigint[])
+ order by array_position($::bigint[], t.id);

-- create, as an administrator
-- POST /api/hosts: 6 statements
-- create.1
select 0 as place, t.id
from organizations t
where t.id = any ((select $::bigint[])::bigint[]) and (true)
union all
select 1 as place, t.id
from locations t
where t.id = any ((select $::bigint[])::bigint[]) and (true);
-- create.2
insert into hosts as t (name, organization_id, location_id, owner_user_id, owner_usergroup_id, managed)
values ($::text, $::bigint, $::bigint, $::bigint, $::bigint, $::boolean)
returning
  t.*,
  array(select l.configclass_id from host_configclasses l where l.host_id = t.id order by 1) as configclasses,
  array(select l.config_group_id from config_group_hosts l where l.host_id = t.id order by 1) as config_groups;
-- create.3
insert into interfaces as t (host_id, name, domain_id, primary, provision)
values ($::bigint, $::text, $::bigint, $::boolean, $::boolean)
returning t.*;
-- create.4 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- create.5
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
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
        where written.auditable_type = any ($::text[])
        union all
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
        where written.auditable_type = any ($::text[])
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
            where x.id = written.auditable_id and x.location_id is not null
            offset 0
          ) places (id)
        where written.auditable_type = any ($::text[])
        union all
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
        where written.auditable_type = any ($::text[])
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.6 is list.1, but
    (select g.title from hostgroups g where g.id = t.hostgroup_id) as hostgroup_title,
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
+       where p.host_id = t.id
+     ),
+     '[]'
+   ) as parameters,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'priority',
+             case
+               when e.organization_id is not null then 10
+               when e.location_id is not null then 20
+               when e.domain_id is not null then 30
+               when e.subnet_id is not null then 40
+               when e.operatingsystem_id is not null then 50
+               when e.hostgroup_id is not null then 60
+               when e.host_id is not null then 70
+               else 0
+             end, 'created_at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+             'updated_at', to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', e.id,
+             'name', e.name, 'parameter_type', e.parameter_type, 'associated_type',
+             case
+               when e.organization_id is not null then 'organization'
+               when e.location_id is not null then 'location'
+               when e.domain_id is not null then 'domain'
+               when e.subnet_id is not null then 'subnet'
+               when e.operatingsystem_id is not null then 'operating system'
+               when e.hostgroup_id is not null then 'host group'
+               when e.host_id is not null then 'host'
+               else 'global'
+             end, 'hidden_value?', e.hidden_value, 'value',
+             case
+               when e.hidden_value then '"*****"'::json
+               else in_order (e.value, (select k.ordered from parameters_order k where k.id = e.id))
+             end
+           )
+           order by e.name
+         )
        from
+         (
+           select distinct on (l.name) l.*
+           from
+             (
+               select p.*, 0 as level, 0 as depth
+               from parameters p
+               where
+                 (
+                   p.organization_id is null
+                   and p.location_id is null
+                   and p.domain_id is null
+                   and p.subnet_id is null
+                   and p.operatingsystem_id is null
+                   and p.hostgroup_id is null
+                   and p.host_id is null
+                 )
+               union all
+               select
+                 p.*, 10 as level, coalesce(array_position(n.ancestor_ids, p.organization_id), 2147483647) as depth
+               from organizations n join parameters p on p.organization_id = any (n.ancestor_ids || n.id)
+               where n.id = t.organization_id
+               union all
+               select p.*, 20 as level, coalesce(array_position(n.ancestor_ids, p.location_id), 2147483647) as depth
+               from locations n join parameters p on p.location_id = any (n.ancestor_ids || n.id)
+               where n.id = t.location_id
+               union all
+               select p.*, 30, 0
+               from interfaces i join parameters p on p.domain_id = i.domain_id
+               where i.host_id = t.id and i.primary
+               union all
+               select p.*, 40, 0
+               from interfaces i join parameters p on p.subnet_id = i.subnet_id
+               where i.host_id = t.id and i.primary
+               union all
+               select p.*, 40, 1
+               from interfaces i join parameters p on p.subnet_id = i.subnet6_id
+               where i.host_id = t.id and i.primary
+               union all
+               select p.*, 50, 0
+               from parameters p
+               where p.operatingsystem_id = t.operatingsystem_id
+               union all
+               select p.*, 60 as level, coalesce(array_position(n.ancestor_ids, p.hostgroup_id), 2147483647) as depth
+               from hostgroups n join parameters p on p.hostgroup_id = any (n.ancestor_ids || n.id)
+               where n.id = t.hostgroup_id
+               union all
+               select p.*, 70, 0
+               from parameters p
+               where p.host_id = t.id
+             ) l
+           order by l.name, l.level desc, l.depth desc
+         ) e
+     ),
+     '[]'
+   ) as all_parameters,
+   (
+     select u.id
+     from audits a join users u on u.id = a.user_id
+     where a.auditable_type = 'Host' and a.auditable_id = t.id and a.version = 1 and a.action = 'create'
+   ) as creator_id,
+   (
+     select coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)
+     from audits a join users u on u.id = a.user_id
+     where a.auditable_type = 'Host' and a.auditable_id = t.id and a.version = 1 and a.action = 'create'
+   ) as creator,
+   states.configuration_status as configuration_status,
+   states.configuration_status_label as configuration_status_label,
+   states.subscription_status as subscription_status, states.subscription_status_label as subscription_status_label,
+   (
+     select
+       json_build_object(
+         'id', t.id, 'uuid', r.uuid, 'content_view_id', v.id, 'content_view_name', v.name,
+         'lifecycle_environment_id', e.id, 'lifecycle_environment_name', e.name, 'content_source_id', null,
+         'content_source_name', null, 'content_source', null, 'kickstart_repository_id', null,
+         'kickstart_repository_name', null, 'kickstart_repository', null, 'content_view',
+         case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'composite', v.composite)
+         end, 'lifecycle_environment',
+         case when e.id is not null then json_build_object('id', e.id, 'name', e.name)
+         end, 'content_view_environments',
+         coalesce(
+           (
+             select
+               json_agg(
+                 json_build_object(
+                   'label',
+                   case when v."default" and e.library then e.label else e.label || '/' || v.label
+                   end, 'content_view',
+                   json_build_object(
+                     'id', v.id, 'name', v.name, 'label', v.label, 'composite', v.composite, 'rolling', false,
+                     'content_view_version', n.version, 'content_view_version_id', n.id,
+                     'content_view_version_latest',
+                     n.id = (
+                       select x.id
+                       from content_view_versions x
+                       where x.content_view_id = v.id
+                       order by x.major desc, x.minor desc
+                       limit 1
+                     ),
+                     'content_view_default', v."default", 'content_view_environment_id', c.id
+                   ),
+                   'lifecycle_environment',
+                   json_build_object('id', e.id, 'name', e.name, 'label', e.label, 'lifecycle_environment_library', e.library)
+                 )
+                 order by l.position
+               )
+             from
+               host_environments l
+               join content_views v on v.id = l.content_view_id
+               join lifecycle_environments e on e.id = l.environment_id
+               left join content_view_environments c on c.content_view_id = v.id
+               and c.environment_id = e.id
+               left join content_view_versions n on n.id = c.content_view_version_id
+             where l.host_id = t.id
+           ),
+           '[]'
+         ),
+         'content_view_version', n.version, 'content_view_version_id', n.id, 'content_view_version_latest',
+         n.id = (
+           select x.id
+           from content_view_versions x
+           where x.content_view_id = v.id
+           order by x.major desc, x.minor desc
+           limit 1
+         ),
+         'content_view_default?', v."default", 'lifecycle_environment_library?', e.library
+       )
+     from
+       (select) one
+       left join registrations r on r.host_id = t.id
+       left join host_environments l on l.host_id = t.id
+       and l.position = 0
+       left join content_views v on v.id = l.content_view_id
+       left join lifecycle_environments e on e.id = l.environment_id
+       left join content_view_environments p on p.content_view_id = v.id
+       and p.environment_id = e.id
+       left join content_view_versions n on n.id = p.content_view_version_id
+     where r.host_id is not null or l.host_id is not null
+   ) as content_facet_attributes,
+   (
+     select
+       json_build_object(
+         'host_type', null, 'dmi_uuid', r.system_uuid, 'id', t.id, 'uuid', coalesce(r.uuid, w.former_uuid),
+         'last_checkin', to_char(r.last_checkin at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'service_level',
+         case when r.host_id is null then w.service_level else r.service_level
+         end, 'release_version',
+         case when r.host_id is null then w.release_version else r.release_version
+         end, 'purpose_usage',
+         case when r.host_id is null then w.purpose_usage else r.purpose_usage
+         end, 'purpose_role',
+         case when r.host_id is null then w.purpose_role else r.purpose_role
+         end, 'purpose_addons',
+         case when r.host_id is null then w.purpose_addons else r.purpose_addons
+         end, 'autoheal',
+         case when r.host_id is null then w.autoheal else r.autoheal
+         end, 'registered_at', to_char(r.registered_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+         'registered_through', r.registered_through, 'hypervisor',
+         exists (select from subscriptions s where s.hypervisor_id = t.id),
+         'user',
+         (select json_build_object('id', u.id, 'login', u.login) from users u where u.id = r.user_id),
+         'virtual_host', null, 'virtual_guests', '[]'::json, 'installed_products',
+         coalesce(r.installed_products, '[]'), 'activation_keys',
+         coalesce(
+           (
+             select json_agg(json_build_object('id', k.id, 'name', k.name) order by l.position, k.id)
+             from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id
+             where l.host_id = r.host_id
+           ),
+           '[]'
+         ),
+         'compliance_reasons', '[]'::json
+       )
+     from (select) one left join registrations r on r.host_id = t.id left join host_wishes w on w.host_id = t.id
+     where r.host_id is not null or w.host_id is not null
+   ) as subscription_facet_attributes,
+   coalesce(
+     (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+       from host_collection_hosts l join host_collections x on x.id = l.host_collection_id
+       where l.host_id = t.id
+     ),
+     '[]'
+   ) as host_collections,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'subnet_id', i.subnet_id, 'subnet_name',
+             (select x.name from subnets x where x.id = i.subnet_id),
+             'subnet6_id', i.subnet6_id, 'subnet6_name',
+             (select x.name from subnets x where x.id = i.subnet6_id),
+             'domain_id', i.domain_id, 'domain_name',
+             (select x.name from domains x where x.id = i.domain_id),
+             'created_at', to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
+             to_char(i.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'managed', i.managed,
+             'identifier', i.identifier, 'id', i.id, 'name', i.name, 'ip', host(i.ip), 'ip6', host(i.ip6), 'mac',
+             i.mac, 'mtu',
+             coalesce(
+               i.mtu,
+               (select s.mtu from subnets s where s.id = i.subnet_id),
+               (select s.mtu from subnets s where s.id = i.subnet6_id)
+             ),
+             'fqdn',
+             case
+               when strpos(i.name, '.') > 0
+               or i.domain_id is null then i.name
+               else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
+             end, 'primary', i.primary, 'provision', i.provision, 'type', i.type, 'virtual', i.virtual, 'tag', i.tag,
+             'attached_to', i.attached_to, 'mode', i.mode, 'attached_devices',
+             array_to_string(i.attached_devices, ','), 'bond_options', i.bond_options, 'provider', i.provider,
+             'username', i.username
+           )
+           order by i.primary desc, i.id
+         )
+       from interfaces i
+       where i.host_id = t.id
+     ),
+     '[]'
+   ) as interfaces,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+           order by x.name, x.id
+         )
+       from host_configclasses l join configclasses x on x.id = l.configclass_id
+       where l.host_id = t.id
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
+       from config_group_hosts l join config_groups g on g.id = l.config_group_id
+       where l.host_id = t.id
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
+               from host_configclasses own
+               where own.host_id = t.id
+               union
+               select member.configclass_id
+               from
+                 config_group_hosts own
+                 join config_group_configclasses member on member.config_group_id = own.config_group_id
+               where own.host_id = t.id
+               union
+               select own.configclass_id
+               from
+                 hostgroups line
+                 join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+               where line.id = t.hostgroup_id
+               union
+               select member.configclass_id
+               from
+                 hostgroups line
+                 join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+                 join config_group_configclasses member on member.config_group_id = own.config_group_id
+               where line.id = t.hostgroup_id
+             ) given
+             join configclass_environments there on there.configclass_id = given.configclass_id
+             and there.environment_id = t.environment_id
+         )
+     ),
+     '[]'
+   ) as all_configclasses,
+   null as permissions
+ from
    ) states on true
- where true
- order by t.name asc, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/hosts/:id: 1 statement
-- show.1 is list.1, but
    (select g.title from hostgroups g where g.id = t.hostgroup_id) as hostgroup_title,
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
+       where p.host_id = t.id
+     ),
+     '[]'
+   ) as parameters,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'priority',
+             case
+               when e.organization_id is not null then 10
+               when e.location_id is not null then 20
+               when e.domain_id is not null then 30
+               when e.subnet_id is not null then 40
+               when e.operatingsystem_id is not null then 50
+               when e.hostgroup_id is not null then 60
+               when e.host_id is not null then 70
+               else 0
+             end, 'created_at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+             'updated_at', to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', e.id,
+             'name', e.name, 'parameter_type', e.parameter_type, 'associated_type',
+             case
+               when e.organization_id is not null then 'organization'
+               when e.location_id is not null then 'location'
+               when e.domain_id is not null then 'domain'
+               when e.subnet_id is not null then 'subnet'
+               when e.operatingsystem_id is not null then 'operating system'
+               when e.hostgroup_id is not null then 'host group'
+               when e.host_id is not null then 'host'
+               else 'global'
+             end, 'hidden_value?', e.hidden_value, 'value',
+             case
+               when e.hidden_value then '"*****"'::json
+               else in_order (e.value, (select k.ordered from parameters_order k where k.id = e.id))
+             end
+           )
+           order by e.name
+         )
        from
+         (
+           select distinct on (l.name) l.*
+           from
+             (
+               select p.*, 0 as level, 0 as depth
+               from parameters p
+               where
+                 (
+                   p.organization_id is null
+                   and p.location_id is null
+                   and p.domain_id is null
+                   and p.subnet_id is null
+                   and p.operatingsystem_id is null
+                   and p.hostgroup_id is null
+                   and p.host_id is null
+                 )
+               union all
+               select
+                 p.*, 10 as level, coalesce(array_position(n.ancestor_ids, p.organization_id), 2147483647) as depth
+               from organizations n join parameters p on p.organization_id = any (n.ancestor_ids || n.id)
+               where n.id = t.organization_id
+               union all
+               select p.*, 20 as level, coalesce(array_position(n.ancestor_ids, p.location_id), 2147483647) as depth
+               from locations n join parameters p on p.location_id = any (n.ancestor_ids || n.id)
+               where n.id = t.location_id
+               union all
+               select p.*, 30, 0
+               from interfaces i join parameters p on p.domain_id = i.domain_id
+               where i.host_id = t.id and i.primary
+               union all
+               select p.*, 40, 0
+               from interfaces i join parameters p on p.subnet_id = i.subnet_id
+               where i.host_id = t.id and i.primary
+               union all
+               select p.*, 40, 1
+               from interfaces i join parameters p on p.subnet_id = i.subnet6_id
+               where i.host_id = t.id and i.primary
+               union all
+               select p.*, 50, 0
+               from parameters p
+               where p.operatingsystem_id = t.operatingsystem_id
+               union all
+               select p.*, 60 as level, coalesce(array_position(n.ancestor_ids, p.hostgroup_id), 2147483647) as depth
+               from hostgroups n join parameters p on p.hostgroup_id = any (n.ancestor_ids || n.id)
+               where n.id = t.hostgroup_id
+               union all
+               select p.*, 70, 0
+               from parameters p
+               where p.host_id = t.id
+             ) l
+           order by l.name, l.level desc, l.depth desc
+         ) e
+     ),
+     '[]'
+   ) as all_parameters,
+   (
+     select u.id
+     from audits a join users u on u.id = a.user_id
+     where a.auditable_type = 'Host' and a.auditable_id = t.id and a.version = 1 and a.action = 'create'
+   ) as creator_id,
+   (
+     select coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)
+     from audits a join users u on u.id = a.user_id
+     where a.auditable_type = 'Host' and a.auditable_id = t.id and a.version = 1 and a.action = 'create'
+   ) as creator,
+   states.configuration_status as configuration_status,
+   states.configuration_status_label as configuration_status_label,
+   states.subscription_status as subscription_status, states.subscription_status_label as subscription_status_label,
+   (
+     select
+       json_build_object(
+         'id', t.id, 'uuid', r.uuid, 'content_view_id', v.id, 'content_view_name', v.name,
+         'lifecycle_environment_id', e.id, 'lifecycle_environment_name', e.name, 'content_source_id', null,
+         'content_source_name', null, 'content_source', null, 'kickstart_repository_id', null,
+         'kickstart_repository_name', null, 'kickstart_repository', null, 'content_view',
+         case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'composite', v.composite)
+         end, 'lifecycle_environment',
+         case when e.id is not null then json_build_object('id', e.id, 'name', e.name)
+         end, 'content_view_environments',
+         coalesce(
+           (
+             select
+               json_agg(
+                 json_build_object(
+                   'label',
+                   case when v."default" and e.library then e.label else e.label || '/' || v.label
+                   end, 'content_view',
+                   json_build_object(
+                     'id', v.id, 'name', v.name, 'label', v.label, 'composite', v.composite, 'rolling', false,
+                     'content_view_version', n.version, 'content_view_version_id', n.id,
+                     'content_view_version_latest',
+                     n.id = (
+                       select x.id
+                       from content_view_versions x
+                       where x.content_view_id = v.id
+                       order by x.major desc, x.minor desc
+                       limit 1
+                     ),
+                     'content_view_default', v."default", 'content_view_environment_id', c.id
+                   ),
+                   'lifecycle_environment',
+                   json_build_object('id', e.id, 'name', e.name, 'label', e.label, 'lifecycle_environment_library', e.library)
+                 )
+                 order by l.position
+               )
+             from
+               host_environments l
+               join content_views v on v.id = l.content_view_id
+               join lifecycle_environments e on e.id = l.environment_id
+               left join content_view_environments c on c.content_view_id = v.id
+               and c.environment_id = e.id
+               left join content_view_versions n on n.id = c.content_view_version_id
+             where l.host_id = t.id
+           ),
+           '[]'
+         ),
+         'content_view_version', n.version, 'content_view_version_id', n.id, 'content_view_version_latest',
+         n.id = (
+           select x.id
+           from content_view_versions x
+           where x.content_view_id = v.id
+           order by x.major desc, x.minor desc
+           limit 1
+         ),
+         'content_view_default?', v."default", 'lifecycle_environment_library?', e.library
+       )
+     from
+       (select) one
+       left join registrations r on r.host_id = t.id
+       left join host_environments l on l.host_id = t.id
+       and l.position = 0
+       left join content_views v on v.id = l.content_view_id
+       left join lifecycle_environments e on e.id = l.environment_id
+       left join content_view_environments p on p.content_view_id = v.id
+       and p.environment_id = e.id
+       left join content_view_versions n on n.id = p.content_view_version_id
+     where r.host_id is not null or l.host_id is not null
+   ) as content_facet_attributes,
+   (
+     select
+       json_build_object(
+         'host_type', null, 'dmi_uuid', r.system_uuid, 'id', t.id, 'uuid', coalesce(r.uuid, w.former_uuid),
+         'last_checkin', to_char(r.last_checkin at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'service_level',
+         case when r.host_id is null then w.service_level else r.service_level
+         end, 'release_version',
+         case when r.host_id is null then w.release_version else r.release_version
+         end, 'purpose_usage',
+         case when r.host_id is null then w.purpose_usage else r.purpose_usage
+         end, 'purpose_role',
+         case when r.host_id is null then w.purpose_role else r.purpose_role
+         end, 'purpose_addons',
+         case when r.host_id is null then w.purpose_addons else r.purpose_addons
+         end, 'autoheal',
+         case when r.host_id is null then w.autoheal else r.autoheal
+         end, 'registered_at', to_char(r.registered_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
+         'registered_through', r.registered_through, 'hypervisor',
+         exists (select from subscriptions s where s.hypervisor_id = t.id),
+         'user',
+         (select json_build_object('id', u.id, 'login', u.login) from users u where u.id = r.user_id),
+         'virtual_host', null, 'virtual_guests', '[]'::json, 'installed_products',
+         coalesce(r.installed_products, '[]'), 'activation_keys',
+         coalesce(
+           (
+             select json_agg(json_build_object('id', k.id, 'name', k.name) order by l.position, k.id)
+             from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id
+             where l.host_id = r.host_id
+           ),
+           '[]'
+         ),
+         'compliance_reasons', '[]'::json
+       )
+     from (select) one left join registrations r on r.host_id = t.id left join host_wishes w on w.host_id = t.id
+     where r.host_id is not null or w.host_id is not null
+   ) as subscription_facet_attributes,
+   coalesce(
+     (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
+       from host_collection_hosts l join host_collections x on x.id = l.host_collection_id
+       where l.host_id = t.id
+     ),
+     '[]'
+   ) as host_collections,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object(
+             'subnet_id', i.subnet_id, 'subnet_name',
+             (select x.name from subnets x where x.id = i.subnet_id),
+             'subnet6_id', i.subnet6_id, 'subnet6_name',
+             (select x.name from subnets x where x.id = i.subnet6_id),
+             'domain_id', i.domain_id, 'domain_name',
+             (select x.name from domains x where x.id = i.domain_id),
+             'created_at', to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
+             to_char(i.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'managed', i.managed,
+             'identifier', i.identifier, 'id', i.id, 'name', i.name, 'ip', host(i.ip), 'ip6', host(i.ip6), 'mac',
+             i.mac, 'mtu',
+             coalesce(
+               i.mtu,
+               (select s.mtu from subnets s where s.id = i.subnet_id),
+               (select s.mtu from subnets s where s.id = i.subnet6_id)
+             ),
+             'fqdn',
+             case
+               when strpos(i.name, '.') > 0
+               or i.domain_id is null then i.name
+               else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
+             end, 'primary', i.primary, 'provision', i.provision, 'type', i.type, 'virtual', i.virtual, 'tag', i.tag,
+             'attached_to', i.attached_to, 'mode', i.mode, 'attached_devices',
+             array_to_string(i.attached_devices, ','), 'bond_options', i.bond_options, 'provider', i.provider,
+             'username', i.username
+           )
+           order by i.primary desc, i.id
+         )
+       from interfaces i
+       where i.host_id = t.id
+     ),
+     '[]'
+   ) as interfaces,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
+           order by x.name, x.id
+         )
+       from host_configclasses l join configclasses x on x.id = l.configclass_id
+       where l.host_id = t.id
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
+       from config_group_hosts l join config_groups g on g.id = l.config_group_id
+       where l.host_id = t.id
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
+               from host_configclasses own
+               where own.host_id = t.id
+               union
+               select member.configclass_id
+               from
+                 config_group_hosts own
+                 join config_group_configclasses member on member.config_group_id = own.config_group_id
+               where own.host_id = t.id
+               union
+               select own.configclass_id
+               from
+                 hostgroups line
+                 join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+               where line.id = t.hostgroup_id
+               union
+               select member.configclass_id
+               from
+                 hostgroups line
+                 join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
+                 join config_group_configclasses member on member.config_group_id = own.config_group_id
+               where line.id = t.hostgroup_id
+             ) given
+             join configclass_environments there on there.configclass_id = given.configclass_id
+             and there.environment_id = t.environment_id
+         )
+     ),
+     '[]'
+   ) as all_configclasses,
+   null as permissions
+ from
    ) states on true
- where true
- order by t.name asc, t.id
- limit 20;
+ where (t.id = $::bigint or t.name = $::text) and true
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/hosts/:id: 11 statements
-- update.1
select t.id
from hosts t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
select
  t.*,
  array(select l.configclass_id from host_configclasses l where l.host_id = t.id order by 1) as configclasses,
  array(select l.config_group_id from config_group_hosts l where l.host_id = t.id order by 1) as config_groups
from hosts t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- update.3
select domain_id
from interfaces
where host_id = $ and primary;
-- update.4
update hosts t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.5 is shared 35ef74: with named as ( select id, match as before, smart_class_parameter_id as parameter, $::text…
-- update.6 is update.3, but
- select domain_id
+ select id
-- update.7
select t.*
from interfaces t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- update.8 is shared 22f779: update interfaces t set name = $::text, updated_at = now() where id = $ returning t.*;
-- update.9 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- update.10 is create.5
-- update.11 is create.6

-- delete, as an administrator
-- DELETE /api/hosts/:id: 6 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name, coalesce(t.certname, t.name) as certname, t.last_compile as last_compile,
  t.last_report as last_report, t.created_at as created_at, t.updated_at as updated_at,
  case
    when t.root_pass is not null
    or exists (
      select
      from hostgroups g
      where
        g.id = t.hostgroup_id
        and coalesce(
          g.root_pass,
          (
            select above.root_pass
            from hostgroups above
            where above.id = any (g.ancestor_ids) and above.root_pass is not null
            order by cardinality(above.ancestor_ids) desc
            limit 1
          )
        ) is not null
    )
    or exists (select from settings where name = 'root_pass' and value #>> '{}' <> '') then '********'
  end as root_pass,
  case
    when t.root_pass like '$%'
    or (
      t.root_pass is not null
      and not exists (
        select
        from operatingsystems s
        where s.id = t.operatingsystem_id and s.password_hash like 'Base64%'
      )
    ) then '********'
    else ''
  end as grub_pass, t.architecture_id as architecture_id, t.operatingsystem_id as operatingsystem_id,
  t.environment_id as environment_id, t.ptable_id as ptable_id, t.medium_id as medium_id, t.model_id as model_id,
  t.hostgroup_id as hostgroup_id, t.compute_resource_id as compute_resource_id, t.image_id as image_id,
  t.realm_id as realm_id, t.compute_profile_id as compute_profile_id, t.config_proxy_id as config_proxy_id,
  t.config_ca_proxy_id as config_ca_proxy_id, t.organization_id as organization_id, t.location_id as location_id,
  coalesce(t.owner_user_id, t.owner_usergroup_id) as owner_id,
  case when t.owner_user_id is not null then 'User' when t.owner_usergroup_id is not null then 'Usergroup'
  end as owner_type, t.build as build, t.enabled as enabled, t.managed as managed,
  coalesce(t.comment, '') as comment, t.disk as disk, t.uuid as uuid,
  case when t.otp is not null then '********'
  end as otp, t.pxe_loader as pxe_loader, t.initiated_at as initiated_at, t.installed_at as installed_at,
  t.use_image as use_image, t.build_errors as build_errors, t.image_file as image_file,
  t.provision_method as provision_method, states.global_status as global_status,
  'fqdn=' || t.name as lookup_value_matcher
from
  hosts t
  left join lateral (
    select
      configuration.status as configuration_status, configuration.label as configuration_status_label,
      build.status as build_status, build.label as build_status_label, subscription.status as subscription_status,
      subscription.label as subscription_status_label,
      greatest(configuration.global, build.global, subscription.global) as global_status,
      (array['OK', 'Warning', 'Error']) [greatest(configuration.global, build.global, subscription.global) + 1] as global_status_label
    from
      (select) one
      left join lateral (
        select s.status, s.label, s.global
        from configuration_states s
        where s.host_id = t.id
        limit 1
      ) configuration on true
      left join lateral (
        select s.status, s.label, s.global
        from build_states s
        where s.host_id = t.id
        limit 1
      ) build on true
      left join lateral (
        select
          (array[5, 0, 2]) [k.state] as status,
          (array['Simple content access', 'Fully entitled', 'Unentitled']) [k.state] as label,
          (array[0, 0, 2]) [k.state] as global
        from
          registrations r
          join organizations o on o.id = t.organization_id
          cross join lateral (
            select
              case
                when o.content_access_mode <> 'entitlement' then 1
                when case
                  when o.content_access_mode = 'entitlement' then array(
                    select p.product ->> 'productId'
                    from jsonb_array_elements(r.installed_products) p (product)
                    where
                      not exists (
                        select
                        from
                          host_entitlements l
                          join subscriptions s on s.id = l.subscription_id
                          join products x on x.id = s.product_id
                          or x.id in (
                            select c.product_id
                            from subscription_products c
                            where c.subscription_id = s.id
                          )
                        where l.host_id = r.host_id and x.cp_id = p.product ->> 'productId'
                      )
                  )
                  else '{}'
                end = '{}' then 2
                else 3
              end as state
            offset 0
          ) k
        where r.host_id = t.id
        limit 1
      ) subscription on true
    limit 1
  ) states on true
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is create.5, but
            ) places (id)
-         where written.auditable_type = any ($::text[])
-         union all
-         select written.id, places.id
-         from
-           written
-           cross join lateral (
-             select x.organization_id as id
-             from hosts x
-             where
-               x.id = (select t.host_id from interfaces t where t.id = written.auditable_id)
-               and x.organization_id is not null
-             offset 0
-           ) places (id)
-         where written.auditable_type = any ($::text[])
            ) places (id)
-         where written.auditable_type = any ($::text[])
-         union all
-         select written.id, places.id
-         from
-           written
-           cross join lateral (
-             select x.location_id as id
-             from hosts x
-             where
-               x.id = (select t.host_id from interfaces t where t.id = written.auditable_id)
-               and x.location_id is not null
-             offset 0
-           ) places (id)
-         where written.auditable_type = any ($::text[])
-- delete.5
delete from hosts
where id = $;
-- delete.6 is shared cfd5e8: select id from override_values where match = $ order by id;

-- list, as a limited user
-- GET /api/hosts: 2 statements
-- limited list.1 is search.1, but
  from hosts t
- where (fold (t.name) like fold ($))
- order by t.id desc, t.id
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (t.location_id = any ($::bigint[]))
+ order by t.name asc, t.id
-- limited list.2 is search.2

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/hosts: 3 statements
-- limited search.1 is search.1, but
  from hosts t
- where (fold (t.name) like fold ($))
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (t.location_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($))
-- limited search.2 is search.2
-- limited search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from hosts t
where
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[]));

-- create, as a limited user
-- POST /api/hosts: 8 statements
-- limited create.1
select 0 as place, t.id
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
  )
union all
select 1 as place, t.id
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
  );
-- limited create.2 is shared d67229: select o.id from override_values o where exists ( select from unnest(string_to_array(o.mat…
-- limited create.3 is create.2
-- limited create.4 is create.3
-- limited create.5 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- limited create.6 is create.5, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from hosts t
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+       and (t.location_id = any ($::bigint[]))
+   ) as held;
-- limited create.7 is create.6
-- limited create.8
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as view_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as create_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as edit_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as destroy_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as build_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as power_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as console_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as ipmi_boot_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as forget_status_hosts,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]))
  and (t.location_id = any ($::bigint[])) as configrun_hosts
from hosts t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as a limited user
-- GET /api/hosts/:id: 2 statements
-- limited show.1
select
  shown.*,
  array(
    select t.id
    from host_collections t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.host_collections) entry))
      and (t.organization_id = any ($::bigint[]))
  ) as _reachable_0
from
  (
    select
      primary_interface.ip as ip, primary_interface.ip6 as ip6, t.environment_id as environment_id,
      (select n.name from environments n where n.id = t.environment_id) as environment_name,
      t.last_report as last_report, primary_interface.mac as mac, t.realm_id as realm_id,
      (select n.name from realms n where n.id = t.realm_id) as realm_name,
      service_processor.mac as sp_mac, service_processor.ip as sp_ip, service_processor.name as sp_name,
      primary_interface.domain_id as domain_id, primary_interface.domain_name as domain_name,
      t.architecture_id as architecture_id,
      (select n.name from architectures n where n.id = t.architecture_id) as architecture_name,
      t.operatingsystem_id as operatingsystem_id,
      (select n.title from operatingsystems n where n.id = t.operatingsystem_id) as operatingsystem_name,
      primary_interface.subnet_id as subnet_id, primary_interface.subnet_name as subnet_name,
      primary_interface.subnet6_id as subnet6_id, primary_interface.subnet6_name as subnet6_name,
      service_processor.subnet_id as sp_subnet_id, t.ptable_id as ptable_id,
      (select n.name from ptables n where n.id = t.ptable_id) as ptable_name,
      t.medium_id as medium_id,
      (select n.name from media n where n.id = t.medium_id) as medium_name,
      t.pxe_loader as pxe_loader, t.build as build, coalesce(t.comment, '') as comment, t.disk as disk,
      t.initiated_at as initiated_at, t.installed_at as installed_at, t.model_id as model_id,
      t.hostgroup_id as hostgroup_id, coalesce(t.owner_user_id, t.owner_usergroup_id) as owner_id,
      coalesce(
        (
          select coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)
          from users u
          where u.id = t.owner_user_id
        ),
        (select g.name from usergroups g where g.id = t.owner_usergroup_id)
      ) as owner_name,
      case when t.owner_user_id is not null then 'User' when t.owner_usergroup_id is not null then 'Usergroup'
      end as owner_type, t.enabled as enabled, t.managed as managed, t.use_image as use_image,
      t.image_file as image_file, t.uuid as uuid, t.compute_resource_id as compute_resource_id,
      (select n.name from compute_resources n where n.id = t.compute_resource_id) as compute_resource_name,
      t.compute_profile_id as compute_profile_id,
      (select n.name from compute_profiles n where n.id = t.compute_profile_id) as compute_profile_name,
      case when t.compute_resource_id is null then '[build]'::json else '[build,image]'::json
      end as capabilities, t.provision_method as provision_method, coalesce(t.certname, t.name) as certname,
      t.image_id as image_id,
      (select n.name from images n where n.id = t.image_id) as image_name,
      t.created_at as created_at, t.updated_at as updated_at, t.last_compile as last_compile,
      states.global_status as global_status, states.global_status_label as global_status_label,
      (
        select left(v.value, 15)::bigint
        from fact_names n join fact_values v on v.fact_name_id = n.id
        where n.name = 'system_uptime::seconds' and v.host_id = t.id and v.value ~ '^[0-9]{1,15}$'
      ) as uptime_seconds,
      service_processor.id is not null as bmc_available, t.organization_id as organization_id,
      (select n.title from organizations n where n.id = t.organization_id) as organization_name,
      t.location_id as location_id,
      (select n.title from locations n where n.id = t.location_id) as location_name,
      (select n.name from models n where n.id = t.model_id) as model_name,
      states.build_status as build_status, states.build_status_label as build_status_label, t.name as name,
      t.id as id, t.config_proxy_id as config_proxy_id,
      (select n.name from smart_proxies n where n.id = t.config_proxy_id) as config_proxy_name,
      t.config_ca_proxy_id as config_ca_proxy_id,
      (select n.name from smart_proxies n where n.id = t.config_ca_proxy_id) as config_ca_proxy_name,
      (
        select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
        from smart_proxies x
        where x.id = t.config_proxy_id
      ) as config_proxy,
      (
        select json_build_object('name', x.name, 'id', x.id, 'url', x.url)
        from smart_proxies x
        where x.id = t.config_ca_proxy_id
      ) as config_ca_proxy,
      (select g.name from hostgroups g where g.id = t.hostgroup_id) as hostgroup_name,
      (select g.title from hostgroups g where g.id = t.hostgroup_id) as hostgroup_title,
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
          where p.host_id = t.id
        ),
        '[]'
      ) as parameters,
      coalesce(
        (
          select
            json_agg(
              json_build_object(
                'priority',
                case
                  when e.organization_id is not null then 10
                  when e.location_id is not null then 20
                  when e.domain_id is not null then 30
                  when e.subnet_id is not null then 40
                  when e.operatingsystem_id is not null then 50
                  when e.hostgroup_id is not null then 60
                  when e.host_id is not null then 70
                  else 0
                end, 'created_at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
                'updated_at', to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', e.id,
                'name', e.name, 'parameter_type', e.parameter_type, 'associated_type',
                case
                  when e.organization_id is not null then 'organization'
                  when e.location_id is not null then 'location'
                  when e.domain_id is not null then 'domain'
                  when e.subnet_id is not null then 'subnet'
                  when e.operatingsystem_id is not null then 'operating system'
                  when e.hostgroup_id is not null then 'host group'
                  when e.host_id is not null then 'host'
                  else 'global'
                end, 'hidden_value?', e.hidden_value, 'value',
                case
                  when e.hidden_value then '"*****"'::json
                  else in_order (e.value, (select k.ordered from parameters_order k where k.id = e.id))
                end
              )
              order by e.name
            )
          from
            (
              select distinct on (l.name) l.*
              from
                (
                  select p.*, 0 as level, 0 as depth
                  from parameters p
                  where
                    (
                      p.organization_id is null
                      and p.location_id is null
                      and p.domain_id is null
                      and p.subnet_id is null
                      and p.operatingsystem_id is null
                      and p.hostgroup_id is null
                      and p.host_id is null
                    )
                  union all
                  select
                    p.*, 10 as level,
                    coalesce(array_position(n.ancestor_ids, p.organization_id), 2147483647) as depth
                  from organizations n join parameters p on p.organization_id = any (n.ancestor_ids || n.id)
                  where n.id = t.organization_id
                  union all
                  select
                    p.*, 20 as level, coalesce(array_position(n.ancestor_ids, p.location_id), 2147483647) as depth
                  from locations n join parameters p on p.location_id = any (n.ancestor_ids || n.id)
                  where n.id = t.location_id
                  union all
                  select p.*, 30, 0
                  from interfaces i join parameters p on p.domain_id = i.domain_id
                  where i.host_id = t.id and i.primary
                  union all
                  select p.*, 40, 0
                  from interfaces i join parameters p on p.subnet_id = i.subnet_id
                  where i.host_id = t.id and i.primary
                  union all
                  select p.*, 40, 1
                  from interfaces i join parameters p on p.subnet_id = i.subnet6_id
                  where i.host_id = t.id and i.primary
                  union all
                  select p.*, 50, 0
                  from parameters p
                  where p.operatingsystem_id = t.operatingsystem_id
                  union all
                  select
                    p.*, 60 as level, coalesce(array_position(n.ancestor_ids, p.hostgroup_id), 2147483647) as depth
                  from hostgroups n join parameters p on p.hostgroup_id = any (n.ancestor_ids || n.id)
                  where n.id = t.hostgroup_id
                  union all
                  select p.*, 70, 0
                  from parameters p
                  where p.host_id = t.id
                ) l
              order by l.name, l.level desc, l.depth desc
            ) e
        ),
        '[]'
      ) as all_parameters,
      (
        select u.id
        from audits a join users u on u.id = a.user_id
        where a.auditable_type = 'Host' and a.auditable_id = t.id and a.version = 1 and a.action = 'create'
      ) as creator_id,
      (
        select coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login)
        from audits a join users u on u.id = a.user_id
        where a.auditable_type = 'Host' and a.auditable_id = t.id and a.version = 1 and a.action = 'create'
      ) as creator,
      states.configuration_status as configuration_status,
      states.configuration_status_label as configuration_status_label,
      states.subscription_status as subscription_status,
      states.subscription_status_label as subscription_status_label,
      (
        select
          json_build_object(
            'id', t.id, 'uuid', r.uuid, 'content_view_id', v.id, 'content_view_name', v.name,
            'lifecycle_environment_id', e.id, 'lifecycle_environment_name', e.name, 'content_source_id', null,
            'content_source_name', null, 'content_source', null, 'kickstart_repository_id', null,
            'kickstart_repository_name', null, 'kickstart_repository', null, 'content_view',
            case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'composite', v.composite)
            end, 'lifecycle_environment',
            case when e.id is not null then json_build_object('id', e.id, 'name', e.name)
            end, 'content_view_environments',
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
                        'content_view_version', n.version, 'content_view_version_id', n.id,
                        'content_view_version_latest',
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
                    order by l.position
                  )
                from
                  host_environments l
                  join content_views v on v.id = l.content_view_id
                  join lifecycle_environments e on e.id = l.environment_id
                  left join content_view_environments c on c.content_view_id = v.id
                  and c.environment_id = e.id
                  left join content_view_versions n on n.id = c.content_view_version_id
                where l.host_id = t.id
              ),
              '[]'
            ),
            'content_view_version', n.version, 'content_view_version_id', n.id, 'content_view_version_latest',
            n.id = (
              select x.id
              from content_view_versions x
              where x.content_view_id = v.id
              order by x.major desc, x.minor desc
              limit 1
            ),
            'content_view_default?', v."default", 'lifecycle_environment_library?', e.library
          )
        from
          (select) one
          left join registrations r on r.host_id = t.id
          left join host_environments l on l.host_id = t.id
          and l.position = 0
          left join content_views v on v.id = l.content_view_id
          left join lifecycle_environments e on e.id = l.environment_id
          left join content_view_environments p on p.content_view_id = v.id
          and p.environment_id = e.id
          left join content_view_versions n on n.id = p.content_view_version_id
        where r.host_id is not null or l.host_id is not null
      ) as content_facet_attributes,
      (
        select
          json_build_object(
            'host_type', null, 'dmi_uuid', r.system_uuid, 'id', t.id, 'uuid', coalesce(r.uuid, w.former_uuid),
            'last_checkin', to_char(r.last_checkin at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'service_level',
            case when r.host_id is null then w.service_level else r.service_level
            end, 'release_version',
            case when r.host_id is null then w.release_version else r.release_version
            end, 'purpose_usage',
            case when r.host_id is null then w.purpose_usage else r.purpose_usage
            end, 'purpose_role',
            case when r.host_id is null then w.purpose_role else r.purpose_role
            end, 'purpose_addons',
            case when r.host_id is null then w.purpose_addons else r.purpose_addons
            end, 'autoheal',
            case when r.host_id is null then w.autoheal else r.autoheal
            end, 'registered_at', to_char(r.registered_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'registered_through', r.registered_through, 'hypervisor',
            exists (select from subscriptions s where s.hypervisor_id = t.id),
            'user',
            (select json_build_object('id', u.id, 'login', u.login) from users u where u.id = r.user_id),
            'virtual_host', null, 'virtual_guests', '[]'::json, 'installed_products',
            coalesce(r.installed_products, '[]'), 'activation_keys',
            coalesce(
              (
                select json_agg(json_build_object('id', k.id, 'name', k.name) order by l.position, k.id)
                from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id
                where l.host_id = r.host_id
              ),
              '[]'
            ),
            'compliance_reasons', '[]'::json
          )
        from (select) one left join registrations r on r.host_id = t.id left join host_wishes w on w.host_id = t.id
        where r.host_id is not null or w.host_id is not null
      ) as subscription_facet_attributes,
      coalesce(
        (
          select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
          from host_collection_hosts l join host_collections x on x.id = l.host_collection_id
          where l.host_id = t.id
        ),
        '[]'
      ) as host_collections,
      coalesce(
        (
          select
            json_agg(
              json_build_object(
                'subnet_id', i.subnet_id, 'subnet_name',
                (select x.name from subnets x where x.id = i.subnet_id),
                'subnet6_id', i.subnet6_id, 'subnet6_name',
                (select x.name from subnets x where x.id = i.subnet6_id),
                'domain_id', i.domain_id, 'domain_name',
                (select x.name from domains x where x.id = i.domain_id),
                'created_at', to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
                to_char(i.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'managed', i.managed,
                'identifier', i.identifier, 'id', i.id, 'name', i.name, 'ip', host(i.ip), 'ip6', host(i.ip6), 'mac',
                i.mac, 'mtu',
                coalesce(
                  i.mtu,
                  (select s.mtu from subnets s where s.id = i.subnet_id),
                  (select s.mtu from subnets s where s.id = i.subnet6_id)
                ),
                'fqdn',
                case
                  when strpos(i.name, '.') > 0
                  or i.domain_id is null then i.name
                  else i.name || '.' || (select d.name from domains d where d.id = i.domain_id)
                end, 'primary', i.primary, 'provision', i.provision, 'type', i.type, 'virtual', i.virtual, 'tag',
                i.tag, 'attached_to', i.attached_to, 'mode', i.mode, 'attached_devices',
                array_to_string(i.attached_devices, ','), 'bond_options', i.bond_options, 'provider', i.provider,
                'username', i.username
              )
              order by i.primary desc, i.id
            )
          from interfaces i
          where i.host_id = t.id
        ),
        '[]'
      ) as interfaces,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
              order by x.name, x.id
            )
          from host_configclasses l join configclasses x on x.id = l.configclass_id
          where l.host_id = t.id
        ),
        '[]'
      ) as configclasses,
      coalesce(
        (
          select
            json_agg(
              json_build_object(
                'created_at', to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
                to_char(g.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', g.id, 'name', g.name,
                'configclasses',
                coalesce(
                  (
                    select
                      json_agg(
                        json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
                        order by x.name
                      )
                    from configclasses x join config_group_configclasses m on m.configclass_id = x.id
                    where m.config_group_id = g.id
                  ),
                  '[]'
                )
              )
              order by g.name, g.id
            )
          from config_group_hosts l join config_groups g on g.id = l.config_group_id
          where l.host_id = t.id
        ),
        '[]'
      ) as config_groups,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
              order by x.name
            )
          from configclasses x
          where
            x.id in (
              select given.configclass_id
              from
                (
                  select own.configclass_id
                  from host_configclasses own
                  where own.host_id = t.id
                  union
                  select member.configclass_id
                  from
                    config_group_hosts own
                    join config_group_configclasses member on member.config_group_id = own.config_group_id
                  where own.host_id = t.id
                  union
                  select own.configclass_id
                  from
                    hostgroups line
                    join hostgroup_configclasses own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                  where line.id = t.hostgroup_id
                  union
                  select member.configclass_id
                  from
                    hostgroups line
                    join config_group_hostgroups own on own.hostgroup_id = any (line.ancestor_ids || line.id)
                    join config_group_configclasses member on member.config_group_id = own.config_group_id
                  where line.id = t.hostgroup_id
                ) given
                join configclass_environments there on there.configclass_id = given.configclass_id
                and there.environment_id = t.environment_id
            )
        ),
        '[]'
      ) as all_configclasses,
      null as permissions
    from
      hosts t
      left join lateral (
        select
          host(i.ip) as ip, host(i.ip6) as ip6, i.mac, i.domain_id, i.subnet_id, i.subnet6_id,
          (select x.name from domains x where x.id = i.domain_id) as domain_name,
          (select x.name from subnets x where x.id = i.subnet_id) as subnet_name,
          (select x.name from subnets x where x.id = i.subnet6_id) as subnet6_name
        from interfaces i
        where i.host_id = t.id and i.primary
        limit 1
      ) primary_interface on true
      left join lateral (
        select i.id, host(i.ip) as ip, i.mac, i.name, i.subnet_id
        from interfaces i
        where i.host_id = t.id and i.type = 'bmc'
        order by i.id
        limit 1
      ) service_processor on true
      left join lateral (
        select
          configuration.status as configuration_status, configuration.label as configuration_status_label,
          build.status as build_status, build.label as build_status_label,
          subscription.status as subscription_status, subscription.label as subscription_status_label,
          greatest(configuration.global, build.global, subscription.global) as global_status,
          (array['OK', 'Warning', 'Error']) [greatest(configuration.global, build.global, subscription.global) + 1] as global_status_label
        from
          (select) one
          left join lateral (
            select s.status, s.label, s.global
            from configuration_states s
            where s.host_id = t.id
            limit 1
          ) configuration on true
          left join lateral (
            select s.status, s.label, s.global
            from build_states s
            where s.host_id = t.id
            limit 1
          ) build on true
          left join lateral (
            select
              (array[5, 0, 2]) [k.state] as status,
              (array['Simple content access', 'Fully entitled', 'Unentitled']) [k.state] as label,
              (array[0, 0, 2]) [k.state] as global
            from
              registrations r
              join organizations o on o.id = t.organization_id
              cross join lateral (
                select
                  case
                    when o.content_access_mode <> 'entitlement' then 1
                    when case
                      when o.content_access_mode = 'entitlement' then array(
                        select p.product ->> 'productId'
                        from jsonb_array_elements(r.installed_products) p (product)
                        where
                          not exists (
                            select
                            from
                              host_entitlements l
                              join subscriptions s on s.id = l.subscription_id
                              join products x on x.id = s.product_id
                              or x.id in (
                                select c.product_id
                                from subscription_products c
                                where c.subscription_id = s.id
                              )
                            where l.host_id = r.host_id and x.cp_id = p.product ->> 'productId'
                          )
                      )
                      else '{}'
                    end = '{}' then 2
                    else 3
                  end as state
                offset 0
              ) k
            where r.host_id = t.id
            limit 1
          ) subscription on true
        limit 1
      ) states on true
    where
      (t.id = $::bigint or t.name = $::text)
      and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
      and (t.organization_id = any ($::bigint[]))
      and (t.location_id = any ($::bigint[]))
    order by (t.name = $::text) desc
    limit 1
  ) shown;
-- limited show.2 is limited create.8

-- update, as a limited user
-- PUT /api/hosts/:id: 13 statements
-- limited update.1 is update.1, but
  from hosts t
- where (t.id = $::bigint or t.name = $::text) and true
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (t.location_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is shared d67229: select o.id from override_values o where exists ( select from unnest(string_to_array(o.mat…
-- limited update.5 is update.4
-- limited update.6 is shared 35ef74: with named as ( select id, match as before, smart_class_parameter_id as parameter, $::text…
-- limited update.7 is update.6
-- limited update.8 is update.7
-- limited update.9 is shared 22f779: update interfaces t set name = $::text, updated_at = now() where id = $ returning t.*;
-- limited update.10 is shared ed55e9: select case when strpos(i.name, '.') > 0 or i.domain_id is null then i.name else i.name ||…
-- limited update.11 is limited create.6
-- limited update.12 is create.6
-- limited update.13 is limited create.8

-- delete, as a limited user
-- DELETE /api/hosts/:id: 6 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5
-- limited delete.6 is shared cfd5e8: select id from override_values where match = $ order by id;
