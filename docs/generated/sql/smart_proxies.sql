-- list, as an administrator
-- GET /api/smart_proxies: 1 statement

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from smart_proxies t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/smart_proxies: 1 statement

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from smart_proxies t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/smart_proxies: 13 statements

select
from smart_proxies
where url = $1;

select 0 as place, t.id
from locations t
where t.id = any ($1::bigint[]) and (true)
union all
select 1 as place, t.id
from organizations t
where t.id = any ($2::bigint[]) and (true);

insert into smart_proxies (name, url, runner)
values ($1::text, $2::text, $3::text)
returning *;

delete from smart_proxy_locations
where smart_proxy_id = $1 and not location_id = any ($2::bigint[]);

insert into smart_proxy_locations (smart_proxy_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from smart_proxy_organizations
where smart_proxy_id = $1 and not organization_id = any ($2::bigint[]);

insert into smart_proxy_organizations (smart_proxy_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from smart_proxy_organizations l where l.smart_proxy_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from smart_proxy_locations l where l.smart_proxy_id = $13::bigint) places
  )
select id
from written;

insert into features (name)
select name
from jsonb_to_recordset($1::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)
order by name
on conflict do nothing;

with
  kept as (
    select f.id, wanted.capabilities, wanted.settings
    from
      jsonb_to_recordset($1::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)
      join features f using (name)
  ),
  gone as (
    delete from smart_proxy_features
    where smart_proxy_id = $2 and feature_id not in (select id from kept)
    returning 1
  ),
  written as (
    insert into smart_proxy_features as l (smart_proxy_id, feature_id, capabilities, settings)
    select $3::bigint, id, capabilities, settings
    from kept
    on conflict (smart_proxy_id, feature_id) do update
    set capabilities = excluded.capabilities, settings = excluded.settings
    where (l.capabilities, l.settings) is distinct from (excluded.capabilities, excluded.settings)
    returning 1
  )
select exists (select from gone) or exists (select from written) as changed;

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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/smart_proxies/:id: 1 statement

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
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/smart_proxies/:id: 8 statements

select t.id as id
from smart_proxies t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

update smart_proxies
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from smart_proxy_organizations l where l.smart_proxy_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from smart_proxy_locations l where l.smart_proxy_id = $13::bigint) places
  )
select id
from written;

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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/smart_proxies/:id: 17 statements

select t.id as id
from smart_proxies t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

select
  t.id as id, t.name as name, t.url as url, t.runner as runner, t.runner_command as runner_command,
  t.ssh_user as ssh_user, t.ssh_port as ssh_port, t.ssh_known_hosts as ssh_known_hosts,
  t.run_timeout as run_timeout, t.created_at as created_at, t.updated_at as updated_at
from smart_proxies t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from domains t
where t.dns_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from subnets t
where t.dhcp_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from subnets t
where t.tftp_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from subnets t
where t.dns_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from subnets t
where t.template_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from subnets t
where t.bmc_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from realms t
where t.realm_proxy_id = $1
order by 1
limit $2;

select t.title as called, true as shown
from hostgroups t
where t.config_proxy_id = $1
order by 1
limit $2;

select t.title as called, true as shown
from hostgroups t
where t.config_ca_proxy_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from hosts t
where t.config_proxy_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from hosts t
where t.config_ca_proxy_id = $1
order by 1
limit $2;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from smart_proxy_organizations l where l.smart_proxy_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from smart_proxy_locations l where l.smart_proxy_id = $13::bigint) places
  )
select id
from written;

delete from smart_proxies
where id = $1;

-- list, as a limited user
-- GET /api/smart_proxies: 1 statement

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
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
                where l.smart_proxy_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from smart_proxy_organizations l
          where l.smart_proxy_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (
          select
          from smart_proxy_locations l
          where l.smart_proxy_id = t.id and l.location_id = any ($6::bigint[])
        )
      )
    order by t.name asc, t.id
    limit $7
  ) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/smart_proxies: 2 statements

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
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
                where l.smart_proxy_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from smart_proxy_organizations l
          where l.smart_proxy_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (
          select
          from smart_proxy_locations l
          where l.smart_proxy_id = t.id and l.location_id = any ($6::bigint[])
        )
      )
      and (fold (t.name) like fold ($7))
    order by t.id desc, t.id
    limit $8
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from smart_proxies t
where
  (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

-- create, as a limited user
-- POST /api/smart_proxies: 14 statements

select
from smart_proxies
where url = $1;

select 0 as place, t.id
from locations t
where
  t.id = any ($1::bigint[])
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $3 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
union all
select 1 as place, t.id
from organizations t
where
  t.id = any ($4::bigint[])
  and (
    (
      (t.id = any ($5::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $6 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  );

insert into smart_proxies (name, url, runner)
values ($1::text, $2::text, $3::text)
returning *;

delete from smart_proxy_locations
where smart_proxy_id = $1 and not location_id = any ($2::bigint[]);

insert into smart_proxy_locations (smart_proxy_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from smart_proxy_organizations
where smart_proxy_id = $1 and not organization_id = any ($2::bigint[]);

insert into smart_proxy_organizations (smart_proxy_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from smart_proxy_organizations l where l.smart_proxy_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from smart_proxy_locations l where l.smart_proxy_id = $13::bigint) places
  )
select id
from written;

insert into features (name)
select name
from jsonb_to_recordset($1::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)
order by name
on conflict do nothing;

with
  kept as (
    select f.id, wanted.capabilities, wanted.settings
    from
      jsonb_to_recordset($1::jsonb) as wanted (name text collate "C", capabilities jsonb, settings jsonb)
      join features f using (name)
  ),
  gone as (
    delete from smart_proxy_features
    where smart_proxy_id = $2 and feature_id not in (select id from kept)
    returning 1
  ),
  written as (
    insert into smart_proxy_features as l (smart_proxy_id, feature_id, capabilities, settings)
    select $3::bigint, id, capabilities, settings
    from kept
    on conflict (smart_proxy_id, feature_id) do update
    set capabilities = excluded.capabilities, settings = excluded.settings
    where (l.capabilities, l.settings) is distinct from (excluded.capabilities, excluded.settings)
    returning 1
  )
select exists (select from gone) or exists (select from written) as changed;

select t.id
from smart_proxies t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/smart_proxies/:id: 1 statement

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
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($6::bigint[])
    )
  )
order by (t.name = $7::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/smart_proxies/:id: 9 statements

select t.id as id
from smart_proxies t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($6::bigint[])
    )
  )
order by (t.name = $7::text) desc
limit 1;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

update smart_proxies
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from smart_proxy_organizations l where l.smart_proxy_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from smart_proxy_locations l where l.smart_proxy_id = $13::bigint) places
  )
select id
from written;

select t.id
from smart_proxies t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/smart_proxies/:id: 17 statements

select t.id as id
from smart_proxies t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from smart_proxy_organizations l
            where l.smart_proxy_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from smart_proxy_organizations l
      where l.smart_proxy_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (
      select
      from smart_proxy_locations l
      where l.smart_proxy_id = t.id and l.location_id = any ($6::bigint[])
    )
  )
order by (t.name = $7::text) desc
limit 1;

select t.*
from smart_proxies t
where t.id = $1
for no key update of t;

select
  array(select l.host_id from smart_proxy_hosts l where l.smart_proxy_id = t.id order by 1) as machines,
  array(select l.location_id from smart_proxy_locations l where l.smart_proxy_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from smart_proxy_organizations l
    where l.smart_proxy_id = t.id
    order by 1
  ) as organizations
from smart_proxies t
where t.id = $1;

select
  t.id as id, t.name as name, t.url as url, t.runner as runner, t.runner_command as runner_command,
  t.ssh_user as ssh_user, t.ssh_port as ssh_port, t.ssh_known_hosts as ssh_known_hosts,
  t.run_timeout as run_timeout, t.created_at as created_at, t.updated_at as updated_at
from smart_proxies t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.name as called,
  (exists (select from domain_organizations l where l.domain_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from domain_locations l where l.domain_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from domains t
where t.dns_id = $3
order by 1
limit $4;

select
  t.name as called,
  (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from subnets t
where t.dhcp_id = $3
order by 1
limit $4;

select
  t.name as called,
  (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from subnets t
where t.tftp_id = $3
order by 1
limit $4;

select
  t.name as called,
  (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from subnets t
where t.dns_id = $3
order by 1
limit $4;

select
  t.name as called,
  (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from subnets t
where t.template_id = $3
order by 1
limit $4;

select
  t.name as called,
  (exists (select from subnet_organizations l where l.subnet_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from subnet_locations l where l.subnet_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from subnets t
where t.bmc_id = $3
order by 1
limit $4;

select
  t.name as called,
  (exists (select from realm_organizations l where l.realm_id = t.id and l.organization_id = any ($1::bigint[])))
  and (
    exists (select from realm_locations l where l.realm_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from realms t
where t.realm_proxy_id = $3
order by 1
limit $4;

select
  t.title as called,
  (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($1::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from hostgroups t
where t.config_proxy_id = $3
order by 1
limit $4;

select
  t.title as called,
  (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($1::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from hostgroups t
where t.config_ca_proxy_id = $3
order by 1
limit $4;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.config_proxy_id = $3
order by 1
limit $4;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.config_ca_proxy_id = $3
order by 1
limit $4;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from smart_proxy_organizations l where l.smart_proxy_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from smart_proxy_locations l where l.smart_proxy_id = $13::bigint) places
  )
select id
from written;

delete from smart_proxies
where id = $1;
