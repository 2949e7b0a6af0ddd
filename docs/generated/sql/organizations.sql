-- list, as an administrator
-- GET /api/organizations: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from organizations t
where (true)
order by t.title asc, t.id
limit $3;

-- list with search=title ~ ex and order=id DESC, as an administrator
-- GET /api/organizations: 2 statements

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from organizations t
where (true) and (fold (t.title) like fold ($3))
order by t.id desc, t.id
limit $4;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from organizations t
where (true);

-- create, as an administrator
-- POST /api/organizations: 8 statements

select pg_advisory_xact_lock(hashtext ($1));

select
from organizations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

insert into organizations (name, title)
values ($1::text, $2::text)
returning id;

update organizations
set ancestor_ids = $1::bigint[]
where id = $2;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      $1::bigint, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb, coalesce(max(version), 0) + 1,
      $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, x.id
    from written, organizations x
    where x.id = $12
  )
select id
from written;

select t.id
from organizations t
where t.id = $1 and (true);

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'login', x.login) order by x.login, x.id)
      from user_organizations l join users x on x.id = l.user_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as users,
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
  ) as locations
from organizations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/organizations/:id: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'login', x.login) order by x.login, x.id)
      from user_organizations l join users x on x.id = l.user_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as users,
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
  ) as locations
from organizations t
where (t.id = $1::bigint or t.title = $2::text) and (true)
order by (t.title = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/organizations/:id: 11 statements

select t.id as id
from organizations t
where (t.id = $1::bigint or t.title = $2::text) and (true)
order by (t.title = $3::text) desc
limit 1;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

select pg_advisory_xact_lock(hashtext ($1));

select
from organizations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

update organizations
set ancestor_ids = $1::bigint[]
where id = $2;

update organizations
set name = $1::text, title = $2::text, updated_at = now()
where id = $3;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      $1::bigint, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb, coalesce(max(version), 0) + 1,
      $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, x.id
    from written, organizations x
    where x.id = $12
  )
select id
from written;

with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from organizations
    where id = $1
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from organizations child join below on child.parent_id = below.id
  )
update organizations as moved
set title = below.title, ancestor_ids = below.ancestor_ids
from below
where below.id = moved.id and moved.id <> $2;

select t.id
from organizations t
where t.id = $1 and (true);

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'login', x.login) order by x.login, x.id)
      from user_organizations l join users x on x.id = l.user_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as users,
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
  ) as locations
from organizations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/organizations/:id: 7 statements

select t.id as id
from organizations t
where (t.id = $1::bigint or t.title = $2::text) and (true)
order by (t.title = $3::text) desc
limit 1;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name, t.description as description, t.parent_id as parent_id, t.title as title,
  t.select_all_types as select_all_types, t.created_at as created_at, t.updated_at as updated_at
from organizations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select id
from organizations
where parent_id = $1
limit 1;

select name, true as shown
from roles t
where
  id in (
    select role_id
    from role_organizations
    where organization_id = $1
    union
    select f.role_id
    from filter_organizations l join filters f on f.id = l.filter_id
    where organization_id = $2
  )
order by name;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      $1::bigint, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb, coalesce(max(version), 0) + 1,
      $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, x.id
    from written, organizations x
    where x.id = $12
  )
select id
from written;

delete from organizations
where id = $1;

-- list, as a limited user
-- GET /api/organizations: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from organizations t
where
  (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $4 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by t.title asc, t.id
limit $6;

-- list with search=title ~ ex and order=id DESC, as a limited user
-- GET /api/organizations: 2 statements

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from organizations t
where
  (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $4 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
  and (fold (t.title) like fold ($6))
order by t.id desc, t.id
limit $7;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from organizations t
where
  (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $3 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($4)))));

-- create, as a limited user
-- POST /api/organizations: 9 statements

select pg_advisory_xact_lock(hashtext ($1));

select
from organizations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

insert into organizations (name, title)
values ($1::text, $2::text)
returning id;

update organizations
set ancestor_ids = $1::bigint[]
where id = $2;

insert into user_organizations (user_id, organization_id)
values ($1, $2)
on conflict do nothing;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      $1::bigint, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb, coalesce(max(version), 0) + 1,
      $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, x.id
    from written, organizations x
    where x.id = $12
  )
select id
from written;

select t.id
from organizations t
where
  t.id = $1
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $3 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($4)))));

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'login', x.login) order by x.login, x.id)
      from user_organizations l join users x on x.id = l.user_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as users,
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
  ) as locations
from organizations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/organizations/:id: 1 statement

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'login', x.login) order by x.login, x.id)
      from user_organizations l join users x on x.id = l.user_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as users,
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
  ) as locations
from organizations t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $4 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by (t.title = $6::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/organizations/:id: 11 statements

select t.id as id
from organizations t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $4 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by (t.title = $6::text) desc
limit 1;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

select pg_advisory_xact_lock(hashtext ($1));

select
from organizations
where
  id is distinct from $1::bigint
  and (title = $2 or (fold (name) = fold ($3::text) and coalesce(parent_id, 0) = $4));

update organizations
set ancestor_ids = $1::bigint[]
where id = $2;

update organizations
set name = $1::text, title = $2::text, updated_at = now()
where id = $3;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      $1::bigint, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb, coalesce(max(version), 0) + 1,
      $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, x.id
    from written, organizations x
    where x.id = $12
  )
select id
from written;

with recursive
  below (id, title, ancestor_ids) as (
    select id, title, ancestor_ids
    from organizations
    where id = $1
    union all
    select child.id, below.title || '/' || child.name, below.ancestor_ids || below.id
    from organizations child join below on child.parent_id = below.id
  )
update organizations as moved
set title = below.title, ancestor_ids = below.ancestor_ids
from below
where below.id = moved.id and moved.id <> $2;

select t.id
from organizations t
where
  t.id = $1
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $3 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($4)))));

select
  nullif(array_to_string(t.ancestor_ids, '/'), '') as ancestry, t.parent_id as parent_id,
  (select x.title from organizations x where x.id = t.parent_id) as parent_name,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  t.description as description, t.select_all_types as select_all_types,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'login', x.login) order by x.login, x.id)
      from user_organizations l join users x on x.id = l.user_id
      where l.organization_id = t.id
    ),
    '[]'
  ) as users,
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
  ) as locations
from organizations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/organizations/:id: 7 statements

select t.id as id
from organizations t
where
  (t.id = $1::bigint or t.title = $2::text)
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $4 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
  and ((((fold (t.title) like fold ($5)))))
order by (t.title = $6::text) desc
limit 1;

select
  t.*,
  array(select l.location_id from location_organizations l where l.organization_id = t.id order by 1) as locations,
  array(select l.user_id from user_organizations l where l.organization_id = t.id order by 1) as users
from organizations t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name, t.description as description, t.parent_id as parent_id, t.title as title,
  t.select_all_types as select_all_types, t.created_at as created_at, t.updated_at as updated_at
from organizations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select id
from organizations
where parent_id = $1
limit 1;

select name, true as shown
from roles t
where
  id in (
    select role_id
    from role_organizations
    where organization_id = $1
    union
    select f.role_id
    from filter_organizations l join filters f on f.id = l.filter_id
    where organization_id = $2
  )
order by name;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      $1::bigint, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb, coalesce(max(version), 0) + 1,
      $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, x.id
    from written, organizations x
    where x.id = $12
  )
select id
from written;

delete from organizations
where id = $1;
