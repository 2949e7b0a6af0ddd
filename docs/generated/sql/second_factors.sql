-- list, as an administrator
-- GET /api/users/:user_id/second_factors: 5 statements
-- list.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.kind as kind, t.name as name,
  t.host as host, t.user_id as user_id, (t.confirmed_at is not null) as confirmed, t.last_used_at as last_used_at,
  (
    select count(*)::integer
    from recovery_codes c
    where c.second_factor_id = t.id and c.used_at is null
  ) as recovery_codes_left,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from second_factors t where (t.user_id = $) order by t.id asc, t.id limit $) t
order by t.id asc, t.id;
-- list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.5
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from second_factors t
where (t.user_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/users/:user_id/second_factors: 6 statements
-- search.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from second_factors t where (t.user_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from second_factors t
+     where (t.user_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.5 is list.5
-- search.6 is list.5, but
  from second_factors t
- where (t.user_id = $);
+ where (t.user_id = $) and (t.id > $::bigint);

-- create, as an administrator
-- POST /api/users/:user_id/second_factors: 6 statements
-- create.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- create.2
select login
from users
where id = $;
-- create.3
delete from second_factors
where user_id = $ and confirmed_at is null;
-- create.4
insert into second_factors as t (kind, name, host, user_id, secret)
values ($::text, $::text, $::text, $::bigint, $::text)
returning t.*;
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
            select l.organization_id as id
            from user_organizations l
            where l.user_id = (select t.user_id from second_factors t where t.id = written.auditable_id)
            offset 0
          ) places (id)
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
            select l.location_id as id
            from user_locations l
            where l.user_id = (select t.user_id from second_factors t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.6
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.kind as kind, t.name as name,
  t.host as host, t.user_id as user_id, (t.confirmed_at is not null) as confirmed, t.last_used_at as last_used_at,
  (
    select count(*)::integer
    from recovery_codes c
    where c.second_factor_id = t.id and c.used_at is null
  ) as recovery_codes_left
from second_factors t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/users/:user_id/second_factors/:id: 2 statements
-- show.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- show.2 is create.6, but
  from second_factors t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.user_id = $)

-- delete, as an administrator
-- DELETE /api/users/:user_id/second_factors/:id: 8 statements
-- delete.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- delete.2
select t.id as id
from second_factors t
where (t.id = $::bigint) and (t.user_id = $)
order by t.id
limit 1;
-- delete.3
select
from second_factors
where id = $ and confirmed_at is not null;
-- delete.4
select t.*
from second_factors t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- delete.5 is create.6
-- delete.6
with
  heir as (
    update second_factors
    set secret = gone.secret
    from second_factors gone
    where
      gone.id = $
      and second_factors.id = (
        select f.id
        from second_factors f
        where
          f.user_id = gone.user_id
          and f.id <> gone.id
          and f.kind = 'passkey'
          and f.confirmed_at is not null
          and not exists (select from recovery_codes c where c.second_factor_id = f.id)
        order by f.id
        limit 1
      )
    returning second_factors.id
  )
update recovery_codes
set second_factor_id = heir.id
from heir
where second_factor_id = $;
-- delete.7
delete from second_factors
where id = $;
-- delete.8 is create.5

-- list, as a limited user
-- GET /api/users/:user_id/second_factors: 5 statements
-- limited list.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from second_factors t where (t.user_id = $) order by t.id asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from second_factors t
+     where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $)
+     order by t.id asc, t.id
+     limit $
+   ) t
-- limited list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.5 is list.5, but
  from second_factors t
- where (t.user_id = $);
+ where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/users/:user_id/second_factors: 6 statements
-- limited search.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from second_factors t where (t.user_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from second_factors t
+     where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.5 is limited list.5
-- limited search.6 is list.5, but
  from second_factors t
- where (t.user_id = $);
+ where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $) and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/users/:user_id/second_factors: 6 statements
-- limited create.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from second_factors t
+     where t.id = $ and (((((((t.id > $::bigint))))) or (t.user_id = $)))
+   ) as held;
-- limited create.6 is create.6

-- show, as a limited user
-- GET /api/users/:user_id/second_factors/:id: 2 statements
-- limited show.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited show.2 is create.6, but
  from second_factors t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $)

-- delete, as a limited user
-- DELETE /api/users/:user_id/second_factors/:id: 8 statements
-- limited delete.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited delete.2 is delete.2, but
  from second_factors t
- where (t.id = $::bigint) and (t.user_id = $)
+ where (t.id = $::bigint) and (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $)
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
-- limited delete.5 is create.6
-- limited delete.6 is delete.6
-- limited delete.7 is delete.7
-- limited delete.8 is create.5
