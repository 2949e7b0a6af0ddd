-- list, as an administrator
-- GET /api/smart_class_parameters: 1 statement

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from smart_class_parameters t
    where ((exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id)))
    order by t.parameter asc, t.id
    limit $3
  ) t
order by t.parameter asc, t.id;

-- list with search=parameter ~ ex and order=id DESC, as an administrator
-- GET /api/smart_class_parameters: 2 statements

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from smart_class_parameters t
    where
      ((exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id)))
      and (fold (t.parameter) like fold ($3))
    order by t.id desc, t.id
    limit $4
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from smart_class_parameters t
where ((exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id)));

-- show, as an administrator
-- GET /api/smart_class_parameters/:id: 2 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
limit 1;

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
    from configclasses x
    where x.id = t.configclass_id
  ) as configclass,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from class_parameter_environments l join environments x on x.id = l.environment_id
      where l.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', o.id, 'match', o.match, 'value',
            case when t.hidden_value then '"*****"'::jsonb else o.value
            end, 'omit', o.omit, 'use_config_default', o.omit, 'created_at',
            to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(o.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by o.id
        )
      from override_values o
      where o.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as override_values
from smart_class_parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/smart_class_parameters/:id: 9 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $3::text) desc
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

select id, match, value, omit
from override_values
where smart_class_parameter_id = $1
order by id
for no key update;

update smart_class_parameters
set description = $1::text, updated_at = now()
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
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
    from configclasses x
    where x.id = t.configclass_id
  ) as configclass,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from class_parameter_environments l join environments x on x.id = l.environment_id
      where l.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', o.id, 'match', o.match, 'value',
            case when t.hidden_value then '"*****"'::jsonb else o.value
            end, 'omit', o.omit, 'use_config_default', o.omit, 'created_at',
            to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(o.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by o.id
        )
      from override_values o
      where o.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as override_values
from smart_class_parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/smart_class_parameters: 1 statement

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from smart_class_parameters t
    where
      (
        ((((fold (t.parameter) like fold ($3)))))
        and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
      )
      and ((((fold (t.parameter) like fold ($4)))))
    order by t.parameter asc, t.id
    limit $5
  ) t
order by t.parameter asc, t.id;

-- list with search=parameter ~ ex and order=id DESC, as a limited user
-- GET /api/smart_class_parameters: 2 statements

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from smart_class_parameters t
    where
      (
        ((((fold (t.parameter) like fold ($3)))))
        and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
      )
      and ((((fold (t.parameter) like fold ($4)))))
      and (fold (t.parameter) like fold ($5))
    order by t.id desc, t.id
    limit $6
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from smart_class_parameters t
where
  (
    ((((fold (t.parameter) like fold ($2)))))
    and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
  )
  and ((((fold (t.parameter) like fold ($3)))));

-- show, as a limited user
-- GET /api/smart_class_parameters/:id: 3 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and ((((fold (t.parameter) like fold ($3)))))
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $4::text) desc
limit 1;

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
    from configclasses x
    where x.id = t.configclass_id
  ) as configclass,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from class_parameter_environments l join environments x on x.id = l.environment_id
      where l.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', o.id, 'match', o.match, 'value',
            case when t.hidden_value then '"*****"'::jsonb else o.value
            end, 'omit', o.omit, 'use_config_default', o.omit, 'created_at',
            to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(o.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by o.id
        )
      from override_values o
      where o.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as override_values
from smart_class_parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select 0 as place, t.id
from environments t
where
  t.id = any ($1::bigint[])
  and (
    exists (
      select
      from environment_organizations l
      where l.environment_id = t.id and l.organization_id = any ($2::bigint[])
    )
  )
  and (
    exists (
      select
      from environment_locations l
      where l.environment_id = t.id and l.location_id = any ($3::bigint[])
    )
  );

-- update, as a limited user
-- PUT /api/smart_class_parameters/:id: 12 statements

select t.id as id
from smart_class_parameters t
where
  (t.id = $1::bigint or t.parameter = $2::text)
  and ((((fold (t.parameter) like fold ($3)))))
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $4::text) desc
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

select t.id
from smart_class_parameters t
where t.id = $1 and ((((fold (t.parameter) like fold ($2)))));

select id, match, value, omit
from override_values
where smart_class_parameter_id = $1
order by id
for no key update;

update smart_class_parameters
set description = $1::text, updated_at = now()
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

select t.id
from smart_class_parameters t
where t.id = $1 and ((((fold (t.parameter) like fold ($2)))));

select
  t.parameter as parameter, t.id as id, t.configclass_id as configclass_id,
  (select count(*) from override_values o where o.smart_class_parameter_id = t.id) as override_values_count,
  t.description as description, t.override as override, t.parameter_type as parameter_type,
  t.hidden_value as "hidden_value?", t.omit as omit, t.required as required, t.validator_type as validator_type,
  t.validator_rule as validator_rule, t.merge_overrides as merge_overrides, t.merge_default as merge_default,
  t.avoid_duplicates as avoid_duplicates,
  coalesce(t.override_value_order, (select string_agg(line.text, E'
'
  order by line.number
  )
  from settings s, jsonb_array_elements_text(coalesce(s.value, s."default")) with ordinality as line(text, number)
  where s.name = 'Default_parameters_Lookup_Path'
  ), ''
  ) as override_value_order, t.created_at as created_at, t.updated_at as updated_at,
  case when t.hidden_value then '"*****"'::jsonb else t.default_value
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'module_name', split_part(x.name, '::', 1))
    from configclasses x
    where x.id = t.configclass_id
  ) as configclass,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from class_parameter_environments l join environments x on x.id = l.environment_id
      where l.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', o.id, 'match', o.match, 'value',
            case when t.hidden_value then '"*****"'::jsonb else o.value
            end, 'omit', o.omit, 'use_config_default', o.omit, 'created_at',
            to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
            to_char(o.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
          )
          order by o.id
        )
      from override_values o
      where o.smart_class_parameter_id = t.id
    ),
    '[]'
  ) as override_values
from smart_class_parameters t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select 0 as place, t.id
from environments t
where
  t.id = any ($1::bigint[])
  and (
    exists (
      select
      from environment_organizations l
      where l.environment_id = t.id and l.organization_id = any ($2::bigint[])
    )
  )
  and (
    exists (
      select
      from environment_locations l
      where l.environment_id = t.id and l.location_id = any ($3::bigint[])
    )
  );
