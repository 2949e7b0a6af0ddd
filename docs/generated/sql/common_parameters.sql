-- list, as an administrator
-- GET /api/common_parameters: 3 statements
-- list.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
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
    limit $
  ) t
order by t.name asc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
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
-- search.1 is list.1, but
        )
-     order by t.name asc, t.id
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
      )
-   );
+   )
+   and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/common_parameters: 4 statements
-- create.1
insert into parameters as t (name)
values ($::text)
returning t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value;
-- create.2 is shared 4e9526: select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id…
-- create.3
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
    from parameters t
    where
      t.id = $
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
  ) as held;
-- create.4
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
  end as value
from parameters t
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/common_parameters/:id: 1 statement
-- show.1
select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
  end as value
from parameters t
where
  (t.id = $::bigint or t.name = $::text)
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
order by (t.name = $::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/common_parameters/:id: 4 statements
-- update.1 is show.1, but
- select
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
-   t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
-   case
-     when t.hidden_value then '"*****"'::json
-     else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
-   end as value
+ select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value
  order by (t.name = $::text) desc
- limit 1;
+ limit 1
+ for no key update of t;
-- update.2 is shared 675403: update parameters t set name = $::text, updated_at = now() where id = $ returning t.*, in_…
-- update.3 is create.3
-- update.4 is create.4

-- delete, as an administrator
-- DELETE /api/common_parameters/:id: 4 statements
-- delete.1 is update.1
-- delete.2
select
  t.id as id, t.name as name,
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
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
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.4 is shared b5a176: delete from parameters where id = $;

-- list, as a limited user
-- GET /api/common_parameters: 3 statements
-- limited list.1 is list.1, but
        )
+       and ((((fold (t.name) like fold ($)))))
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is list.3, but
      )
-   );
+   )
+   and ((((fold (t.name) like fold ($)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/common_parameters: 4 statements
-- limited search.1 is list.1, but
        )
-     order by t.name asc, t.id
+       and ((((fold (t.name) like fold ($)))))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is list.3, but
      )
-   );
+   )
+   and ((((fold (t.name) like fold ($)))))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/common_parameters: 4 statements
-- limited create.1 is create.1
-- limited create.2 is shared 4e9526: select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id…
-- limited create.3 is create.3, but
        )
+       and ((((fold (t.name) like fold ($)))))
-- limited create.4 is create.4

-- show, as a limited user
-- GET /api/common_parameters/:id: 1 statement
-- limited show.1 is show.1, but
    )
+   and ((((fold (t.name) like fold ($)))))

-- update, as a limited user
-- PUT /api/common_parameters/:id: 4 statements
-- limited update.1 is show.1, but
- select
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
-   t.parameter_type as parameter_type, t.hidden_value as "hidden_value?",
-   case
-     when t.hidden_value then '"*****"'::json
-     else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
-   end as value
+ select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value
    )
+   and ((((fold (t.name) like fold ($)))))
  order by (t.name = $::text) desc
- limit 1;
+ limit 1
+ for no key update of t;
-- limited update.2 is shared 675403: update parameters t set name = $::text, updated_at = now() where id = $ returning t.*, in_…
-- limited update.3 is limited create.3
-- limited update.4 is create.4

-- delete, as a limited user
-- DELETE /api/common_parameters/:id: 4 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.4 is shared b5a176: delete from parameters where id = $;
