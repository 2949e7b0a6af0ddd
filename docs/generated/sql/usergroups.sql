-- list, as an administrator
-- GET /api/usergroups: 1 statement

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from usergroups t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/usergroups: 1 statement

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from usergroups t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

-- create, as an administrator
-- POST /api/usergroups: 6 statements

select
from users
where fold (login) = fold ($1::text);

insert into usergroups (name)
values ($1::text)
returning *;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
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
  )
select id
from written;

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.usergroup_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/usergroups/:id: 1 statement

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.usergroup_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/usergroups/:id: 9 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
where t.id = $1;

select
from users
where fold (login) = fold ($1::text);

update usergroups
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
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
  )
select id
from written;

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.usergroup_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/usergroups/:id: 7 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
where t.id = $1;

select t.id as id, t.name as name, t.admin as admin, t.created_at as created_at, t.updated_at as updated_at
from usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, true as shown
from hosts t
where t.owner_usergroup_id = $1
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
  )
select id
from written;

delete from usergroups
where id = $1;

-- list, as a limited user
-- GET /api/usergroups: 1 statement

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from usergroups t where ((((fold (t.name) like fold ($3))))) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/usergroups: 2 statements

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from usergroups t
    where ((((fold (t.name) like fold ($3))))) and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from usergroups t
where ((((fold (t.name) like fold ($2)))));

-- create, as a limited user
-- POST /api/usergroups: 7 statements

select
from users
where fold (login) = fold ($1::text);

insert into usergroups (name)
values ($1::text)
returning *;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
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
  )
select id
from written;

select t.id
from usergroups t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.usergroup_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/usergroups/:id: 1 statement

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.usergroup_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/usergroups/:id: 11 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
where t.id = $1;

select
from usergroups
where
  admin
  and id in (
    with recursive
      around (id) as (
        select $1::bigint
        union
        select outside.usergroup_id
        from usergroup_usergroups outside join around on outside.member_id = around.id
      )
    select id
    from around
  );

select
from users
where fold (login) = fold ($1::text);

update usergroups
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
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
  )
select id
from written;

select t.id
from usergroups t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.admin as admin, t.created_at as created_at, t.updated_at as updated_at, t.name as name, t.id as id,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
      from external_usergroups x
      where x.usergroup_id = t.id
    ),
    '[]'
  ) as external_usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'name', x.name, 'id', x.id, 'created_at',
            to_char(x.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(x.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by x.name, x.id
        )
      from usergroup_usergroups l join usergroups x on x.id = l.member_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as usergroups,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'login', x.login, 'description', x.description)
          order by x.login, x.id
        )
      from usergroup_users l join users x on x.id = l.user_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as users,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'description', x.description, 'origin', x.origin)
          order by x.name, x.id
        )
      from usergroup_roles l join roles x on x.id = l.role_id
      where l.usergroup_id = t.id
    ),
    '[]'
  ) as roles
from usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/usergroups/:id: 8 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from usergroups t
where t.id = $1
for no key update of t;

select
  array(select l.member_id from usergroup_usergroups l where l.usergroup_id = t.id order by 1) as usergroups,
  array(select l.user_id from usergroup_users l where l.usergroup_id = t.id order by 1) as users,
  array(select l.role_id from usergroup_roles l where l.usergroup_id = t.id order by 1) as roles
from usergroups t
where t.id = $1;

select t.id as id, t.name as name, t.admin as admin, t.created_at as created_at, t.updated_at as updated_at
from usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.owner_usergroup_id = $3
order by 1
limit $4;

select
from usergroups
where
  admin
  and id in (
    with recursive
      around (id) as (
        select $1::bigint
        union
        select outside.usergroup_id
        from usergroup_usergroups outside join around on outside.member_id = around.id
      )
    select id
    from around
  );

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
  )
select id
from written;

delete from usergroups
where id = $1;
