-- list, as an administrator
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 4 statements
-- list.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- list.2
select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::json
    else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
  t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from override_values t where (t.smart_class_parameter_id = $) order by t.id asc, t.id limit $) t
order by t.id asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from override_values t
where (t.smart_class_parameter_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 5 statements
-- search.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from override_values t where (t.smart_class_parameter_id = $) order by t.id asc, t.id limit $) t
- order by t.id asc, t.id;
+ from
+   (
+     select t.*
+     from override_values t
+     where (t.smart_class_parameter_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
  from override_values t
- where (t.smart_class_parameter_id = $);
+ where (t.smart_class_parameter_id = $) and (t.id > $::bigint);

-- create, as an administrator
-- POST /api/smart_class_parameters/:smart_class_parameter_id/override_values: 13 statements
-- create.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- create.2
select t.id as id
from smart_class_parameters t
where (t.id = $::bigint) and (((true) or (true) or (true)))
order by t.id
limit 1;
-- create.3 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- create.4 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- create.5
select match
from override_values
where smart_class_parameter_id = $ and id is distinct from $::bigint;
-- create.6
insert into override_values as t (smart_class_parameter_id, match, value, omit)
values ($::bigint, $::text, $::jsonb, $::boolean)
returning
  t.*,
  in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id)) as value,
  (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value;
-- create.7
select t.id
from override_values t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- create.8
select
  t.*,
  in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id)) as value,
  (select p.hidden_value from smart_class_parameters p where p.id = t.smart_class_parameter_id) as hidden_value
from override_values t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.9 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- create.10 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- create.11
update smart_class_parameters t
set override = $::boolean, updated_at = now()
where id = $
returning
  t.*,
  in_order (
    t.default_value,
    (select k.ordered from smart_class_parameters_order k where k.id = t.id)
  ) as default_value;
-- create.12
select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::json
    else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at, t.updated_at as updated_at
from override_values t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.13 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…

-- show, as an administrator
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 3 statements
-- show.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- show.2
select t.id as id
from override_values t
where (t.id = $::bigint or t.match = $::text) and (t.smart_class_parameter_id = $)
order by (t.match = $::text) desc
limit 1;
-- show.3 is create.12

-- update, as an administrator
-- PUT /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 14 statements
-- update.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- update.2 is create.2, but
  from smart_class_parameters t
- where (t.id = $::bigint) and (((true) or (true) or (true)))
+ where (t.id = $::bigint) and (((true) or (true)))
-- update.3 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- update.4 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- update.5 is show.2
-- update.6 is create.7
-- update.7 is create.8
-- update.8 is create.5
-- update.9 is create.7
-- update.10 is create.8
-- update.11
delete from override_values_order
where id = $::bigint;
-- update.12
update override_values t
set value = $::jsonb, updated_at = now()
where id = $
returning t.*, in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id)) as value;
-- update.13 is create.12
-- update.14 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…

-- delete, as an administrator
-- DELETE /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 8 statements
-- delete.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- delete.2 is update.2
-- delete.3 is show.2
-- delete.4 is create.7
-- delete.5 is create.8
-- delete.6 is create.12
-- delete.7 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.8
delete from override_values
where id = $;

-- list, as a limited user
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 4 statements
-- limited list.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- limited list.2
select
  t.id as id, t.match as match,
  case
    when (
      select p.hidden_value
      from smart_class_parameters p
      where p.id = t.smart_class_parameter_id
    ) then '"*****"'::json
    else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
  end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
  t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from override_values t
    where
      (
        coalesce(
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
                from unnest(string_to_array(t.match, ',')) as p (part)
              ) e
          ),
          false
        )
      )
      and (t.smart_class_parameter_id = $)
    order by t.id asc, t.id
    limit $
  ) t
order by t.id asc, t.id;
-- limited list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.4 is limited list.2, but
  select
-   t.id as id, t.match as match,
-   case
-     when (
-       select p.hidden_value
-       from smart_class_parameters p
-       where p.id = t.smart_class_parameter_id
-     ) then '"*****"'::json
-     else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
-   end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
-   t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    )
-       and (t.smart_class_parameter_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   and (t.smart_class_parameter_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values: 5 statements
-- limited search.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- limited search.2 is limited list.2, but
        and (t.smart_class_parameter_id = $)
-     order by t.id asc, t.id
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by t.id asc, t.id;
+ order by t.id desc, t.id;
-- limited search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.4 is limited list.4
-- limited search.5 is limited list.2, but
  select
-   t.id as id, t.match as match,
-   case
-     when (
-       select p.hidden_value
-       from smart_class_parameters p
-       where p.id = t.smart_class_parameter_id
-     ) then '"*****"'::json
-     else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
-   end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
-   t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    and (t.smart_class_parameter_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/smart_class_parameters/:smart_class_parameter_id/override_values: 11 statements
-- limited create.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- limited create.2 is create.2
-- limited create.3 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- limited create.4 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- limited create.5 is limited list.2, but
  select
-   t.id as id, t.match as match,
-   case
-     when (
-       select p.hidden_value
-       from smart_class_parameters p
-       where p.id = t.smart_class_parameter_id
-     ) then '"*****"'::json
-     else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
-   end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
-   t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
-     from override_values t
-     where
-       (
            select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
-                 from unnest(string_to_array(t.match, ',')) as p (part)
+           from unnest(string_to_array($::text, ',')) as p (part)
      false
-         )
-       )
-       and (t.smart_class_parameter_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   ) as writable;
-- limited create.6 is create.5
-- limited create.7 is create.6
-- limited create.8 is create.7
-- limited create.9 is create.8
-- limited create.10 is create.12
-- limited create.11 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…

-- show, as a limited user
-- GET /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 3 statements
-- limited show.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- limited show.2 is limited list.2, but
- select
-   t.id as id, t.match as match,
-   case
-     when (
-       select p.hidden_value
-       from smart_class_parameters p
-       where p.id = t.smart_class_parameter_id
-     ) then '"*****"'::json
-     else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
-   end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
-   t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+ select t.id as id
  where
-       (
+   (t.id = $::bigint or t.match = $::text)
+   and (
    and (t.smart_class_parameter_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by (t.match = $::text) desc
+ limit 1;
-- limited show.3 is create.12

-- update, as a limited user
-- PUT /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 15 statements
-- limited update.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- limited update.2 is update.2
-- limited update.3 is shared 181573: select t.id from smart_class_parameters t where (t.id = $::bigint) and true order by t.id …
-- limited update.4 is shared aedcb3: select t.*, in_order ( t.default_value, (select k.ordered from smart_class_parameters_orde…
-- limited update.5 is limited show.2
-- limited update.6 is limited list.2, but
- select
-   t.id as id, t.match as match,
-   case
-     when (
-       select p.hidden_value
-       from smart_class_parameters p
-       where p.id = t.smart_class_parameter_id
-     ) then '"*****"'::json
-     else in_order (t.value, (select k.ordered from override_values_order k where k.id = t.id))
-   end as value, t.omit as omit, t.omit as use_config_default, t.created_at as created_at,
-   t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
-     from override_values t
+ select o.id
+ from override_values o
  where
-       (
-         coalesce(
+   o.id = $
+   and not coalesce(
            select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
-                 from unnest(string_to_array(t.match, ',')) as p (part)
+           from unnest(string_to_array(o.match, ',')) as p (part)
    )
-       )
-       and (t.smart_class_parameter_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ limit 1;
-- limited update.7 is create.7
-- limited update.8 is create.8
-- limited update.9 is create.5
-- limited update.10 is create.7
-- limited update.11 is create.8
-- limited update.12 is update.11
-- limited update.13 is update.12
-- limited update.14 is create.12
-- limited update.15 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…

-- delete, as a limited user
-- DELETE /api/smart_class_parameters/:smart_class_parameter_id/override_values/:id: 9 statements
-- limited delete.1 is shared b016bd: select t.id as id from smart_class_parameters t where (t.id = $::bigint or t.parameter = $…
-- limited delete.2 is update.2
-- limited delete.3 is limited show.2
-- limited delete.4 is limited update.6
-- limited delete.5 is create.7
-- limited delete.6 is create.8
-- limited delete.7 is create.12
-- limited delete.8 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.9 is delete.8
