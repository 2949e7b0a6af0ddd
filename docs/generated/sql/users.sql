-- list, as an administrator
-- GET /api/users: 1 statement

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from users t
    where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
    order by t.login asc, t.id
    limit $3
  ) t
order by t.login asc, t.id;

-- list with search=login ~ ex and order=id DESC, as an administrator
-- GET /api/users: 2 statements

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from users t
    where
      (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
      and (fold (t.login) like fold ($3))
    order by t.id desc, t.id
    limit $4
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from users t
where (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'));

-- create, as an administrator
-- POST /api/users: 12 statements

select 0 as place, t.id
from auth_sources t
where t.id = any ($1::bigint[]) and (t.type <> 'AuthSourceHidden')
union all
select 1 as place, t.id
from locations t
where t.id = any ($2::bigint[]) and (true)
union all
select 2 as place, t.id
from organizations t
where t.id = any ($3::bigint[]) and (true);

select
from usergroups
where fold (name) = fold ($1::text);

insert into users (login, mail, auth_source_id, password)
values ($1::text, $2::text, $3::bigint, $4::text)
returning *;

delete from user_locations
where user_id = $1 and not location_id = any ($2::bigint[]);

insert into user_locations (user_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from user_organizations
where user_id = $1 and not organization_id = any ($2::bigint[]);

insert into user_organizations (user_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
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
    from written, (select l.organization_id as id from user_organizations l where l.user_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from user_locations l where l.user_id = $13::bigint) places
  )
select id
from written;

select t.id
from users t
where
  t.id = $1
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'));

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  coalesce(
    (
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
      from usergroups g
      where
        g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    ),
    '[]'
  ) as cached_usergroups,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from user_roles l join roles x on x.id = l.role_id
      where l.user_id = t.id
    ),
    '[]'
  ) as roles,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from usergroup_users l join usergroups x on x.id = l.usergroup_id
      where l.user_id = t.id
    ),
    '[]'
  ) as usergroups
from users t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/users/:id: 1 statement

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  coalesce(
    (
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
      from usergroups g
      where
        g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    ),
    '[]'
  ) as cached_usergroups,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from user_roles l join roles x on x.id = l.role_id
      where l.user_id = t.id
    ),
    '[]'
  ) as roles,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from usergroup_users l join usergroups x on x.id = l.usergroup_id
      where l.user_id = t.id
    ),
    '[]'
  ) as usergroups
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/users/:id: 9 statements

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $3::text) desc
limit 1;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
where t.id = $1;

update users
set firstname = $1::text, updated_at = now()
where id = $2;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
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
    from written, (select l.organization_id as id from user_organizations l where l.user_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from user_locations l where l.user_id = $13::bigint) places
  )
select id
from written;

select t.id
from users t
where
  t.id = $1
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'));

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  coalesce(
    (
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
      from usergroups g
      where
        g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    ),
    '[]'
  ) as cached_usergroups,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from user_roles l join roles x on x.id = l.role_id
      where l.user_id = t.id
    ),
    '[]'
  ) as roles,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from usergroup_users l join usergroups x on x.id = l.usergroup_id
      where l.user_id = t.id
    ),
    '[]'
  ) as usergroups
from users t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/users/:id: 10 statements

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $3::text) desc
limit 1;

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $3::text) desc
limit 1;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
where t.id = $1;

select
  t.id as id, t.login as login, t.firstname as firstname, t.lastname as lastname, t.mail as mail,
  t.description as description, t.admin as admin, t.disabled as disabled, t.auth_source_id as auth_source_id,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on,
  t.default_location_id as default_location_id, t.default_organization_id as default_organization_id,
  t.created_at as created_at, t.updated_at as updated_at
from users t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from hosts t
where t.owner_user_id = $1
order by 1
limit $2;

select count(*) filter (where id <> $1) as left
from (select id from users where admin and not disabled order by id for update) administrators;

select admin and not disabled as admin
from users
where id = $1;

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
    from written, (select l.organization_id as id from user_organizations l where l.user_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from user_locations l where l.user_id = $13::bigint) places
  )
select id
from written;

delete from users
where id = $1;

-- list, as a limited user
-- GET /api/users: 1 statement

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from users t
    where
      (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
      and (
        (
          (
            (
              exists (
                select
                from user_organizations l
                where l.user_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.login) like fold ($4))
          )
        )
      )
      and (
        exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($5::bigint[]))
      )
      and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($6::bigint[])))
    order by t.login asc, t.id
    limit $7
  ) t
order by t.login asc, t.id;

-- list with search=login ~ ex and order=id DESC, as a limited user
-- GET /api/users: 2 statements

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from users t
    where
      (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
      and (
        (
          (
            (
              exists (
                select
                from user_organizations l
                where l.user_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.login) like fold ($4))
          )
        )
      )
      and (
        exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($5::bigint[]))
      )
      and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($6::bigint[])))
      and (fold (t.login) like fold ($7))
    order by t.id desc, t.id
    limit $8
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from users t
where
  (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.login) like fold ($3))
      )
    )
  )
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($4::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($5::bigint[])));

-- create, as a limited user
-- POST /api/users: 12 statements

select 0 as place, t.id
from auth_sources t
where t.id = any ($1::bigint[]) and (t.type <> 'AuthSourceHidden')
union all
select 1 as place, t.id
from locations t
where
  t.id = any ($2::bigint[])
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
union all
select 2 as place, t.id
from organizations t
where
  t.id = any ($5::bigint[])
  and (
    (
      (t.id = any ($6::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $7 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  );

select
from usergroups
where fold (name) = fold ($1::text);

insert into users (login, mail, auth_source_id, password)
values ($1::text, $2::text, $3::bigint, $4::text)
returning *;

delete from user_locations
where user_id = $1 and not location_id = any ($2::bigint[]);

insert into user_locations (user_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from user_organizations
where user_id = $1 and not organization_id = any ($2::bigint[]);

insert into user_organizations (user_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
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
    from written, (select l.organization_id as id from user_organizations l where l.user_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from user_locations l where l.user_id = $13::bigint) places
  )
select id
from written;

select t.id
from users t
where
  t.id = $1
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.login) like fold ($3))
      )
    )
  )
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($4::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($5::bigint[])));

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  coalesce(
    (
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
      from usergroups g
      where
        g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    ),
    '[]'
  ) as cached_usergroups,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from user_roles l join roles x on x.id = l.role_id
      where l.user_id = t.id
    ),
    '[]'
  ) as roles,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from usergroup_users l join usergroups x on x.id = l.usergroup_id
      where l.user_id = t.id
    ),
    '[]'
  ) as usergroups
from users t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/users/:id: 1 statement

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  coalesce(
    (
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
      from usergroups g
      where
        g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    ),
    '[]'
  ) as cached_usergroups,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from user_roles l join roles x on x.id = l.role_id
      where l.user_id = t.id
    ),
    '[]'
  ) as roles,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from usergroup_users l join usergroups x on x.id = l.usergroup_id
      where l.user_id = t.id
    ),
    '[]'
  ) as usergroups
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          (
            (
              (
                exists (
                  select
                  from user_organizations l
                  where l.user_id = t.id and l.organization_id = any ($3::bigint[])
                )
              )
              and (fold (t.login) like fold ($4))
            )
          )
        )
        and (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($5::bigint[])
          )
        )
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($6::bigint[])))
      )
      or (t.id = $7)
    )
  )
order by (t.login = $8::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/users/:id: 10 statements

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          (
            (
              (
                exists (
                  select
                  from user_organizations l
                  where l.user_id = t.id and l.organization_id = any ($3::bigint[])
                )
              )
              and (fold (t.login) like fold ($4))
            )
          )
        )
        and (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($5::bigint[])
          )
        )
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($6::bigint[])))
      )
      or (t.id = $7)
    )
  )
order by (t.login = $8::text) desc
limit 1;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
where t.id = $1;

select
from users t
where
  t.id = $1
  and (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  );

update users
set firstname = $1::text, updated_at = now()
where id = $2;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
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
    from written, (select l.organization_id as id from user_organizations l where l.user_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from user_locations l where l.user_id = $13::bigint) places
  )
select id
from written;

select t.id
from users t
where
  t.id = $1
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          (
            (
              (
                exists (
                  select
                  from user_organizations l
                  where l.user_id = t.id and l.organization_id = any ($2::bigint[])
                )
              )
              and (fold (t.login) like fold ($3))
            )
          )
        )
        and (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($4::bigint[])
          )
        )
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($5::bigint[])))
      )
      or (t.id = $6)
    )
  );

select
  t.firstname as firstname, t.lastname as lastname, t.mail as mail, t.admin as admin,
  t.auth_source_id as auth_source_id, t.disabled as disabled,
  (select n.name from auth_sources n where n.id = t.auth_source_id) as auth_source_name,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.login as login, t.description as description,
  coalesce(
    (
      select
        json_agg(json_build_object('id', x.id, 'name', x.name, 'fingerprint', x.fingerprint) order by x.name, x.id)
      from ssh_keys x
      where x.user_id = t.id
    ),
    '[]'
  ) as ssh_keys,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from locations x
    where x.id = t.default_location_id
  ) as default_location,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_locations l join locations x on x.id = l.location_id
      where l.user_id = t.id
    ),
    '[]'
  ) as locations,
  (
    select json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
    from organizations x
    where x.id = t.default_organization_id
  ) as default_organization,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from user_organizations l join organizations x on x.id = l.organization_id
      where l.user_id = t.id
    ),
    '[]'
  ) as organizations,
  (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  ) as effective_admin,
  coalesce(
    (
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
      from usergroups g
      where
        g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    ),
    '[]'
  ) as cached_usergroups,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from user_roles l join roles x on x.id = l.role_id
      where l.user_id = t.id
    ),
    '[]'
  ) as roles,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from usergroup_users l join usergroups x on x.id = l.usergroup_id
      where l.user_id = t.id
    ),
    '[]'
  ) as usergroups
from users t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/users/:id: 11 statements

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.login) like fold ($4))
      )
    )
  )
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($5::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.login = $7::text) desc
limit 1;

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
  and (
    (
      (
        (
          exists (
            select
            from user_organizations l
            where l.user_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.login) like fold ($4))
      )
    )
  )
  and (exists (select from user_organizations l where l.user_id = t.id and l.organization_id = any ($5::bigint[])))
  and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.login = $7::text) desc
limit 1;

select t.*
from users t
where t.id = $1
for no key update of t;

select
  array(select l.role_id from user_roles l where l.user_id = t.id order by 1) as roles,
  array(select l.usergroup_id from usergroup_users l where l.user_id = t.id order by 1) as usergroups,
  array(select l.location_id from user_locations l where l.user_id = t.id order by 1) as locations,
  array(select l.organization_id from user_organizations l where l.user_id = t.id order by 1) as organizations
from users t
where t.id = $1;

select
  t.id as id, t.login as login, t.firstname as firstname, t.lastname as lastname, t.mail as mail,
  t.description as description, t.admin as admin, t.disabled as disabled, t.auth_source_id as auth_source_id,
  t.timezone as timezone, t.locale as locale, t.last_login_on as last_login_on,
  t.default_location_id as default_location_id, t.default_organization_id as default_organization_id,
  t.created_at as created_at, t.updated_at as updated_at
from users t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.owner_user_id = $3
order by 1
limit $4;

select
from users t
where
  t.id = $1
  and (
    t.admin
    or exists (
      select
      from usergroups g
      where
        g.admin
        and g.id in (
          with recursive
            member_of (id) as (
              select usergroup_id
              from usergroup_users
              where user_id = t.id
              union
              select up.usergroup_id
              from usergroup_usergroups up join member_of on up.member_id = member_of.id
            )
          select id
          from member_of
        )
    )
  );

select count(*) filter (where id <> $1) as left
from (select id from users where admin and not disabled order by id for update) administrators;

select admin and not disabled as admin
from users
where id = $1;

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
    from written, (select l.organization_id as id from user_organizations l where l.user_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from user_locations l where l.user_id = $13::bigint) places
  )
select id
from written;

delete from users
where id = $1;
