-- list, as an administrator
-- GET /api/webhooks/:webhook_id/deliveries: 2 statements
-- list.1
select t.id as id
from webhooks t
where (t.id = $::bigint or t.name = $::text) and (true)
order by (t.name = $::text) desc
limit 1;
-- list.2
select
  t.id as id, t.webhook_id as webhook_id, t.event_number as event_number, t.event_type as event_type,
  t.subject as subject, t.message_id as message_id, t.state as state, t.attempt as attempt,
  t.next_attempt_at as next_attempt_at, t.status as status, t.error as error, t.created_at as created_at,
  t.started_at as started_at, t.ended_at as ended_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from webhook_deliveries t
    where (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $)
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/webhooks/:webhook_id/deliveries: 3 statements
-- search.1 is list.1
-- search.2 is list.2, but
      from webhook_deliveries t
-     where (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $)
+     where
+       (t.webhook_id in (select t.id from webhooks t where (true)))
+       and (t.webhook_id = $)
+       and (t.id > $::bigint)
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from webhook_deliveries t
where (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $);

-- show, as an administrator
-- GET /api/webhooks/:webhook_id/deliveries/:id: 2 statements
-- show.1 is list.1
-- show.2
select
  t.id as id, t.webhook_id as webhook_id, t.event_number as event_number, t.event_type as event_type,
  t.subject as subject, t.message_id as message_id, t.state as state, t.attempt as attempt,
  t.next_attempt_at as next_attempt_at, t.status as status, t.error as error, t.created_at as created_at,
  t.started_at as started_at, t.ended_at as ended_at, t.request_headers as request_headers, t.request as request,
  t.answer_headers as answer_headers, t.answer as answer
from webhook_deliveries t
where (t.id = $::bigint) and (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $)
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/webhooks/:webhook_id/deliveries: 2 statements
-- limited list.1 is list.1, but
  from webhooks t
- where (t.id = $::bigint or t.name = $::text) and (true)
+ where (t.id = $::bigint or t.name = $::text) and (t.user_id = $)
-- limited list.2 is list.2, but
      from webhook_deliveries t
-     where (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $)
+     where (t.webhook_id in (select t.id from webhooks t where (t.user_id = $))) and (t.webhook_id = $)

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/webhooks/:webhook_id/deliveries: 3 statements
-- limited search.1 is limited list.1
-- limited search.2 is list.2, but
      from webhook_deliveries t
-     where (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $)
+     where
+       (t.webhook_id in (select t.id from webhooks t where (t.user_id = $)))
+       and (t.webhook_id = $)
+       and (t.id > $::bigint)
-- limited search.3 is search.3, but
  from webhook_deliveries t
- where (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $);
+ where (t.webhook_id in (select t.id from webhooks t where (t.user_id = $))) and (t.webhook_id = $);

-- show, as a limited user
-- GET /api/webhooks/:webhook_id/deliveries/:id: 2 statements
-- limited show.1 is limited list.1
-- limited show.2 is show.2, but
  from webhook_deliveries t
- where (t.id = $::bigint) and (t.webhook_id in (select t.id from webhooks t where (true))) and (t.webhook_id = $)
+ where
+   (t.id = $::bigint)
+   and (t.webhook_id in (select t.id from webhooks t where (t.user_id = $)))
+   and (t.webhook_id = $)
