-- list, as an administrator
-- GET /api/usergroups/:usergroup_id/external_usergroups: 4 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from external_usergroups t where (t.usergroup_id = $3) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from external_usergroups t
where (t.usergroup_id = $2);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/usergroups/:usergroup_id/external_usergroups: 5 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from external_usergroups t
    where (t.usergroup_id = $3) and (t.id > $4::bigint)
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from external_usergroups t
where (t.usergroup_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from external_usergroups t
where (t.usergroup_id = $2) and (t.id > $3::bigint);

-- create, as an administrator
-- POST /api/usergroups/:usergroup_id/external_usergroups: 7 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select 0 as place, t.id
from auth_sources t
where t.id = any ($1::bigint[]) and (t.type <> 'AuthSourceHidden')
union all
select 1 as place, t.id
from usergroups t
where t.id = any ($2::bigint[]) and true;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

insert into external_usergroups (name, auth_source_id, usergroup_id)
values ($1::text, $2::bigint, $3::bigint)
returning *;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/usergroups/:usergroup_id/external_usergroups/:id: 2 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $1::bigint) and (t.usergroup_id = $2)
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/usergroups/:usergroup_id/external_usergroups/:id: 9 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from external_usergroups t
where (t.id = $1::bigint) and (t.usergroup_id = $2)
order by t.id
limit 1;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

update external_usergroups
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/usergroups/:usergroup_id/external_usergroups/:id: 6 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from external_usergroups t
where (t.id = $1::bigint) and (t.usergroup_id = $2)
order by t.id
limit 1;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select t.id as id, t.name as name, t.auth_source_id as auth_source_id, t.usergroup_id as usergroup_id
from external_usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

delete from external_usergroups
where id = $1;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

-- list, as a limited user
-- GET /api/usergroups/:usergroup_id/external_usergroups: 4 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from external_usergroups t
    where ((((t.id > $3::bigint)))) and (t.usergroup_id = $4)
    order by t.id asc, t.id
    limit $5
  ) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from external_usergroups t
where ((((t.id > $2::bigint)))) and (t.usergroup_id = $3);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/usergroups/:usergroup_id/external_usergroups: 5 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from external_usergroups t
    where ((((t.id > $3::bigint)))) and (t.usergroup_id = $4) and (t.id > $5::bigint)
    order by t.id desc, t.id
    limit $6
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from external_usergroups t
where ((((t.id > $2::bigint)))) and (t.usergroup_id = $3);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from external_usergroups t
where ((((t.id > $2::bigint)))) and (t.usergroup_id = $3) and (t.id > $4::bigint);

-- create, as a limited user
-- POST /api/usergroups/:usergroup_id/external_usergroups: 9 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select 0 as place, t.id
from auth_sources t
where t.id = any ($1::bigint[]) and (t.type <> 'AuthSourceHidden')
union all
select 1 as place, t.id
from usergroups t
where t.id = any ($2::bigint[]) and true;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

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

insert into external_usergroups (name, auth_source_id, usergroup_id)
values ($1::text, $2::bigint, $3::bigint)
returning *;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select t.id
from external_usergroups t
where t.id = $1 and ((((t.id > $2::bigint))));

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/usergroups/:usergroup_id/external_usergroups/:id: 2 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $1::bigint) and ((((t.id > $2::bigint)))) and (t.usergroup_id = $3)
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/usergroups/:usergroup_id/external_usergroups/:id: 12 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from external_usergroups t
where (t.id = $1::bigint) and ((((t.id > $2::bigint)))) and (t.usergroup_id = $3)
order by t.id
limit 1;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

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

update external_usergroups
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select t.id
from external_usergroups t
where t.id = $1 and ((((t.id > $2::bigint))));

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;

select
  t.id as id, t.name as name,
  (
    select json_build_object('id', x.id, 'type', x.type, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_id
  ) as auth_source
from external_usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/usergroups/:usergroup_id/external_usergroups/:id: 7 statements

select t.id as id
from usergroups t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from external_usergroups t
where (t.id = $1::bigint) and ((((t.id > $2::bigint)))) and (t.usergroup_id = $3)
order by t.id
limit 1;

select t.*
from external_usergroups t
where t.id = $1
for no key update of t;

select t.id as id, t.name as name, t.auth_source_id as auth_source_id, t.usergroup_id as usergroup_id
from external_usergroups t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

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

delete from external_usergroups
where id = $1;

select *, exists (select from external_usergroups where auth_source_id = auth_sources.id) as has_linked_groups
from auth_sources
where type = 'AuthSourceLdap' and id = any ($1::bigint[])
order by id;
