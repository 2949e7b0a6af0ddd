-- list, as an administrator
-- GET /api/users/:user_id/personal_access_tokens: 5 statements

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

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?",
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from personal_access_tokens t where (t.user_id = $3) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from personal_access_tokens t
where (t.user_id = $2);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/users/:user_id/personal_access_tokens: 6 statements

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

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?",
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from personal_access_tokens t
    where (t.user_id = $3) and (fold (t.name) like fold ($4))
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
from personal_access_tokens t
where (t.user_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from personal_access_tokens t
where (t.user_id = $2) and (fold (t.name) like fold ($3));

-- create, as an administrator
-- POST /api/users/:user_id/personal_access_tokens: 4 statements

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $3::text) desc
limit 1;

insert into personal_access_tokens (name, user_id, token)
values ($1::text, $2::bigint, $3::bytea)
returning *;

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
      (
        select l.organization_id as id
        from user_organizations l
        where l.user_id = (select t.user_id from personal_access_tokens t where t.id = $12)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from user_locations l
        where l.user_id = (select t.user_id from personal_access_tokens t where t.id = $13)
      ) places
  )
select id
from written;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?"
from personal_access_tokens t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/users/:user_id/personal_access_tokens/:id: 2 statements

select t.id as id
from users t
where
  (t.id = $1::bigint or t.login = $2::text)
  and (exists (select from auth_sources s where s.id = t.auth_source_id and s.type <> 'AuthSourceHidden'))
order by (t.login = $3::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?"
from personal_access_tokens t
where (t.id = $1::bigint or t.name = $2::text) and (t.user_id = $3)
order by (t.name = $4::text) desc
limit 1;

-- list, as a limited user
-- GET /api/users/:user_id/personal_access_tokens: 3 statements

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
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($4::bigint[])))
      )
      or (t.id = $5)
    )
  )
order by (t.login = $6::text) desc
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
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($4::bigint[])))
      )
      or (t.id = $5)
    )
  )
order by (t.login = $6::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?",
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from personal_access_tokens t
    where (((((((fold (t.name) like fold ($3)))))) or (t.user_id = $4))) and (t.user_id = $5)
    order by t.name asc, t.id
    limit $6
  ) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/users/:user_id/personal_access_tokens: 4 statements

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
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($4::bigint[])))
      )
      or (t.id = $5)
    )
  )
order by (t.login = $6::text) desc
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
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($4::bigint[])))
      )
      or (t.id = $5)
    )
  )
order by (t.login = $6::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?",
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from personal_access_tokens t
    where
      (((((((fold (t.name) like fold ($3)))))) or (t.user_id = $4)))
      and (t.user_id = $5)
      and (fold (t.name) like fold ($6))
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from personal_access_tokens t
where (((((((fold (t.name) like fold ($2)))))) or (t.user_id = $3))) and (t.user_id = $4);

-- create, as a limited user
-- POST /api/users/:user_id/personal_access_tokens: 5 statements

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
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($4::bigint[])))
      )
      or (t.id = $5)
    )
  )
order by (t.login = $6::text) desc
limit 1;

insert into personal_access_tokens (name, user_id, token)
values ($1::text, $2::bigint, $3::bytea)
returning *;

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
      (
        select l.organization_id as id
        from user_organizations l
        where l.user_id = (select t.user_id from personal_access_tokens t where t.id = $12)
      ) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from
      written,
      (
        select l.location_id as id
        from user_locations l
        where l.user_id = (select t.user_id from personal_access_tokens t where t.id = $13)
      ) places
  )
select id
from written;

select t.id
from personal_access_tokens t
where t.id = $1 and (((((((fold (t.name) like fold ($2)))))) or (t.user_id = $3)));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?"
from personal_access_tokens t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/users/:user_id/personal_access_tokens/:id: 2 statements

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
        and (exists (select from user_locations l where l.user_id = t.id and l.location_id = any ($4::bigint[])))
      )
      or (t.id = $5)
    )
  )
order by (t.login = $6::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?"
from personal_access_tokens t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (((((((fold (t.name) like fold ($3)))))) or (t.user_id = $4)))
  and (t.user_id = $5)
order by (t.name = $6::text) desc
limit 1;
