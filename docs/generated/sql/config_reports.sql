-- list, as an administrator
-- GET /api/config_reports: 2 statements
-- list.1
select
  t.id as id, t.host_id as host_id,
  (select h.name from hosts h where h.id = t.host_id) as host_name,
  t.reported_at as reported_at,
  json_build_object(
    'applied', t.applied, 'restarted', t.restarted, 'failed', t.failed, 'failed_restarts', t.failed_restarts,
    'skipped', t.skipped, 'pending', t.pending
  ) as status,
  t.origin as origin, t.metrics as metrics, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from config_reports t
where true
order by t.reported_at desc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/config_reports: 3 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from config_reports t
- where true
- order by t.reported_at desc, t.id
- limit 20;
+ from (select t.* from config_reports t where (t.id > $::bigint) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from config_reports t
where (t.id > $::bigint);

-- create, as an administrator
-- POST /api/config_reports: 3 statements
-- create.1
select t.id
from hosts t
where (coalesce(t.certname, t.name) = $ or t.name = $) and true
order by (coalesce(t.certname, t.name) = $) desc, t.id
limit 1;
-- create.2
with
  state as (
    insert into
      configuration_statuses as s (host_id, origin, reported_at, applied, restarted, failed, failed_restarts, skipped, pending)
    values ($, $, $::timestamptz, $::integer, $::integer, $::integer, $::integer, $::integer, $::integer)
    on conflict (host_id) do update
    set
      origin = excluded.origin, reported_at = excluded.reported_at, applied = excluded.applied,
      restarted = excluded.restarted, failed = excluded.failed, failed_restarts = excluded.failed_restarts,
      skipped = excluded.skipped, pending = excluded.pending
    where s.reported_at <= excluded.reported_at
  ),
  seen as (
    update hosts
    set last_report = $::timestamptz
    where id = $ and (last_report is null or last_report < $::timestamptz)
  )
insert into
  config_reports (
    host_id, origin, reported_at, applied, restarted, failed, failed_restarts, skipped, pending, metrics,
    log_levels, log_sources, log_messages
  )
select
  $::bigint, $::text, $::timestamptz, $::integer, $::integer, $::integer, $::integer, $::integer,
  $::integer, $::jsonb, $::smallint[],
  array(
    select x.id
    from unnest($::bytea[]) with ordinality as u (digest, place) join report_texts x on x.digest = u.digest
    order by u.place
  ),
  array(
    select x.id
    from unnest($::bytea[]) with ordinality as u (digest, place) join report_texts x on x.digest = u.digest
    order by u.place
  )
returning id;
-- create.3
select
  t.id as id, t.host_id as host_id,
  (select h.name from hosts h where h.id = t.host_id) as host_name,
  t.reported_at as reported_at,
  json_build_object(
    'applied', t.applied, 'restarted', t.restarted, 'failed', t.failed, 'failed_restarts', t.failed_restarts,
    'skipped', t.skipped, 'pending', t.pending
  ) as status,
  t.origin as origin, t.metrics as metrics, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'source', json_build_object('source', s.value), 'message', json_build_object('message', m.value),
            'level', (array['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit']) [l.level + 1]
          )
          order by l.place
        )
      from
        unnest(t.log_levels, t.log_sources, t.log_messages) with ordinality as l (level, source, message, place)
        join report_texts s on s.id = l.source
        join report_texts m on m.id = l.message
    ),
    '[]'
  ) as logs,
  case
    when (t.failed::bigint + t.failed_restarts::bigint) > 0 then 'Failed'
    when (t.applied::bigint + t.restarted::bigint) > 0 then 'Modified'
    else 'Success'
  end as summary
from config_reports t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/config_reports/:id: 1 statement
-- show.1 is create.3

-- delete, as an administrator
-- DELETE /api/config_reports/:id: 3 statements
-- delete.1
select t.*
from config_reports t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- delete.2
select t.id as id, t.host_id as host_id, t.reported_at as reported_at, t.created_at as created_at
from config_reports t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.3
delete from config_reports
where id = $;

-- list, as a limited user
-- GET /api/config_reports: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from config_reports t
- where true
+     where
+       (
+         t.host_id in (
+           select t.id
+           from hosts t
+           where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+         )
+       )
+       and ((((t.id > $::bigint))))
      order by t.reported_at desc, t.id
- limit 20;
+     limit $
+   ) t
+ order by t.reported_at desc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from config_reports t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
    )
  )
  and ((((t.id > $::bigint))));

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/config_reports: 4 statements
-- limited search.1
select
  t.id as id, t.host_id as host_id,
  (select h.name from hosts h where h.id = t.host_id) as host_name,
  t.reported_at as reported_at,
  json_build_object(
    'applied', t.applied, 'restarted', t.restarted, 'failed', t.failed, 'failed_restarts', t.failed_restarts,
    'skipped', t.skipped, 'pending', t.pending
  ) as status,
  t.origin as origin, t.metrics as metrics, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from config_reports t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
        )
      )
      and ((((t.id > $::bigint))))
      and (t.id > $::bigint)
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.3, but
    )
-   and ((((t.id > $::bigint))));
+   and ((((t.id > $::bigint))))
+   and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/config_reports: 3 statements
-- limited create.1 is create.1, but
  from hosts t
- where (coalesce(t.certname, t.name) = $ or t.name = $) and true
+ where
+   (coalesce(t.certname, t.name) = $ or t.name = $)
+   and (t.organization_id = any ($::bigint[]))
+   and (t.location_id = any ($::bigint[]))
-- limited create.2 is create.2
-- limited create.3 is create.3

-- show, as a limited user
-- GET /api/config_reports/:id: 1 statement
-- limited show.1 is create.3, but
  from config_reports t
- where (t.id = $::bigint) and true
+ where
+   (t.id = $::bigint)
+   and (
+     t.host_id in (
+       select t.id
+       from hosts t
+       where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
+     )
+   )
+   and ((((t.id > $::bigint))))

-- delete, as a limited user
-- DELETE /api/config_reports/:id: 3 statements
-- limited delete.1
select t.*
from config_reports t
where
  (t.id = $::bigint)
  and (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
    )
  )
  and ((((t.id > $::bigint))))
order by t.id
limit 1
for no key update of t;
-- limited delete.2 is delete.2
-- limited delete.3 is delete.3
