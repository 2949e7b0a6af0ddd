-- list, as an administrator
-- GET /api/auth_source_ldaps: 3 statements

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $3) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceLdap');

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/auth_source_ldaps: 4 statements

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where (t.type = 'AuthSourceLdap') and (fold (t.name) like fold ($3))
    order by t.id desc, t.id
    limit $4
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceLdap');

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceLdap') and (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/auth_source_ldaps: 11 statements

select 0 as place, t.id
from locations t
where t.id = any ($1::bigint[]) and (true)
union all
select 1 as place, t.id
from organizations t
where t.id = any ($2::bigint[]) and (true);

insert into
  auth_sources (name, host, port, attr_login, attr_firstname, attr_lastname, attr_mail, attr_photo, server_type, type)
values ($1::text, $2::text, $3::integer, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text)
returning *;

delete from auth_source_locations
where auth_source_id = $1 and not location_id = any ($2::bigint[]);

insert into auth_source_locations (auth_source_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from auth_source_organizations
where auth_source_id = $1 and not organization_id = any ($2::bigint[]);

insert into auth_source_organizations (auth_source_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

select t.id
from auth_sources t
where t.id = $1 and (t.type = 'AuthSourceLdap');

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/auth_source_ldaps/:id: 1 statement

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint or t.name = $2::text) and (t.type = 'AuthSourceLdap')
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/auth_source_ldaps/:id: 9 statements

select t.id as id
from auth_sources t
where (t.id = $1::bigint or t.name = $2::text) and (t.type = 'AuthSourceLdap')
order by (t.name = $3::text) desc
limit 1;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where t.id = $1;

update auth_sources
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

select t.id
from auth_sources t
where t.id = $1 and (t.type = 'AuthSourceLdap');

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/auth_source_ldaps/:id: 7 statements

select t.id as id
from auth_sources t
where (t.id = $1::bigint or t.name = $2::text) and (t.type = 'AuthSourceLdap')
order by (t.name = $3::text) desc
limit 1;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where t.id = $1;

select
  t.id as id, t.name as name, t.host as host, t.port as port, t.account as account, t.base_dn as base_dn,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.onthefly_register as onthefly_register, t.tls as tls, t.start_tls as start_tls,
  t.ca_certificate as ca_certificate, t.created_at as created_at, t.updated_at as updated_at,
  t.ldap_filter as ldap_filter, t.attr_photo as attr_photo, t.server_type as server_type,
  t.groups_base as groups_base, t.usergroup_sync as usergroup_sync, t.use_netgroups as use_netgroups
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.login as called,
  (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden')) as shown
from users t
where t.auth_source_id = $1
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

delete from auth_sources
where id = $1;

-- list, as a limited user
-- GET /api/auth_source_ldaps: 3 statements

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where
      (t.type = 'AuthSourceLdap')
      and (
        (
          (
            (
              exists (
                select
                from auth_source_organizations l
                where l.auth_source_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from auth_source_organizations l
          where l.auth_source_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (
          select
          from auth_source_locations l
          where l.auth_source_id = t.id and l.location_id = any ($6::bigint[])
        )
      )
    order by t.name asc, t.id
    limit $7
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where
  (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/auth_source_ldaps: 4 statements

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from auth_sources t
    where
      (t.type = 'AuthSourceLdap')
      and (
        (
          (
            (
              exists (
                select
                from auth_source_organizations l
                where l.auth_source_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from auth_source_organizations l
          where l.auth_source_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (
          select
          from auth_source_locations l
          where l.auth_source_id = t.id and l.location_id = any ($6::bigint[])
        )
      )
      and (fold (t.name) like fold ($7))
    order by t.id desc, t.id
    limit $8
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where
  (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from auth_sources t
where
  (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($5::bigint[])
    )
  )
  and (fold (t.name) like fold ($6));

-- create, as a limited user
-- POST /api/auth_source_ldaps: 11 statements

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

insert into
  auth_sources (name, host, port, attr_login, attr_firstname, attr_lastname, attr_mail, attr_photo, server_type, type)
values ($1::text, $2::text, $3::integer, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text)
returning *;

delete from auth_source_locations
where auth_source_id = $1 and not location_id = any ($2::bigint[]);

insert into auth_source_locations (auth_source_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from auth_source_organizations
where auth_source_id = $1 and not organization_id = any ($2::bigint[]);

insert into auth_source_organizations (auth_source_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

select t.id
from auth_sources t
where
  t.id = $1
  and (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/auth_source_ldaps/:id: 1 statement

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($6::bigint[])
    )
  )
order by (t.name = $7::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/auth_source_ldaps/:id: 9 statements

select t.id as id
from auth_sources t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($6::bigint[])
    )
  )
order by (t.name = $7::text) desc
limit 1;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where t.id = $1;

update auth_sources
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

select t.id
from auth_sources t
where
  t.id = $1
  and (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($5::bigint[])
    )
  );

select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.auth_source_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
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
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/auth_source_ldaps/:id: 7 statements

select t.id as id
from auth_sources t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($6::bigint[])
    )
  )
order by (t.name = $7::text) desc
limit 1;

select t.*
from auth_sources t
where t.id = $1
for no key update of t;

select
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations
from auth_sources t
where t.id = $1;

select
  t.id as id, t.name as name, t.host as host, t.port as port, t.account as account, t.base_dn as base_dn,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.onthefly_register as onthefly_register, t.tls as tls, t.start_tls as start_tls,
  t.ca_certificate as ca_certificate, t.created_at as created_at, t.updated_at as updated_at,
  t.ldap_filter as ldap_filter, t.attr_photo as attr_photo, t.server_type as server_type,
  t.groups_base as groups_base, t.usergroup_sync as usergroup_sync, t.use_netgroups as use_netgroups
from auth_sources t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.login as called,
  (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($1::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($2::bigint[]))) as shown
from users t
where t.auth_source_id = $3
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
      (select l.organization_id as id from auth_source_organizations l where l.auth_source_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (select l.location_id as id from auth_source_locations l where l.auth_source_id = $13::bigint) places
  )
select id
from written;

delete from auth_sources
where id = $1;
