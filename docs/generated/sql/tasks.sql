-- list, as an administrator
-- GET /api/tasks: 1 statement

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from tasks t where (true) order by t.id desc, t.id limit $3) t
order by t.id desc, t.id;

-- list with search=uuid ~ ex and order=id DESC, as an administrator
-- GET /api/tasks: 4 statements

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from tasks t where (true) and (fold (t.uuid) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from tasks t
where (true);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from tasks t
where (true) and (fold (t.uuid) like fold ($2));

-- show, as an administrator
-- GET /api/tasks/:id: 1 statement

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization
from tasks t
where (t.id = $1::bigint or t.uuid = $2::text) and (true)
order by (t.uuid = $3::text) desc
limit 1;

-- list, as a limited user
-- GET /api/tasks: 2 statements

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from tasks t
    where
      (((t.organization_id is null) or (t.organization_id = any ($3::bigint[])) or (t.user_id = $4)))
      and (((((((fold (t.uuid) like fold ($5)))))) or (t.user_id = $6)))
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select t.id
from tasks t
where t.id = any ($1::bigint[]) and t.user_id is distinct from $2::bigint;

-- list with search=uuid ~ ex and order=id DESC, as a limited user
-- GET /api/tasks: 4 statements

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from tasks t
    where
      (((t.organization_id is null) or (t.organization_id = any ($3::bigint[])) or (t.user_id = $4)))
      and (((((((fold (t.uuid) like fold ($5)))))) or (t.user_id = $6)))
      and (fold (t.uuid) like fold ($7))
    order by t.id desc, t.id
    limit $8
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from tasks t
where
  (((t.organization_id is null) or (t.organization_id = any ($2::bigint[])) or (t.user_id = $3)))
  and (((((((fold (t.uuid) like fold ($4)))))) or (t.user_id = $5)));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from tasks t
where
  (((t.organization_id is null) or (t.organization_id = any ($2::bigint[])) or (t.user_id = $3)))
  and (((((((fold (t.uuid) like fold ($4)))))) or (t.user_id = $5)))
  and (fold (t.uuid) like fold ($6));

-- show, as a limited user
-- GET /api/tasks/:id: 2 statements

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization
from tasks t
where
  (t.id = $1::bigint or t.uuid = $2::text)
  and (((t.organization_id is null) or (t.organization_id = any ($3::bigint[])) or (t.user_id = $4)))
  and (((((((fold (t.uuid) like fold ($5)))))) or (t.user_id = $6)))
order by (t.uuid = $7::text) desc
limit 1;

select t.id
from tasks t
where t.id = any ($1::bigint[]) and t.user_id is distinct from $2::bigint;
