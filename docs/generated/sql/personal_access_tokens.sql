-- list, as an administrator
-- GET /api/users/:user_id/personal_access_tokens: 5 statements
-- list.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name, t.expires_at as expires_at,
  (not t.revoked and coalesce(t.expires_at > now(), true)) as "active?",
  t.user_id as user_id, t.last_used_at as last_used_at, t.revoked as "revoked?",
  (select to_jsonb(l.permissions) from token_limits l where l.personal_access_token_id = t.id) as permissions,
  (
    select to_jsonb(l.organization_ids)
    from token_limits l
    where l.personal_access_token_id = t.id
  ) as organization_ids,
  (select to_jsonb(l.location_ids) from token_limits l where l.personal_access_token_id = t.id) as location_ids,
  (
    select to_jsonb(l.allowed_addresses::text[])
    from token_limits l
    where l.personal_access_token_id = t.id
  ) as allowed_addresses,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.5
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from personal_access_tokens t
where (t.user_id = $);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/users/:user_id/personal_access_tokens: 6 statements
-- search.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from personal_access_tokens t
+     where (t.user_id = $) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.5 is list.5
-- search.6 is list.5, but
  from personal_access_tokens t
- where (t.user_id = $);
+ where (t.user_id = $) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/users/:user_id/personal_access_tokens: 7 statements
-- create.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- create.2
select name
from permissions
where name = any ($::text[]);
-- create.3
select id
from organizations t
where id = any ($::bigint[]) and ($ or id = any ($::bigint[]));
-- create.4
select id
from locations t
where id = any ($::bigint[]) and ($ or id = any ($::bigint[]));
-- create.5
insert into personal_access_tokens as t (name, user_id, token)
values ($::text, $::bigint, $::bytea)
returning t.*;
-- create.6
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
            where l.user_id = (select t.user_id from personal_access_tokens t where t.id = written.auditable_id)
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
            where l.user_id = (select t.user_id from personal_access_tokens t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.7 is list.3, but
      where l.personal_access_token_id = t.id
-   ) as allowed_addresses,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as allowed_addresses
+ from personal_access_tokens t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/users/:user_id/personal_access_tokens/:id: 2 statements
-- show.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- show.2 is list.3, but
      where l.personal_access_token_id = t.id
-   ) as allowed_addresses,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as allowed_addresses
+ from personal_access_tokens t
+ where (t.id = $::bigint or t.name = $::text) and (t.user_id = $)
+ order by (t.name = $::text) desc
+ limit 1;

-- list, as a limited user
-- GET /api/users/:user_id/personal_access_tokens: 3 statements
-- limited list.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from personal_access_tokens t
+     where (((((((fold (t.name) like fold ($)))))) or (t.user_id = $))) and (t.user_id = $)
+     order by t.name asc, t.id
+     limit $
+   ) t

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/users/:user_id/personal_access_tokens: 4 statements
-- limited search.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from personal_access_tokens t
+     where
+       (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
+       and (t.user_id = $)
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.4 is list.5, but
  from personal_access_tokens t
- where (t.user_id = $);
+ where (((((((fold (t.name) like fold ($)))))) or (t.user_id = $))) and (t.user_id = $);

-- create, as a limited user
-- POST /api/users/:user_id/personal_access_tokens: 7 statements
-- limited create.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6, but
    )
- select true as held;
+ select
+   exists (
+     select
+     from personal_access_tokens t
+     where t.id = $ and (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
+   ) as held;
-- limited create.7 is create.7

-- show, as a limited user
-- GET /api/users/:user_id/personal_access_tokens/:id: 2 statements
-- limited show.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited show.2 is list.3, but
      where l.personal_access_token_id = t.id
-   ) as allowed_addresses,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from personal_access_tokens t where (t.user_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as allowed_addresses
+ from personal_access_tokens t
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and (((((((fold (t.name) like fold ($)))))) or (t.user_id = $)))
+   and (t.user_id = $)
+ order by (t.name = $::text) desc
+ limit 1;
