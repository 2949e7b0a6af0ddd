-- list, as an administrator
-- GET /api/ptables: 2 statements

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from ptables t
where true
order by t.name asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/ptables: 3 statements

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from ptables t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from ptables t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/ptables: 10 statements

select 0 as place, t.id
from locations t
where t.id = any ($1::bigint[]) and (true)
union all
select 1 as place, t.id
from organizations t
where t.id = any ($2::bigint[]) and (true);

insert into ptables (name, layout)
values ($1::text, $2::text)
returning *;

delete from ptable_locations
where ptable_id = $1 and not location_id = any ($2::bigint[]);

insert into ptable_locations (ptable_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from ptable_organizations
where ptable_id = $1 and not organization_id = any ($2::bigint[]);

insert into ptable_organizations (ptable_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
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
      (select l.organization_id as id from ptable_organizations l where l.ptable_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from ptable_locations l where l.ptable_id = $13::bigint) places
  )
select id
from written;

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.layout as layout, t.snippet as snippet, t.locked as locked,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from operatingsystem_ptables l join operatingsystems x on x.id = l.operatingsystem_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from ptable_locations l join locations x on x.id = l.location_id
      where l.ptable_id = t.id
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
      from ptable_organizations l join organizations x on x.id = l.organization_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as organizations
from ptables t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/ptables/:id: 1 statement

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.layout as layout, t.snippet as snippet, t.locked as locked,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from operatingsystem_ptables l join operatingsystems x on x.id = l.operatingsystem_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from ptable_locations l join locations x on x.id = l.location_id
      where l.ptable_id = t.id
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
      from ptable_organizations l join organizations x on x.id = l.organization_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as organizations
from ptables t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/ptables/:id: 8 statements

select t.id as id
from ptables t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
where t.id = $1;

update ptables
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
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
      (select l.organization_id as id from ptable_organizations l where l.ptable_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from ptable_locations l where l.ptable_id = $13::bigint) places
  )
select id
from written;

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.layout as layout, t.snippet as snippet, t.locked as locked,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from operatingsystem_ptables l join operatingsystems x on x.id = l.operatingsystem_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from ptable_locations l join locations x on x.id = l.location_id
      where l.ptable_id = t.id
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
      from ptable_organizations l join organizations x on x.id = l.organization_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as organizations
from ptables t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/ptables/:id: 8 statements

select t.id as id
from ptables t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description, t.layout as layout, t.snippet as snippet,
  t.locked as locked, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at
from ptables t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.title as called, true as shown
from hostgroups t
where t.ptable_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from hosts t
where t.ptable_id = $1
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
      (select l.organization_id as id from ptable_organizations l where l.ptable_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from ptable_locations l where l.ptable_id = $13::bigint) places
  )
select id
from written;

delete from ptables
where id = $1;

-- list, as a limited user
-- GET /api/ptables: 3 statements

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from ptables t
    where
      (
        (
          (
            (
              exists (
                select
                from ptable_organizations l
                where l.ptable_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from ptable_organizations l
          where l.ptable_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($6::bigint[])))
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
from ptables t
where
  (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($5::bigint[])));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/ptables: 4 statements

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from ptables t
    where
      (
        (
          (
            (
              exists (
                select
                from ptable_organizations l
                where l.ptable_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from ptable_organizations l
          where l.ptable_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($6::bigint[])))
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
from ptables t
where
  (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($5::bigint[])));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from ptables t
where
  (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($5::bigint[])))
  and (fold (t.name) like fold ($6));

-- create, as a limited user
-- POST /api/ptables: 11 statements

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

insert into ptables (name, layout)
values ($1::text, $2::text)
returning *;

delete from ptable_locations
where ptable_id = $1 and not location_id = any ($2::bigint[]);

insert into ptable_locations (ptable_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from ptable_organizations
where ptable_id = $1 and not organization_id = any ($2::bigint[]);

insert into ptable_organizations (ptable_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
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
      (select l.organization_id as id from ptable_organizations l where l.ptable_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from ptable_locations l where l.ptable_id = $13::bigint) places
  )
select id
from written;

select t.id
from ptables t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($5::bigint[])));

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.layout as layout, t.snippet as snippet, t.locked as locked,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from operatingsystem_ptables l join operatingsystems x on x.id = l.operatingsystem_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from ptable_locations l join locations x on x.id = l.location_id
      where l.ptable_id = t.id
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
      from ptable_organizations l join organizations x on x.id = l.organization_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as organizations
from ptables t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/ptables/:id: 1 statement

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.layout as layout, t.snippet as snippet, t.locked as locked,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from operatingsystem_ptables l join operatingsystems x on x.id = l.operatingsystem_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from ptable_locations l join locations x on x.id = l.location_id
      where l.ptable_id = t.id
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
      from ptable_organizations l join organizations x on x.id = l.organization_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as organizations
from ptables t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($5::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/ptables/:id: 9 statements

select t.id as id
from ptables t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($5::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
where t.id = $1;

update ptables
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
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
      (select l.organization_id as id from ptable_organizations l where l.ptable_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from ptable_locations l where l.ptable_id = $13::bigint) places
  )
select id
from written;

select t.id
from ptables t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($4::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($5::bigint[])));

select
  t.description as description, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at,
  t.name as name, t.id as id, t.layout as layout, t.snippet as snippet, t.locked as locked,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from operatingsystem_ptables l join operatingsystems x on x.id = l.operatingsystem_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from ptable_locations l join locations x on x.id = l.location_id
      where l.ptable_id = t.id
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
      from ptable_organizations l join organizations x on x.id = l.organization_id
      where l.ptable_id = t.id
    ),
    '[]'
  ) as organizations
from ptables t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/ptables/:id: 8 statements

select t.id as id
from ptables t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from ptable_organizations l
            where l.ptable_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (select from ptable_organizations l where l.ptable_id = t.id and l.organization_id = any ($5::bigint[]))
  )
  and (exists (select from ptable_locations l where l.ptable_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

select t.*
from ptables t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from operatingsystem_ptables l
    where l.ptable_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from ptable_locations l where l.ptable_id = t.id order by 1) as locations,
  array(select l.organization_id from ptable_organizations l where l.ptable_id = t.id order by 1) as organizations
from ptables t
where t.id = $1;

select
  t.id as id, t.name as name, t.description as description, t.layout as layout, t.snippet as snippet,
  t.locked as locked, t.os_family as os_family, t.created_at as created_at, t.updated_at as updated_at
from ptables t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

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
where t.ptable_id = $3
order by 1
limit $4;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.ptable_id = $3
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
      (select l.organization_id as id from ptable_organizations l where l.ptable_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from ptable_locations l where l.ptable_id = $13::bigint) places
  )
select id
from written;

delete from ptables
where id = $1;
