-- list, as an administrator
-- GET /api/users/:user_id/ssh_keys: 5 statements
-- list.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.key as key,
  t.length as length, t.fingerprint as fingerprint, t.user_id as user_id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from ssh_keys t where (t.user_id = $) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.5
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from ssh_keys t
where (t.user_id = $);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/users/:user_id/ssh_keys: 6 statements
-- search.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.key as key,
  t.length as length, t.fingerprint as fingerprint, t.user_id as user_id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from ssh_keys t
    where (t.user_id = $) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.5 is list.5
-- search.6 is list.5, but
  from ssh_keys t
- where (t.user_id = $);
+ where (t.user_id = $) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/users/:user_id/ssh_keys: 5 statements
-- create.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- create.2
insert into ssh_keys as t (name, key, fingerprint, length, user_id)
values ($::text, $::text, $::text, $::integer, $::bigint)
returning t.*;
-- create.3
select t.*
from ssh_keys t
where t.id = $;
-- create.4
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
            where l.user_id = (select t.user_id from ssh_keys t where t.id = written.auditable_id)
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
            where l.user_id = (select t.user_id from ssh_keys t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.5
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.key as key,
  t.length as length, t.fingerprint as fingerprint, t.user_id as user_id
from ssh_keys t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/users/:user_id/ssh_keys/:id: 2 statements
-- show.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- show.2 is create.5, but
  from ssh_keys t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and (t.user_id = $)
+ order by (t.name = $::text) desc

-- delete, as an administrator
-- DELETE /api/users/:user_id/ssh_keys/:id: 5 statements
-- delete.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- delete.2
select t.*
from ssh_keys t
where (t.id = $::bigint or t.name = $::text) and (t.user_id = $)
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- delete.3 is create.5, but
  select
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.key as key,
-   t.length as length, t.fingerprint as fingerprint, t.user_id as user_id
+   t.id as id, t.name as name, t.key as key, t.fingerprint as fingerprint, t.length as length, t.user_id as user_id,
+   t.created_at as created_at, t.updated_at as updated_at
-- delete.4 is create.4
-- delete.5
delete from ssh_keys
where id = $;

-- list, as a limited user
-- GET /api/users/:user_id/ssh_keys: 5 statements
-- limited list.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.3 is search.3, but
      from ssh_keys t
-     where (t.user_id = $) and (fold (t.name) like fold ($))
-     order by t.id desc, t.id
+     where (((((((fold (t.name) like fold ($)))))) or (t.user_id = $))) and (t.user_id = $)
+     order by t.name asc, t.id
    ) t
- order by t.id desc, t.id;
+ order by t.name asc, t.id;
-- limited list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.5 is list.5, but
  from ssh_keys t
- where (t.user_id = $);
+ where (((((((fold (t.name) like fold ($)))))) or (t.user_id = $))) and (t.user_id = $);

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/users/:user_id/ssh_keys: 6 statements
-- limited search.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.3 is search.3, but
      from ssh_keys t
-     where (t.user_id = $) and (fold (t.name) like fold ($))
+     where
+       (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
+       and (t.user_id = $)
+       and (fold (t.name) like fold ($))
-- limited search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.5 is limited list.5
-- limited search.6 is list.5, but
  from ssh_keys t
- where (t.user_id = $);
+ where
+   (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
+   and (t.user_id = $)
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/users/:user_id/ssh_keys: 5 statements
-- limited create.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from ssh_keys t
+     where t.id = $ and (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
+   ) as held;
-- limited create.5 is create.5

-- show, as a limited user
-- GET /api/users/:user_id/ssh_keys/:id: 2 statements
-- limited show.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited show.2
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.key as key,
  t.length as length, t.fingerprint as fingerprint, t.user_id as user_id
from ssh_keys t
where
  (t.id = $::bigint or t.name = $::text)
  and (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
  and (t.user_id = $)
order by (t.name = $::text) desc
limit 1;

-- delete, as a limited user
-- DELETE /api/users/:user_id/ssh_keys/:id: 5 statements
-- limited delete.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited delete.2
select t.*
from ssh_keys t
where
  (t.id = $::bigint or t.name = $::text)
  and (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
  and (t.user_id = $)
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- limited delete.3 is delete.3
-- limited delete.4 is create.4
-- limited delete.5 is delete.5
