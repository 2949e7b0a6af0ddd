-- list, as an administrator
-- GET /api/users/:user_id/user_identities: 5 statements
-- list.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.3
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.subject as subject,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_oidc_id
  ) as auth_source_oidc,
  t.user_id as user_id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from user_identities t where (t.user_id = $) order by t.subject asc, t.id limit $) t
order by t.subject asc, t.id;
-- list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.5
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from user_identities t
where (t.user_id = $);

-- list with search=subject ~ ex and order=id DESC, as an administrator
-- GET /api/users/:user_id/user_identities: 6 statements
-- search.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from user_identities t where (t.user_id = $) order by t.subject asc, t.id limit $) t
- order by t.subject asc, t.id;
+ from
+   (
+     select t.*
+     from user_identities t
+     where (t.user_id = $) and (fold (t.subject) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.5 is list.5
-- search.6 is list.5, but
  from user_identities t
- where (t.user_id = $);
+ where (t.user_id = $) and (fold (t.subject) like fold ($));

-- create, as an administrator
-- POST /api/users/:user_id/user_identities: 6 statements
-- create.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- create.2
select 0 as place, t.id
from auth_sources t
where t.id = any ((select $::bigint[])::bigint[]) and (t.type = 'AuthSourceOidc');
-- create.3
insert into user_identities as t (subject, auth_source_oidc_id, user_id)
values ($::text, $::bigint, $::bigint)
returning t.*;
-- create.4
select t.*
from user_identities t
where t.id = $;
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
            where l.user_id = (select t.user_id from user_identities t where t.id = written.auditable_id)
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
            where l.user_id = (select t.user_id from user_identities t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.6
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.subject as subject,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from auth_sources x
    where x.id = t.auth_source_oidc_id
  ) as auth_source_oidc,
  t.user_id as user_id
from user_identities t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/users/:user_id/user_identities/:id: 2 statements
-- show.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- show.2 is create.6, but
  from user_identities t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.subject = $::text) and (t.user_id = $)
+ order by (t.subject = $::text) desc

-- delete, as an administrator
-- DELETE /api/users/:user_id/user_identities/:id: 6 statements
-- delete.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- delete.2
select t.*
from user_identities t
where (t.id = $::bigint or t.subject = $::text) and (t.user_id = $)
order by (t.subject = $::text) desc
limit 1
for no key update of t;
-- delete.3
select
  t.id as id, t.subject as subject, t.auth_source_oidc_id as auth_source_oidc_id, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at
from user_identities t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
select session_id
from session_identities
where user_identity_id = $;
-- delete.5 is create.5
-- delete.6
delete from user_identities
where id = $;

-- list, as a limited user
-- GET /api/users/:user_id/user_identities: 5 statements
-- limited list.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from user_identities t where (t.user_id = $) order by t.subject asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from user_identities t
+     where (((((((fold (t.subject) like fold ($)))))) or (t.user_id = $))) and (t.user_id = $)
+     order by t.subject asc, t.id
+     limit $
+   ) t
-- limited list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.5 is list.5, but
  from user_identities t
- where (t.user_id = $);
+ where (((((((fold (t.subject) like fold ($)))))) or (t.user_id = $))) and (t.user_id = $);

-- list with search=subject ~ ex and order=id DESC, as a limited user
-- GET /api/users/:user_id/user_identities: 6 statements
-- limited search.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from user_identities t where (t.user_id = $) order by t.subject asc, t.id limit $) t
- order by t.subject asc, t.id;
+ from
+   (
+     select t.*
+     from user_identities t
+     where
+       (((((((fold (t.subject) like fold ($)))))) or (t.user_id = $)))
+       and (t.user_id = $)
+       and (fold (t.subject) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.5 is limited list.5
-- limited search.6 is list.5, but
  from user_identities t
- where (t.user_id = $);
+ where
+   (((((((fold (t.subject) like fold ($)))))) or (t.user_id = $)))
+   and (t.user_id = $)
+   and (fold (t.subject) like fold ($));
