-- list, as an administrator
-- GET /api/common_parameters: 3 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where
      (
        (
          t.organization_id is null
          and t.location_id is null
          and t.domain_id is null
          and t.subnet_id is null
          and t.operatingsystem_id is null
          and t.hostgroup_id is null
          and t.host_id is null
        )
      )
    order by t.name asc, t.id
    limit $3
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where
  (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  );

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/common_parameters: 4 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where
      (
        (
          t.organization_id is null
          and t.location_id is null
          and t.domain_id is null
          and t.subnet_id is null
          and t.operatingsystem_id is null
          and t.hostgroup_id is null
          and t.host_id is null
        )
      )
      and (fold (t.name) like fold ($3))
    order by t.id desc, t.id
    limit $4
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where
  (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  );

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where
  (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/common_parameters: 5 statements

insert into parameters (name)
values ($1::text)
returning *;

select t.*
from parameters t
where t.id = $1
for no key update of t;

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

select t.id
from parameters t
where
  t.id = $1
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  );

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/common_parameters/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/common_parameters/:id: 7 statements

select t.id as id
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
order by (t.name = $3::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

update parameters
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from parameters t
where t.id = $1
for no key update of t;

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

select t.id
from parameters t
where
  t.id = $1
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  );

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/common_parameters/:id: 5 statements

select t.id as id
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
order by (t.name = $3::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name,
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value, t.created_at as created_at, t.updated_at as updated_at,
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.hidden_value as hidden_value, t.parameter_type as key_type
from parameters t
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

delete from parameters
where id = $1;

-- list, as a limited user
-- GET /api/common_parameters: 3 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where
      (
        (
          t.organization_id is null
          and t.location_id is null
          and t.domain_id is null
          and t.subnet_id is null
          and t.operatingsystem_id is null
          and t.hostgroup_id is null
          and t.host_id is null
        )
      )
      and ((((fold (t.name) like fold ($3)))))
    order by t.name asc, t.id
    limit $4
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where
  (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/common_parameters: 4 statements

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from parameters t
    where
      (
        (
          t.organization_id is null
          and t.location_id is null
          and t.domain_id is null
          and t.subnet_id is null
          and t.operatingsystem_id is null
          and t.hostgroup_id is null
          and t.host_id is null
        )
      )
      and ((((fold (t.name) like fold ($3)))))
      and (fold (t.name) like fold ($4))
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
from parameters t
where
  (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from parameters t
where
  (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($2)))))
  and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/common_parameters: 5 statements

insert into parameters (name)
values ($1::text)
returning *;

select t.*
from parameters t
where t.id = $1
for no key update of t;

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

select t.id
from parameters t
where
  t.id = $1
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/common_parameters/:id: 1 statement

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/common_parameters/:id: 7 statements

select t.id as id
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

update parameters
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from parameters t
where t.id = $1
for no key update of t;

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

select t.id
from parameters t
where
  t.id = $1
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($2)))));

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value
from parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/common_parameters/:id: 5 statements

select t.id as id
from parameters t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      t.organization_id is null
      and t.location_id is null
      and t.domain_id is null
      and t.subnet_id is null
      and t.operatingsystem_id is null
      and t.hostgroup_id is null
      and t.host_id is null
    )
  )
  and ((((fold (t.name) like fold ($3)))))
order by (t.name = $4::text) desc
limit 1;

select t.*
from parameters t
where t.id = $1
for no key update of t;

select
  t.id as id, t.name as name,
  case when t.hidden_value then '"*****"'::jsonb else t.value
  end as value, t.created_at as created_at, t.updated_at as updated_at,
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.hidden_value as hidden_value, t.parameter_type as key_type
from parameters t
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

delete from parameters
where id = $1;
