-- list, as an administrator
-- GET /api/smart_class_parameters: 1 statement
-- list.1
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
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.default_value, (select k.ordered from smart_class_parameters_order k where k.id = t.id))
  end as default_value, t.omit as use_config_default,
  (select n.name from configclasses n where n.id = t.configclass_id) as configclass_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from smart_class_parameters t
    where (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
    order by t.parameter asc, t.id
    limit $
  ) t
order by t.parameter asc, t.id;

-- list with search=parameter ~ ex and order=id DESC, as an administrator
-- GET /api/smart_class_parameters: 2 statements
-- search.1 is list.1, but
      from smart_class_parameters t
-     where (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
-     order by t.parameter asc, t.id
+     where
+       (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
+       and (fold (t.parameter) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.parameter asc, t.id;
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from smart_class_parameters t
where (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id));

-- show, as an administrator
-- GET /api/smart_class_parameters/:id: 2 statements
-- show.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- show.2
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
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.default_value, (select k.ordered from smart_class_parameters_order k where k.id = t.id))
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
            case
              when t.hidden_value then '"*****"'::json
              else in_order (o.value, (select k.ordered from override_values_order k where k.id = o.id))
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
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/smart_class_parameters/:id: 7 statements
-- update.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- update.2 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- update.3 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- update.4
select
  o.id, o.match,
  coalesce(
    case
      when (
        select hiding.hidden_value
        from smart_class_parameters hiding
        where hiding.id = o.smart_class_parameter_id
      )
      and (o.value #>> '{}') ~ '^mw:sealed:1:[0-9a-f]{8}[.][A-Za-z0-9_-]+[.]2$' then substr((o.value #>> '{}'), 13)
    end,
    in_order (o.value, (select k.ordered from override_values_order k where k.id = o.id))::text
  ) as value,
  o.omit
from override_values o
where o.smart_class_parameter_id = $
order by o.id
for no key update;
-- update.5
update smart_class_parameters t
set description = $::text, updated_at = now()
where id = $
returning
  t.*,
  in_order (
    t.default_value,
    (select k.ordered from smart_class_parameters_order k where k.id = t.id)
  ) as default_value;
-- update.6 is show.2
-- update.7 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…

-- list, as a limited user
-- GET /api/smart_class_parameters: 1 statement
-- limited list.1 is list.1, but
      from smart_class_parameters t
-     where (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
+     where
+       ((((fold (t.parameter) like fold ($)))))
+       and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))

-- list with search=parameter ~ ex and order=id DESC, as a limited user
-- GET /api/smart_class_parameters: 2 statements
-- limited search.1 is list.1, but
      from smart_class_parameters t
-     where (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
-     order by t.parameter asc, t.id
+     where
+       ((((fold (t.parameter) like fold ($)))))
+       and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
+       and (fold (t.parameter) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.parameter asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is search.2, but
  from smart_class_parameters t
- where (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id));
+ where
+   ((((fold (t.parameter) like fold ($)))))
+   and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id));

-- show, as a limited user
-- GET /api/smart_class_parameters/:id: 4 statements
-- limited show.1
select t.id as id
from smart_class_parameters t
where
  (t.id = $::bigint or t.parameter = $::text)
  and ((((fold (t.parameter) like fold ($)))))
  and (exists (select from class_parameter_environments e where e.smart_class_parameter_id = t.id))
order by (t.parameter = $::text) desc
limit 1;
-- limited show.2 is show.2
-- limited show.3
select 0 as place, t.id
from environments t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (
    exists (
      select
      from environment_organizations l
      where l.environment_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (
    exists (
      select
      from environment_locations l
      where l.environment_id = t.id and l.location_id = any ($::bigint[])
    )
  );
-- limited show.4
select o.id
from override_values o
where
  o.smart_class_parameter_id = any ($::bigint[])
  and not coalesce(
    (
      select
        (
          bool_and(
            case
              when e.attribute in ('fqdn', 'name', 'hostname') then exists (
                select
                from hosts t
                where
                  t.name = e.value
                  and (t.organization_id = any ($::bigint[]))
                  and (t.location_id = any ($::bigint[]))
              )
              when e.attribute in ('certname') then exists (
                select
                from hosts t
                where
                  coalesce(t.certname, t.name) = e.value
                  and (t.organization_id = any ($::bigint[]))
                  and (t.location_id = any ($::bigint[]))
              )
              when e.attribute in ('hostgroup', 'hostgroup_name') then exists (
                select
                from hostgroups t
                where
                  t.title = e.value
                  and (
                    exists (
                      select
                      from hostgroup_organizations l
                      where l.hostgroup_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from hostgroup_locations l
                      where l.hostgroup_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('organization', 'organization_name') then exists (
                select
                from organizations t
                where
                  t.title = e.value
                  and (
                    (
                      (t.id = any ($::bigint[]))
                      or (
                        exists (
                          select
                          from user_organizations m
                          where
                            m.user_id = $
                            and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
                        )
                      )
                    )
                  )
              )
              when e.attribute in ('location', 'location_name') then exists (
                select
                from locations t
                where
                  t.title = e.value
                  and (
                    (
                      (t.id = any ($::bigint[]))
                      or (
                        exists (
                          select
                          from user_locations m
                          where
                            m.user_id = $
                            and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
                        )
                      )
                    )
                  )
              )
              when e.attribute in ('domain', 'domain_name') then exists (
                select
                from domains t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from domain_organizations l
                      where l.domain_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from domain_locations l
                      where l.domain_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('environment', 'environment_name') then exists (
                select
                from environments t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from environment_organizations l
                      where l.environment_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from environment_locations l
                      where l.environment_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('realm', 'realm_name') then exists (
                select
                from realms t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from realm_organizations l
                      where l.realm_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from realm_locations l
                      where l.realm_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('medium', 'medium_name') then exists (
                select
                from media t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from medium_organizations l
                      where l.medium_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from medium_locations l
                      where l.medium_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('ptable', 'ptable_name') then exists (
                select
                from ptables t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from ptable_organizations l
                      where l.ptable_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from ptable_locations l
                      where l.ptable_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('subnet', 'subnet_name') then exists (
                select
                from subnets t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from subnet_organizations l
                      where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from subnet_locations l
                      where l.subnet_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              when e.attribute in ('subnet6', 'subnet6_name') then exists (
                select
                from subnets t
                where
                  t.name = e.value
                  and (
                    exists (
                      select
                      from subnet_organizations l
                      where l.subnet_id = t.id and l.organization_id = any ($::bigint[])
                    )
                  )
                  and (
                    exists (
                      select
                      from subnet_locations l
                      where l.subnet_id = t.id and l.location_id = any ($::bigint[])
                    )
                  )
              )
              else true
            end
          )
        )
      from
        (
          select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
          from unnest(string_to_array(o.match, ',')) as p (part)
        ) e
    ),
    false
  );

-- update, as a limited user
-- PUT /api/smart_class_parameters/:id: 10 statements
-- limited update.1 is limited show.1
-- limited update.2 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- limited update.3 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- limited update.4
select
  exists (
    select
    from smart_class_parameters t
    where t.id = $ and ((((fold (t.parameter) like fold ($)))))
  ) as held;
-- limited update.5 is update.4
-- limited update.6 is update.5
-- limited update.7
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
select
  exists (
    select
    from smart_class_parameters t
    where t.id = $ and ((((fold (t.parameter) like fold ($)))))
  ) as held;
-- limited update.8 is show.2
-- limited update.9 is limited show.3
-- limited update.10 is limited show.4
