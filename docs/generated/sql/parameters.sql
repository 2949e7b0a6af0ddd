-- list, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 4 statements
-- list.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- list.2
select
  case
    when t.organization_id is not null then 10
    when t.location_id is not null then 20
    when t.domain_id is not null then 30
    when t.subnet_id is not null then 40
    when t.operatingsystem_id is not null then 50
    when t.hostgroup_id is not null then 60
    when t.host_id is not null then 70
    else 0
  end as priority, t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.parameter_type as parameter_type,
  case
    when t.organization_id is not null then 'organization'
    when t.location_id is not null then 'location'
    when t.domain_id is not null then 'domain'
    when t.subnet_id is not null then 'subnet'
    when t.operatingsystem_id is not null then 'operating system'
    when t.hostgroup_id is not null then 'host group'
    when t.host_id is not null then 'host'
    else 'global'
  end as associated_type, t.hidden_value as "hidden_value?",
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
  end as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from parameters t
where (t.operatingsystem_id = $);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 5 statements
-- search.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from parameters t
+     where (t.operatingsystem_id = $) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
  from parameters t
- where (t.operatingsystem_id = $);
+ where (t.operatingsystem_id = $) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/operatingsystems/:operatingsystem_id/parameters: 5 statements
-- create.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- create.2
insert into parameters as t (name, operatingsystem_id)
values ($::text, $::bigint)
returning t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value;
-- create.3 is shared 4e9526: select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id…
-- create.4
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
  ),
  in_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select found.audit_id, p.id
    from
      (
        select written.id, places.id
        from
          written
          cross join lateral (
            select l.organization_id as id
            from domain_organizations l
            where l.domain_id = (select t.domain_id from parameters t where t.id = written.auditable_id)
            union
            select l.organization_id as id
            from subnet_organizations l
            where l.subnet_id = (select t.subnet_id from parameters t where t.id = written.auditable_id)
            union
            select l.organization_id as id
            from hostgroup_organizations l
            where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = written.auditable_id)
            union
            select x.organization_id as id
            from hosts x
            where
              x.id = (select t.host_id from parameters t where t.id = written.auditable_id)
              and x.organization_id is not null
            union
            select x.id
            from organizations x
            where x.id = (select t.organization_id from parameters t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  ),
  in_locations as (
    insert into audit_locations (audit_id, location_id)
    select found.audit_id, p.id
    from
      (
        select written.id, places.id
        from
          written
          cross join lateral (
            select l.location_id as id
            from domain_locations l
            where l.domain_id = (select t.domain_id from parameters t where t.id = written.auditable_id)
            union
            select l.location_id as id
            from subnet_locations l
            where l.subnet_id = (select t.subnet_id from parameters t where t.id = written.auditable_id)
            union
            select l.location_id as id
            from hostgroup_locations l
            where l.hostgroup_id = (select t.hostgroup_id from parameters t where t.id = written.auditable_id)
            union
            select x.location_id as id
            from hosts x
            where
              x.id = (select t.host_id from parameters t where t.id = written.auditable_id)
              and x.location_id is not null
            union
            select x.id
            from locations x
            where x.id = (select t.location_id from parameters t where t.id = written.auditable_id)
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select true as held;
-- create.5 is list.2, but
      else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
-   end as value,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   end as value
+ from parameters t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/operatingsystems/:operatingsystem_id/parameters/:id: 2 statements
-- show.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- show.2 is list.2, but
      else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
-   end as value,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   end as value
+ from parameters t
+ where (t.id = $::bigint or t.name = $::text) and (t.operatingsystem_id = $)
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/operatingsystems/:operatingsystem_id/parameters/:id: 6 statements
-- update.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- update.2
select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id)) as value
from parameters t
where (t.id = $::bigint or t.name = $::text) and (t.operatingsystem_id = $)
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.3
select t.id
from operatingsystems t
where t.id = $ and true;
-- update.4 is shared 675403: update parameters t set name = $::text, updated_at = now() where id = $ returning t.*, in_…
-- update.5 is create.4
-- update.6 is create.5

-- delete, as an administrator
-- DELETE /api/operatingsystems/:operatingsystem_id/parameters/:id: 6 statements
-- delete.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.name as name,
  case
    when t.hidden_value then '"*****"'::json
    else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
  end as value,
  case
    when t.organization_id is not null then t.organization_id
    when t.location_id is not null then t.location_id
    when t.domain_id is not null then t.domain_id
    when t.subnet_id is not null then t.subnet_id
    when t.operatingsystem_id is not null then t.operatingsystem_id
    when t.hostgroup_id is not null then t.hostgroup_id
    when t.host_id is not null then t.host_id
    else null
  end as reference_id, t.created_at as created_at, t.updated_at as updated_at,
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
-- delete.4 is update.3
-- delete.5 is create.4
-- delete.6 is shared b5a176: delete from parameters where id = $;

-- list, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 4 statements
-- limited list.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited list.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from parameters t
+     where ((((fold (t.name) like fold ($))))) and (t.operatingsystem_id = $)
+     order by t.name asc, t.id
+     limit $
+   ) t
-- limited list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.4 is list.4, but
  from parameters t
- where (t.operatingsystem_id = $);
+ where ((((fold (t.name) like fold ($))))) and (t.operatingsystem_id = $);

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/parameters: 5 statements
-- limited search.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited search.2 is list.2, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from parameters t
+     where ((((fold (t.name) like fold ($))))) and (t.operatingsystem_id = $) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.4 is limited list.4
-- limited search.5 is list.4, but
  from parameters t
- where (t.operatingsystem_id = $);
+ where ((((fold (t.name) like fold ($))))) and (t.operatingsystem_id = $) and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/operatingsystems/:operatingsystem_id/parameters: 5 statements
-- limited create.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited create.2 is create.2
-- limited create.3 is shared 4e9526: select t.*, in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id…
-- limited create.4 is create.4, but
    )
- select true as held;
+ select exists (select from parameters t where t.id = $ and ((((fold (t.name) like fold ($)))))) as held;
-- limited create.5 is create.5

-- show, as a limited user
-- GET /api/operatingsystems/:operatingsystem_id/parameters/:id: 2 statements
-- limited show.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited show.2 is list.2, but
      else in_order (t.value, (select k.ordered from parameters_order k where k.id = t.id))
-   end as value,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from parameters t where (t.operatingsystem_id = $) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   end as value
+ from parameters t
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and ((((fold (t.name) like fold ($)))))
+   and (t.operatingsystem_id = $)
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as a limited user
-- PUT /api/operatingsystems/:operatingsystem_id/parameters/:id: 6 statements
-- limited update.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited update.2 is update.2, but
  from parameters t
- where (t.id = $::bigint or t.name = $::text) and (t.operatingsystem_id = $)
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and ((((fold (t.name) like fold ($)))))
+   and (t.operatingsystem_id = $)
-- limited update.3 is update.3
-- limited update.4 is shared 675403: update parameters t set name = $::text, updated_at = now() where id = $ returning t.*, in_…
-- limited update.5 is limited create.4
-- limited update.6 is create.5

-- delete, as a limited user
-- DELETE /api/operatingsystems/:operatingsystem_id/parameters/:id: 6 statements
-- limited delete.1 is shared cffc40: select t.id as id from operatingsystems t where (t.id = $::bigint or t.title = $::text) an…
-- limited delete.2 is limited update.2
-- limited delete.3 is delete.3
-- limited delete.4 is update.3
-- limited delete.5 is create.4
-- limited delete.6 is shared b5a176: delete from parameters where id = $;
