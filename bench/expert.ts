/** A query written by hand for one kind of answer, as a comparison. */
export interface ExpertQuery {
  readonly text: string
  /** The exact count; null for a single record. */
  readonly count: string | null
}

/** $1: the id. */
export const SHOW_ARCHITECTURE: ExpertQuery = {
  text: `
    select a.created_at, a.updated_at, a.name, a.id, coalesce(o.list, '[]') as operatingsystems, coalesce(i.list, '[]') as images
    from architectures a
    left join lateral (
      select json_agg(json_build_object('id', o.id, 'name', o.name, 'title', o.title) order by o.title, o.id) as list
      from architecture_operatingsystems l join operatingsystems o on o.id = l.operatingsystem_id where l.architecture_id = a.id
    ) o on true
    left join lateral (
      select json_agg(json_build_object('id', i.id, 'name', i.name) order by i.name, i.id) as list
      from images i where i.architecture_id = a.id
    ) i on true
    where a.id = $1`,
  count: null,
}

/** $1: the offset. */
export const LIST_ARCHITECTURES: ExpertQuery = {
  text: 'select created_at, updated_at, name, id from architectures order by name, id limit 20 offset $1',
  count: 'select count(*) from architectures',
}

/** $1: a name. */
export const SEARCH_ARCHITECTURES: ExpertQuery = {
  text: 'select created_at, updated_at, name, id from architectures where name = $1 order by name, id limit 20',
  count:
    'select (select count(*) from architectures) as count, count(*) as subtotal from architectures where name = $1',
}

/** $1: the offset, $2: organizations, $3: locations. */
export const LIST_USERS: ExpertQuery = {
  text: `
    with page as (
      select u.* from users u join auth_sources s on s.id = u.auth_source_id
      where s.type <> 'AuthSourceHidden'
        and exists (select from user_organizations l where l.user_id = u.id and l.organization_id = any ($2::bigint[]))
        and exists (select from user_locations l where l.user_id = u.id and l.location_id = any ($3::bigint[]))
      order by u.firstname, u.id limit 20 offset $1
    )
    select u.firstname, u.lastname, u.mail, u.mail_enabled, u.admin, u.auth_source_id, u.disabled, s.name as auth_source_name,
      u.timezone, u.locale, u.last_login_on, u.created_at, u.updated_at, u.id, u.login, u.description,
      coalesce(k.list, '[]') as ssh_keys,
      case when dl.id is not null then json_build_object('id', dl.id, 'name', dl.name, 'title', dl.title, 'description', dl.description) end as default_location,
      coalesce(l.list, '[]') as locations,
      case when d.id is not null then json_build_object('id', d.id, 'name', d.name, 'title', d.title, 'description', d.description) end as default_organization,
      coalesce(o.list, '[]') as organizations,
      u.admin or exists (
        with recursive member_of (id) as (
          select usergroup_id from usergroup_users where user_id = u.id
          union
          select up.usergroup_id from usergroup_usergroups up join member_of on up.member_id = member_of.id
        )
        select from member_of join usergroups g using (id) where g.admin
      ) as effective_admin
    from page u
    join auth_sources s on s.id = u.auth_source_id
    left join locations dl on dl.id = u.default_location_id
    left join organizations d on d.id = u.default_organization_id
    left join lateral (
      select json_agg(json_build_object('id', k.id, 'name', k.name, 'fingerprint', k.fingerprint) order by k.name, k.id) as list
      from ssh_keys k where k.user_id = u.id
    ) k on true
    left join lateral (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description) order by x.title, x.id) as list
      from user_locations n join locations x on x.id = n.location_id where n.user_id = u.id and x.id = any ($3::bigint[])
    ) l on true
    left join lateral (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description) order by x.title, x.id) as list
      from user_organizations n join organizations x on x.id = n.organization_id where n.user_id = u.id and x.id = any ($2::bigint[])
    ) o on true
    order by u.firstname, u.id`,
  count: `
    select count(*) from users u join auth_sources s on s.id = u.auth_source_id
    where s.type <> 'AuthSourceHidden'
      and exists (select from user_organizations l where l.user_id = u.id and l.organization_id = any ($1::bigint[]))
      and exists (select from user_locations l where l.user_id = u.id and l.location_id = any ($2::bigint[]))`,
}

/** All keys that lists of hosts have, of the hosts `page`. */
const HOSTS_OF_PAGE = `
    select host(i.ip) as ip, host(i.ip6) as ip6, h.environment_id, env.name as environment_name, h.last_report, i.mac,
      h.realm_id, rea.name as realm_name, sp.mac as sp_mac, host(sp.ip) as sp_ip, sp.name as sp_name,
      i.domain_id, dom.name as domain_name, h.architecture_id, arc.name as architecture_name,
      h.operatingsystem_id, sys.title as operatingsystem_name, i.subnet_id, sub.name as subnet_name,
      i.subnet6_id, su6.name as subnet6_name, sp.subnet_id as sp_subnet_id, h.ptable_id, pta.name as ptable_name,
      h.medium_id, med.name as medium_name, h.pxe_loader, h.build, h.comment, h.disk, h.initiated_at, h.installed_at, h.model_id,
      h.hostgroup_id, coalesce(h.owner_user_id, h.owner_usergroup_id) as owner_id,
      coalesce(nullif(concat_ws(' ', nullif(u.firstname, ''), nullif(u.lastname, '')), ''), u.login, ug.name) as owner_name,
      case when h.owner_user_id is not null then 'User' when h.owner_usergroup_id is not null then 'Usergroup' end as owner_type,
      h.enabled, h.managed, h.use_image, h.image_file, h.uuid, h.compute_resource_id, res.name as compute_resource_name,
      h.compute_profile_id, pro.name as compute_profile_name,
      case when h.compute_resource_id is null then '["build"]'::json else '["build","image"]'::json end as capabilities,
      h.provision_method, coalesce(h.certname, h.name) as certname, h.image_id, img.name as image_name, h.created_at, h.updated_at,
      h.last_compile, greatest(c.global, b.global, case when r.host_id is not null then 0 end) as global_status,
      (array['OK', 'Warning', 'Error'])[greatest(c.global, b.global, case when r.host_id is not null then 0 end) + 1] as global_status_label,
      left(up.value, 15)::bigint as uptime_seconds, sp.id is not null as bmc_available,
      h.organization_id, org.title as organization_name, h.location_id, loc.title as location_name, mod.name as model_name,
      b.status as build_status, b.label as build_status_label, h.name, h.id,
      h.config_proxy_id, pr.name as config_proxy_name, h.config_ca_proxy_id, ca.name as config_ca_proxy_name,
      case when pr.id is not null then json_build_object('name', pr.name, 'id', pr.id, 'url', pr.url) end as config_proxy,
      case when ca.id is not null then json_build_object('name', ca.name, 'id', ca.id, 'url', ca.url) end as config_ca_proxy,
      g.name as hostgroup_name, g.title as hostgroup_title
    from page h
    left join interfaces i on i.host_id = h.id and i."primary"
    left join lateral (select * from interfaces x where x.host_id = h.id and x.type = 'bmc' order by x.id limit 1) sp on true
    left join environments env on env.id = h.environment_id left join realms rea on rea.id = h.realm_id
    left join domains dom on dom.id = i.domain_id left join subnets sub on sub.id = i.subnet_id
    left join subnets su6 on su6.id = i.subnet6_id left join architectures arc on arc.id = h.architecture_id
    left join operatingsystems sys on sys.id = h.operatingsystem_id left join ptables pta on pta.id = h.ptable_id
    left join media med on med.id = h.medium_id left join users u on u.id = h.owner_user_id
    left join usergroups ug on ug.id = h.owner_usergroup_id left join compute_resources res on res.id = h.compute_resource_id
    left join compute_profiles pro on pro.id = h.compute_profile_id left join images img on img.id = h.image_id
    left join organizations org on org.id = h.organization_id left join locations loc on loc.id = h.location_id
    left join models mod on mod.id = h.model_id left join smart_proxies pr on pr.id = h.config_proxy_id
    left join smart_proxies ca on ca.id = h.config_ca_proxy_id left join hostgroups g on g.id = h.hostgroup_id
    left join configuration_states c on c.host_id = h.id
    left join build_states b on b.host_id = h.id
    left join registrations r on r.host_id = h.id
    left join fact_names fn on fn.name = 'system_uptime::seconds'
    left join fact_values up on up.host_id = h.id and up.fact_name_id = fn.id and up.value ~ '^[0-9]{1,15}$'
    order by h.name, h.id`

/** The keys of a list for one host. $1: its id. */
export const READ_HOST = `
    with page as (select * from hosts where id = $1)${HOSTS_OF_PAGE}`

/** $1: the offset, $2: organizations, $3: locations. No host of the benchmark has subscriptions to count. */
export const LIST_HOSTS: ExpertQuery = {
  text: `
    with page as (
      select * from hosts where organization_id = any ($2::bigint[]) and location_id = any ($3::bigint[])
      order by name, id limit 20 offset $1
    )${HOSTS_OF_PAGE}`,
  count: 'select count(*) from hosts where organization_id = any ($1::bigint[]) and location_id = any ($2::bigint[])',
}
