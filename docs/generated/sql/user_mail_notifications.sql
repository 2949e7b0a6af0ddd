-- list, as an administrator
-- GET /api/users/:user_id/mail_notifications: 5 statements
-- list.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- list.3
select
  t.id as id, t.user_id as user_id, t.mail_notification_id as mail_notification_id, t.interval as interval,
  t.created_at as created_at, t.updated_at as updated_at, t.mail_query as mail_query,
  (select n.name from mail_notifications n where n.id = t.mail_notification_id) as name,
  (select n.description from mail_notifications n where n.id = t.mail_notification_id) as description,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from user_mail_notifications t where (t.user_id = $) order by t.id asc, t.id limit $) t
order by t.id asc, t.id;
-- list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.5
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from user_mail_notifications t
where (t.user_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/users/:user_id/mail_notifications: 6 statements
-- search.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.2 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from user_mail_notifications t where (t.user_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from user_mail_notifications t
+     where (t.user_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.5 is list.5
-- search.6 is list.5, but
  from user_mail_notifications t
- where (t.user_id = $);
+ where (t.user_id = $) and (t.id > $::bigint);

-- create, as an administrator
-- POST /api/users/:user_id/mail_notifications: 7 statements
-- create.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- create.2
select 0 as place, t.id
from mail_notifications t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.3
select subscription_type, queryable
from mail_notifications
where id = $::bigint;
-- create.4
insert into user_mail_notifications as t (mail_notification_id, interval, user_id)
values ($::bigint, $::text, $::bigint)
returning t.*;
-- create.5
select t.*
from user_mail_notifications t
where t.id = $;
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
            where l.user_id = (select t.user_id from user_mail_notifications t where t.id = written.auditable_id)
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
            where l.user_id = (select t.user_id from user_mail_notifications t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.7
select
  t.id as id, t.user_id as user_id, t.mail_notification_id as mail_notification_id, t.interval as interval,
  t.created_at as created_at, t.updated_at as updated_at, t.mail_query as mail_query,
  (select n.name from mail_notifications n where n.id = t.mail_notification_id) as name,
  (select n.description from mail_notifications n where n.id = t.mail_notification_id) as description
from user_mail_notifications t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/users/:user_id/mail_notifications/:mail_notification_id: 8 statements
-- update.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- update.2
select w.id
from user_mail_notifications w join mail_notifications n on n.id = w.mail_notification_id
where w.user_id = $::bigint and (n.id::text = $::text or n.name = $::text);
-- update.3 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- update.4
select t.*
from user_mail_notifications t
where (t.id = $::bigint) and (t.user_id = $)
order by t.id
limit 1
for no key update of t;
-- update.5 is create.3
-- update.6
update user_mail_notifications t
set interval = $::text, updated_at = now()
where id = $
returning t.*;
-- update.7 is create.6
-- update.8 is create.7

-- delete, as an administrator
-- DELETE /api/users/:user_id/mail_notifications/:mail_notification_id: 7 statements
-- delete.1 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- delete.2 is update.2
-- delete.3 is shared 2ff1d2: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- delete.4 is update.4
-- delete.5
select
  t.id as id, t.mail_notification_id as mail_notification_id, t.interval as interval, t.mail_query as mail_query,
  t.user_id as user_id, t.created_at as created_at, t.updated_at as updated_at
from user_mail_notifications t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.6 is create.6
-- delete.7
delete from user_mail_notifications
where id = $;

-- list, as a limited user
-- GET /api/users/:user_id/mail_notifications: 5 statements
-- limited list.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited list.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from user_mail_notifications t where (t.user_id = $) order by t.id asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from user_mail_notifications t
+     where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $)
+     order by t.id asc, t.id
+     limit $
+   ) t
-- limited list.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.5 is list.5, but
  from user_mail_notifications t
- where (t.user_id = $);
+ where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/users/:user_id/mail_notifications: 6 statements
-- limited search.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.2 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited search.3 is list.3, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from user_mail_notifications t where (t.user_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from user_mail_notifications t
+     where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.4 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.5 is limited list.5
-- limited search.6 is list.5, but
  from user_mail_notifications t
- where (t.user_id = $);
+ where (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $) and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/users/:user_id/mail_notifications: 7 statements
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
+     from user_mail_notifications t
+     where t.id = $ and (((((((t.id > $::bigint))))) or (t.user_id = $)))
+   ) as held;
-- limited create.7 is create.7

-- update, as a limited user
-- PUT /api/users/:user_id/mail_notifications/:mail_notification_id: 8 statements
-- limited update.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited update.2 is update.2
-- limited update.3 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited update.4 is update.4, but
  from user_mail_notifications t
- where (t.id = $::bigint) and (t.user_id = $)
+ where (t.id = $::bigint) and (((((((t.id > $::bigint))))) or (t.user_id = $))) and (t.user_id = $)
-- limited update.5 is create.3
-- limited update.6 is update.6
-- limited update.7 is limited create.6
-- limited update.8 is create.7

-- delete, as a limited user
-- DELETE /api/users/:user_id/mail_notifications/:mail_notification_id: 7 statements
-- limited delete.1 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited delete.2 is update.2
-- limited delete.3 is shared 5c8e88: select t.id as id from users t where (t.id = $::bigint or t.login = $::text) and (exists (…
-- limited delete.4 is limited update.4
-- limited delete.5 is delete.5
-- limited delete.6 is create.6
-- limited delete.7 is delete.7
