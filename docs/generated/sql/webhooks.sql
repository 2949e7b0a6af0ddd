-- list, as an administrator
-- GET /api/webhooks: 3 statements
-- list.1
select
  t.id as id, t.name as name, t.target_url as target_url, array_to_json(t.events) as events, t.search as search,
  t.new_values as new_values, t.enabled as enabled, t.disabled_reason as disabled_reason, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from webhooks t where (true) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from webhooks t
where (true);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/webhooks: 4 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from webhooks t where (true) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (select t.* from webhooks t where (true) and (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
  from webhooks t
- where (true);
+ where (true) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/webhooks: 5 statements
-- create.1
insert into webhooks as t (name, target_url, events, secret, user_id)
values ($::text, $::text, $::text[], $::text, $::bigint)
returning t.*;
-- create.2
select t.*
from webhooks t
where t.id = $;
-- create.3
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
  )
select exists (select from webhooks t where t.id = $ and (true)) as held;
-- create.4
with
  planned as (
    insert into webhook_deliveries (webhook_id, event_number, event_type, subject, message_id, payload)
    select $::bigint, p."eventNumber", p."eventType", p.subject, p."messageId", p.payload
    from rows
    from
      (
        jsonb_to_recordset($::jsonb) as ("eventNumber" bigint, "eventType" text, subject text, "messageId" text, payload jsonb)
      ) with ordinality as p ("eventNumber", "eventType", subject, "messageId", payload, place)
    order by p.place
    returning id
  )
select id, pg_notify ($, '')
from planned
order by id;
-- create.5
select
  t.id as id, t.name as name, t.target_url as target_url, array_to_json(t.events) as events, t.search as search,
  t.new_values as new_values, t.enabled as enabled, t.disabled_reason as disabled_reason, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at, t.http_method as http_method,
  t.http_content_type as http_content_type, t.webhook_template_id as webhook_template_id,
  (select n.name from webhook_templates n where n.id = t.webhook_template_id) as webhook_template_name,
  t.header_template as header_template, t.http_user as http_user,
  (t.http_password is not null) as http_password_set, t.verify_ssl as verify_ssl, t.ssl_ca_certs as ssl_ca_certs,
  t.former_secret_until as former_secret_until
from webhooks t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/webhooks/:id: 1 statement
-- show.1 is create.5, but
  from webhooks t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and (true)
+ order by (t.name = $::text) desc

-- update, as an administrator
-- PUT /api/webhooks/:id: 4 statements
-- update.1
select t.*
from webhooks t
where (t.id = $::bigint or t.name = $::text) and (true)
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
update webhooks t
set enabled = $::boolean, updated_at = now()
where id = $
returning t.*;
-- update.3 is create.3
-- update.4 is create.5

-- delete, as an administrator
-- DELETE /api/webhooks/:id: 4 statements
-- delete.1 is update.1
-- delete.2
select
  t.id as id, t.name as name, t.target_url as target_url, t.http_method as http_method,
  t.http_content_type as http_content_type, t.webhook_template_id as webhook_template_id,
  array_to_json(t.events) as events, t.search as search, t.new_values as new_values, t.enabled as enabled,
  t.disabled_reason as disabled_reason, t.verify_ssl as verify_ssl, t.ssl_ca_certs as ssl_ca_certs,
  t.header_template as header_template, t.http_user as http_user, t.former_secret_until as former_secret_until,
  t.user_id as user_id, t.created_at as created_at, t.updated_at as updated_at
from webhooks t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.4
delete from webhooks
where id = $;

-- list, as a limited user
-- GET /api/webhooks: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from webhooks t where (true) order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from webhooks t
+     where (t.user_id = $) and ((((fold (t.name) like fold ($)))))
+     order by t.name asc, t.id
+     limit $
+   ) t
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is list.3, but
  from webhooks t
- where (true);
+ where (t.user_id = $) and ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/webhooks: 4 statements
-- limited search.1
select
  t.id as id, t.name as name, t.target_url as target_url, array_to_json(t.events) as events, t.search as search,
  t.new_values as new_values, t.enabled as enabled, t.disabled_reason as disabled_reason, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from webhooks t
    where (t.user_id = $) and ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is list.3, but
  from webhooks t
- where (true);
+ where (t.user_id = $) and ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/webhooks: 5 statements
-- limited create.1 is create.1
-- limited create.2 is create.2
-- limited create.3 is create.3, but
    )
- select exists (select from webhooks t where t.id = $ and (true)) as held;
+ select
+   exists (
+     select
+     from webhooks t
+     where t.id = $ and (t.user_id = $) and ((((fold (t.name) like fold ($)))))
+   ) as held;
-- limited create.4 is create.4
-- limited create.5 is create.5

-- show, as a limited user
-- GET /api/webhooks/:id: 1 statement
-- limited show.1 is create.5, but
  from webhooks t
- where (t.id = $::bigint) and true
- order by t.id
+ where (t.id = $::bigint or t.name = $::text) and (t.user_id = $) and ((((fold (t.name) like fold ($)))))
+ order by (t.name = $::text) desc

-- update, as a limited user
-- PUT /api/webhooks/:id: 4 statements
-- limited update.1 is update.1, but
  from webhooks t
- where (t.id = $::bigint or t.name = $::text) and (true)
+ where (t.id = $::bigint or t.name = $::text) and (t.user_id = $) and ((((fold (t.name) like fold ($)))))
-- limited update.2 is update.2
-- limited update.3 is limited create.3
-- limited update.4 is create.5

-- delete, as a limited user
-- DELETE /api/webhooks/:id: 4 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.4 is delete.4
