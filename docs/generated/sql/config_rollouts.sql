-- list, as an administrator
-- GET /api/config_rollouts: 1 statement

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from config_rollouts t where (true) order by t.id desc, t.id limit $3) t
order by t.id desc, t.id;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/config_rollouts: 2 statements

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from config_rollouts t where (true) and (t.id > $3::bigint) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_rollouts t
where (true);

-- create, as an administrator
-- POST /api/config_rollouts: 6 statements

with
  wanted as materialized (
    select t.id, t.name, t.config_proxy_id is not null as runnable
    from hosts t
    where (exists (select 1 from smart_proxies as t_1 where t_1.id = t.config_proxy_id and t_1.name is not null))
  ),
  rollout as (
    insert into config_rollouts (search, parallel, stop_after_failures, user_id, requested_by)
    values ($1, $2, $3, $4, $5)
    returning id
  ),
  made as (
    insert into config_runs (host_id, host_name, rollout_id, user_id, requested_by, attempts)
    select wanted.id, wanted.name, rollout.id, $6, $7, $8
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

update config_rollouts
set joined = $1, skipped = $2
where id = $3;

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
where o.id = $1;

update config_runs
set next_attempt_at = now()
where
  id in (
    select id
    from config_runs
    where rollout_id = $1 and status = 'queued' and next_attempt_at is null
    order by id
    limit $2
  );

update config_rollouts
set finished_at = now(), updated_at = now(), status = case status when 'running' then 'finished' else status end
where
  id = $1
  and finished_at is null
  and not exists (select from config_runs where rollout_id = $2 and status in ('queued', 'running'));

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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/config_rollouts/:id: 1 statement

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
where (t.id = $1::bigint) and (true)
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/config_rollouts: 3 statements

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from config_rollouts t where (t.user_id = $3) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_rollouts t
where (t.user_id = $2);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/config_rollouts: 4 statements

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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from config_rollouts t
    where (t.user_id = $3) and (t.id > $4::bigint)
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_rollouts t
where (t.user_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from config_rollouts t
where (t.user_id = $2) and (t.id > $3::bigint);

-- create, as a limited user
-- POST /api/config_rollouts: 6 statements

with
  wanted as materialized (
    select t.id, t.name, t.config_proxy_id is not null as runnable
    from hosts t
    where
      (t.organization_id = any ($1::bigint[]))
      and (t.location_id = any ($2::bigint[]))
      and (exists (select 1 from smart_proxies as t_1 where t_1.id = t.config_proxy_id and t_1.name is not null))
  ),
  rollout as (
    insert into config_rollouts (search, parallel, stop_after_failures, user_id, requested_by)
    values ($3, $4, $5, $6, $7)
    returning id
  ),
  made as (
    insert into config_runs (host_id, host_name, rollout_id, user_id, requested_by, attempts)
    select wanted.id, wanted.name, rollout.id, $8, $9, $10
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

update config_rollouts
set joined = $1, skipped = $2
where id = $3;

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
where o.id = $1;

update config_runs
set next_attempt_at = now()
where
  id in (
    select id
    from config_runs
    where rollout_id = $1 and status = 'queued' and next_attempt_at is null
    order by id
    limit $2
  );

update config_rollouts
set finished_at = now(), updated_at = now(), status = case status when 'running' then 'finished' else status end
where
  id = $1
  and finished_at is null
  and not exists (select from config_runs where rollout_id = $2 and status in ('queued', 'running'));

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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/config_rollouts/:id: 1 statement

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
where (t.id = $1::bigint) and (t.user_id = $2)
order by t.id
limit 1;
