-- list, as an administrator
-- GET /api/provisioning_templates: 2 statements

select
  t.snippet as snippet, t.description as description, t.created_at as created_at, t.updated_at as updated_at,
  t.id as id, t.name as name, t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from templates t
where true
order by t.name asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/provisioning_templates: 3 statements

select
  t.snippet as snippet, t.description as description, t.created_at as created_at, t.updated_at as updated_at,
  t.id as id, t.name as name, t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from templates t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from templates t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/provisioning_templates: 10 statements

select 0 as place, t.id
from template_kinds t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from locations t
where t.id = any ($2::bigint[]) and (true)
union all
select 2 as place, t.id
from organizations t
where t.id = any ($3::bigint[]) and (true);

insert into templates (template, name, template_kind_id)
values ($1::text, $2::text, $3::bigint)
returning *;

delete from template_locations
where template_id = $1 and not location_id = any ($2::bigint[]);

insert into template_locations (template_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from template_organizations
where template_id = $1 and not organization_id = any ($2::bigint[]);

insert into template_organizations (template_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from template_organizations l where l.template_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from template_locations l where l.template_id = $13::bigint) places
  )
select id
from written;

select
  t.template as template, t.locked as locked, t.snippet as snippet, t.description as description,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from template_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.template_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_locations l join locations x on x.id = l.location_id
      where l.template_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_organizations l join organizations x on x.id = l.organization_id
      where l.template_id = t.id
    ),
    '[]'
  ) as organizations
from templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/provisioning_templates/:id: 1 statement

select
  t.template as template, t.locked as locked, t.snippet as snippet, t.description as description,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from template_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.template_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_locations l join locations x on x.id = l.location_id
      where l.template_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_organizations l join organizations x on x.id = l.organization_id
      where l.template_id = t.id
    ),
    '[]'
  ) as organizations
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/provisioning_templates/:id: 8 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
where t.id = $1;

update templates
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from template_organizations l where l.template_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from template_locations l where l.template_id = $13::bigint) places
  )
select id
from written;

select
  t.template as template, t.locked as locked, t.snippet as snippet, t.description as description,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from template_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.template_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_locations l join locations x on x.id = l.location_id
      where l.template_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_organizations l join organizations x on x.id = l.organization_id
      where l.template_id = t.id
    ),
    '[]'
  ) as organizations
from templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/provisioning_templates/:id: 7 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
where t.id = $1;

select
  t.id as id, t.name as name, t.template as template, t.snippet as snippet, t.template_kind_id as template_kind_id,
  t.created_at as created_at, t.updated_at as updated_at, t.locked as locked, t.description as description
from templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select o.title
from os_default_templates d join operatingsystems o on o.id = d.operatingsystem_id
where d.provisioning_template_id = $1
order by o.title
limit 50;

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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from template_organizations l where l.template_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from template_locations l where l.template_id = $13::bigint) places
  )
select id
from written;

delete from templates
where id = $1;

-- list, as a limited user
-- GET /api/provisioning_templates: 3 statements

select
  t.snippet as snippet, t.description as description, t.created_at as created_at, t.updated_at as updated_at,
  t.id as id, t.name as name, t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from templates t
    where
      (
        (
          (
            (
              exists (
                select
                from template_organizations l
                where l.template_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from template_organizations l
          where l.template_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($6::bigint[]))
      )
    order by t.name asc, t.id
    limit $7
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from templates t
where
  (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($5::bigint[])));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/provisioning_templates: 4 statements

select
  t.snippet as snippet, t.description as description, t.created_at as created_at, t.updated_at as updated_at,
  t.id as id, t.name as name, t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from templates t
    where
      (
        (
          (
            (
              exists (
                select
                from template_organizations l
                where l.template_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (fold (t.name) like fold ($4))
          )
        )
      )
      and (
        exists (
          select
          from template_organizations l
          where l.template_id = t.id and l.organization_id = any ($5::bigint[])
        )
      )
      and (
        exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($6::bigint[]))
      )
      and (fold (t.name) like fold ($7))
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
from templates t
where
  (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($5::bigint[])));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from templates t
where
  (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($5::bigint[])))
  and (fold (t.name) like fold ($6));

-- create, as a limited user
-- POST /api/provisioning_templates: 11 statements

select 0 as place, t.id
from template_kinds t
where t.id = any ($1::bigint[]) and true
union all
select 1 as place, t.id
from locations t
where
  t.id = any ($2::bigint[])
  and (
    (
      (t.id = any ($3::bigint[]))
      or (
        exists (
          select
          from user_locations m
          where m.user_id = $4 and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  )
union all
select 2 as place, t.id
from organizations t
where
  t.id = any ($5::bigint[])
  and (
    (
      (t.id = any ($6::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $7 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  );

insert into templates (template, name, template_kind_id)
values ($1::text, $2::text, $3::bigint)
returning *;

delete from template_locations
where template_id = $1 and not location_id = any ($2::bigint[]);

insert into template_locations (template_id, location_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

delete from template_organizations
where template_id = $1 and not organization_id = any ($2::bigint[]);

insert into template_organizations (template_id, organization_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from template_organizations l where l.template_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from template_locations l where l.template_id = $13::bigint) places
  )
select id
from written;

select t.id
from templates t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($5::bigint[])));

select
  t.template as template, t.locked as locked, t.snippet as snippet, t.description as description,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from template_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.template_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_locations l join locations x on x.id = l.location_id
      where l.template_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_organizations l join organizations x on x.id = l.organization_id
      where l.template_id = t.id
    ),
    '[]'
  ) as organizations
from templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/provisioning_templates/:id: 1 statement

select
  t.template as template, t.locked as locked, t.snippet as snippet, t.description as description,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from template_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.template_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_locations l join locations x on x.id = l.location_id
      where l.template_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_organizations l join organizations x on x.id = l.organization_id
      where l.template_id = t.id
    ),
    '[]'
  ) as organizations
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/provisioning_templates/:id: 9 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
where t.id = $1;

update templates
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from template_organizations l where l.template_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from template_locations l where l.template_id = $13::bigint) places
  )
select id
from written;

select t.id
from templates t
where
  t.id = $1
  and (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (fold (t.name) like fold ($3))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($4::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($5::bigint[])));

select
  t.template as template, t.locked as locked, t.snippet as snippet, t.description as description,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, t.name as name,
  t.template_kind_id as template_kind_id,
  (select n.name from template_kinds n where n.id = t.template_kind_id) as template_kind_name,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'hostgroup_id', x.hostgroup_id, 'hostgroup_name',
            (select n.title from hostgroups n where n.id = x.hostgroup_id),
            'environment_id', x.environment_id, 'environment_name',
            (select n.name from environments n where n.id = x.environment_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from template_combinations x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as template_combinations,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name, 'title', x.title) order by x.title, x.id)
      from template_operatingsystems l join operatingsystems x on x.id = l.operatingsystem_id
      where l.template_id = t.id
    ),
    '[]'
  ) as operatingsystems,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.provisioning_template_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_locations l join locations x on x.id = l.location_id
      where l.template_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from template_organizations l join organizations x on x.id = l.organization_id
      where l.template_id = t.id
    ),
    '[]'
  ) as organizations
from templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/provisioning_templates/:id: 7 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    (
      (
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($3::bigint[])
          )
        )
        and (fold (t.name) like fold ($4))
      )
    )
  )
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($5::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($6::bigint[])))
order by (t.name = $7::text) desc
limit 1;

select t.*
from templates t
where t.id = $1
for no key update of t;

select
  array(
    select l.operatingsystem_id
    from template_operatingsystems l
    where l.template_id = t.id
    order by 1
  ) as operatingsystems,
  array(select l.location_id from template_locations l where l.template_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from template_organizations l
    where l.template_id = t.id
    order by 1
  ) as organizations
from templates t
where t.id = $1;

select
  t.id as id, t.name as name, t.template as template, t.snippet as snippet, t.template_kind_id as template_kind_id,
  t.created_at as created_at, t.updated_at as updated_at, t.locked as locked, t.description as description
from templates t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select o.title
from os_default_templates d join operatingsystems o on o.id = d.operatingsystem_id
where d.provisioning_template_id = $1
order by o.title
limit 50;

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
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (select l.organization_id as id from template_organizations l where l.template_id = $12::bigint) places
  ),
  into_locations as (
    insert into audit_locations (audit_id, location_id)
    select written.id, places.id
    from written, (select l.location_id as id from template_locations l where l.template_id = $13::bigint) places
  )
select id
from written;

delete from templates
where id = $1;
