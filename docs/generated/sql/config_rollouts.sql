-- list, as an administrator
-- GET /api/config_rollouts: 1 statement
-- list.1
select
  t.id as id, t.search as search, t.parallel as parallel, t.stop_after_failures as stop_after_failures,
  t.status as status, t.message as message, t.user_id as user_id, t.requested_by as requested_by,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'queued') as queued,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'running') as running,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'succeeded') as succeeded,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'failed') as failed,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'cancelled') as cancelled,
  t.joined as joined, t.skipped as skipped, t.created_at as created_at, t.updated_at as updated_at,
  t.finished_at as finished_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from config_rollouts t where (true) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/config_rollouts: 2 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from config_rollouts t where (true) order by t.id desc, t.id limit $) t
+ from (select t.* from config_rollouts t where (true) and (t.id > $::bigint) order by t.id desc, t.id limit $) t
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from config_rollouts t
where (true);

-- create, as an administrator
-- POST /api/config_rollouts: 6 statements
-- create.1
with
  wanted as materialized (
    select t.id, t.name, t.config_proxy_id is not null as runnable
    from hosts t
    where
      (
        exists (
          select 1
          from smart_proxies as t_1
          where t_1.id = t.config_proxy_id and t_1.name is not null
        ) /* planned anew */
      )
  ),
  rollout as (
    insert into config_rollouts (search, parallel, stop_after_failures, user_id, requested_by)
    values ($, $, $, $, $)
    returning id
  ),
  made as (
    insert into config_runs (host_id, host_name, rollout_id, user_id, requested_by, attempts, traceparent)
    select wanted.id, wanted.name, rollout.id, $, $, $, $
    from wanted, rollout
    where wanted.runnable
    order by wanted.id
    on conflict (host_id)
    where status in ('queued', 'running') do nothing
    returning id
  )
select
  rollout.id,
  (select count(*) from wanted where runnable) as wanted,
  (select count(*) from wanted where not runnable) as skipped,
  (select count(*) from made) as runs
from rollout;
-- create.2
update config_rollouts
set joined = $, skipped = $
where id = $;
-- create.3
select
  o.status, o.parallel, o.stop_after_failures as "stopAfter",
  case
    when o.stop_after_failures is null then 0
    else (select count(*) from config_runs where rollout_id = o.id and status = 'failed')
  end as failed,
  (select count(*) from config_runs where rollout_id = o.id and status = 'running') + (
  select count(*)
  from config_runs
  where rollout_id = o.id and status = 'queued' and next_attempt_at is not null
  ) as ahead
from config_rollouts o
where o.id = $;
-- create.4
update config_runs
set next_attempt_at = now()
where
  id in (
    select id
    from config_runs
    where rollout_id = $ and status = 'queued' and next_attempt_at is null
    order by id
    limit $
  );
-- create.5
update config_rollouts
set finished_at = now(), updated_at = now(), status = case status when 'running' then 'finished' else status end
where
  id = $
  and finished_at is null
  and not exists (select from config_runs where rollout_id = $ and status in ('queued', 'running'));
-- create.6
select
  t.id as id, t.search as search, t.parallel as parallel, t.stop_after_failures as stop_after_failures,
  t.status as status, t.message as message, t.user_id as user_id, t.requested_by as requested_by,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'queued') as queued,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'running') as running,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'succeeded') as succeeded,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'failed') as failed,
  (select count(*) from config_runs r where r.rollout_id = t.id and r.status = 'cancelled') as cancelled,
  t.joined as joined, t.skipped as skipped, t.created_at as created_at, t.updated_at as updated_at,
  t.finished_at as finished_at
from config_rollouts t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/config_rollouts/:id: 1 statement
-- show.1 is create.6, but
  from config_rollouts t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (true)

-- list, as a limited user
-- GET /api/config_rollouts: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from config_rollouts t where (true) order by t.id desc, t.id limit $) t
+ from (select t.* from config_rollouts t where (t.user_id = $) order by t.id desc, t.id limit $) t
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is search.2, but
  from config_rollouts t
- where (true);
+ where (t.user_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/config_rollouts: 4 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from config_rollouts t where (true) order by t.id desc, t.id limit $) t
+ from
+   (
+     select t.*
+     from config_rollouts t
+     where (t.user_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is search.2, but
  from config_rollouts t
- where (true);
+ where (t.user_id = $) and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/config_rollouts: 6 statements
-- limited create.1 is create.1, but
      where
-       (
+       (t.organization_id = any ($::bigint[]))
+       and (t.location_id = any ($::bigint[]))
+       and (
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6

-- show, as a limited user
-- GET /api/config_rollouts/:id: 1 statement
-- limited show.1 is create.6, but
  from config_rollouts t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.user_id = $)
