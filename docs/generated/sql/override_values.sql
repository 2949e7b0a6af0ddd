-- list, as an administrator
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 4 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
  t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from override_values t where ((t.smart_class_parameter_id = $3)) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from override_values t
where ((t.smart_class_parameter_id = $2));

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 5 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
  t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from override_values t
    where ((t.smart_class_parameter_id = $3)) and (t.id > $4::bigint)
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
from override_values t
where ((t.smart_class_parameter_id = $2));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from override_values t
where ((t.smart_class_parameter_id = $2)) and (t.id > $3::bigint);

-- create, as an administrator
-- POST /api/smart_class_parameters/:smart_class_parameter_id/override_values: 16 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from smart_class_parameters t
where (t.id = $1::bigint) and (((true) or (true) or (true)))
order by t.id
limit 1;

select t.*
from smart_class_parameters t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where t.id = $1;

select match
from override_values
where smart_class_parameter_id = $1 and id is distinct from $2::bigint;

insert into override_values (smart_class_parameter_id, match, value, omit)
values ($1::bigint, $2::text, $3::jsonb, $4::boolean)
returning *;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

select t.*
from smart_class_parameters t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where t.id = $1;

update smart_class_parameters
set override = $1::boolean, updated_at = now()
where id = $2;

select t.*
from smart_class_parameters t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 3 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from override_values t
where (t.id = $1::bigint or t.match = $2::text) and (t.smart_class_parameter_id = $3)
order by (t.match = $4::text) desc
limit 1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 15 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from smart_class_parameters t
where (t.id = $1::bigint) and (((true) or (true)))
order by t.id
limit 1;

select t.*
from smart_class_parameters t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where t.id = $1;

select t.id as id
from override_values t
where (t.id = $1::bigint or t.match = $2::text) and (t.smart_class_parameter_id = $3)
order by (t.match = $4::text) desc
limit 1;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

select match
from override_values
where smart_class_parameter_id = $1 and id is distinct from $2::bigint;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

update override_values
set value = $1::jsonb, updated_at = now()
where id = $2;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 8 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from smart_class_parameters t
where (t.id = $1::bigint) and (((true) or (true)))
order by t.id
limit 1;

select t.id as id
from override_values t
where (t.id = $1::bigint or t.match = $2::text) and (t.smart_class_parameter_id = $3)
order by (t.match = $4::text) desc
limit 1;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

delete from override_values
where id = $1;

-- list, as a limited user
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 4 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
  t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from override_values t where ((t.smart_class_parameter_id = $3)) order by t.id asc, t.id limit $4) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from override_values t
where ((t.smart_class_parameter_id = $2));

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 5 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
  t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from override_values t
    where ((t.smart_class_parameter_id = $3)) and (t.id > $4::bigint)
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
from override_values t
where ((t.smart_class_parameter_id = $2));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from override_values t
where ((t.smart_class_parameter_id = $2)) and (t.id > $3::bigint);

-- create, as a limited user
-- POST /api/smart_class_parameters/:smart_class_parameter_id/override_values: 10 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from smart_class_parameters t
where (t.id = $1::bigint) and (((true) or (true) or (true)))
order by t.id
limit 1;

select t.*
from smart_class_parameters t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where t.id = $1;

select match
from override_values
where smart_class_parameter_id = $1 and id is distinct from $2::bigint;

insert into override_values (smart_class_parameter_id, match, value, omit)
values ($1::bigint, $2::text, $3::jsonb, $4::boolean)
returning *;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 3 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from override_values t
where (t.id = $1::bigint or t.match = $2::text) and (t.smart_class_parameter_id = $3)
order by (t.match = $4::text) desc
limit 1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 15 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from smart_class_parameters t
where (t.id = $1::bigint) and (((true) or (true)))
order by t.id
limit 1;

select t.*
from smart_class_parameters t
where t.id = $1
for no key update of t;

select
  array(
    select l.environment_id
    from class_parameter_environments l
    where l.smart_class_parameter_id = t.id
    order by 1
  ) as environments
from smart_class_parameters t
where t.id = $1;

select t.id as id
from override_values t
where (t.id = $1::bigint or t.match = $2::text) and (t.smart_class_parameter_id = $3)
order by (t.match = $4::text) desc
limit 1;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

select match
from override_values
where smart_class_parameter_id = $1 and id is distinct from $2::bigint;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

update override_values
set value = $1::jsonb, updated_at = now()
where id = $2;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 8 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select t.id as id
from smart_class_parameters t
where (t.id = $1::bigint) and (((true) or (true)))
order by t.id
limit 1;

select t.id as id
from override_values t
where (t.id = $1::bigint or t.match = $2::text) and (t.smart_class_parameter_id = $3)
order by (t.match = $4::text) desc
limit 1;

select t.*
from override_values t
where t.id = $1
for no key update of t;

select (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where t.id = $1;

select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::jsonb
    else t.value
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  )
select id
from written;

delete from override_values
where id = $1;
