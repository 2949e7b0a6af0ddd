-- list, as an administrator
-- GET /api/config_runs: 1 statement
-- list.1
select
  t.id as id, t.host_id as host_id, t.host_name as host_name, t.rollout_id as rollout_id, t.user_id as user_id,
  t.requested_by as requested_by, t.status as status, t.runner as runner, t.attempt as attempt,
  t.exit_status as exit_status, t.message as message, t.created_at as created_at, t.started_at as started_at,
  t.finished_at as finished_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from config_runs t
where true
order by t.id desc, t.id
limit 20;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/config_runs: 1 statement
-- search.1
select
  t.id as id, t.host_id as host_id, t.host_name as host_name, t.rollout_id as rollout_id, t.user_id as user_id,
  t.requested_by as requested_by, t.status as status, t.runner as runner, t.attempt as attempt,
  t.exit_status as exit_status, t.message as message, t.created_at as created_at, t.started_at as started_at,
  t.finished_at as finished_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from config_runs t where (t.id > $::bigint) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- show, as an administrator
-- GET /api/config_runs/:id: 1 statement
-- show.1
select
  t.id as id, t.host_id as host_id, t.host_name as host_name, t.rollout_id as rollout_id, t.user_id as user_id,
  t.requested_by as requested_by, t.status as status, t.runner as runner, t.attempt as attempt,
  t.exit_status as exit_status, t.message as message, t.created_at as created_at, t.started_at as started_at,
  t.finished_at as finished_at, t.attempts as attempts, t.next_attempt_at as next_attempt_at, t.worker as worker,
  t.launched_at as launched_at, t.cancelled_by as cancelled_by, t.reason as reason, t.output_size as output_size,
  t.output_left_out as output_left_out, t.updated_at as updated_at
from config_runs t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/config_runs: 1 statement
-- limited list.1
select
  t.id as id, t.host_id as host_id, t.host_name as host_name, t.rollout_id as rollout_id, t.user_id as user_id,
  t.requested_by as requested_by, t.status as status, t.runner as runner, t.attempt as attempt,
  t.exit_status as exit_status, t.message as message, t.created_at as created_at, t.started_at as started_at,
  t.finished_at as finished_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from config_runs t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
        )
      )
      and ((((t.id > $::bigint))))
    order by t.id desc, t.id
    limit $
  ) t
order by t.id desc, t.id;

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/config_runs: 2 statements
-- limited search.1 is limited list.1, but
        and ((((t.id > $::bigint))))
+       and (t.id > $::bigint)
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from config_runs t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[]))
    )
  )
  and ((((t.id > $::bigint))));

-- show, as a limited user
-- GET /api/config_runs/:id: 1 statement
-- limited show.1
select
  t.id as id, t.host_id as host_id, t.host_name as host_name, t.rollout_id as rollout_id, t.user_id as user_id,
  t.requested_by as requested_by, t.status as status, t.runner as runner, t.attempt as attempt,
  t.exit_status as exit_status, t.message as message, t.created_at as created_at, t.started_at as started_at,
  t.finished_at as finished_at, t.attempts as attempts, t.next_attempt_at as next_attempt_at, t.worker as worker,
  t.launched_at as launched_at, t.cancelled_by as cancelled_by, t.reason as reason, t.output_size as output_size,
  t.output_left_out as output_left_out, t.updated_at as updated_at
from config_runs t
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
limit 1;
