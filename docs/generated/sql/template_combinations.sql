-- list, as an administrator
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 4 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from template_combinations t
    where (t.provisioning_template_id = $3)
    order by t.id asc, t.id
    limit $4
  ) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from template_combinations t
where (t.provisioning_template_id = $2);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 5 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from template_combinations t
    where (t.provisioning_template_id = $3) and (t.id > $4::bigint)
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
from template_combinations t
where (t.provisioning_template_id = $2);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from template_combinations t
where (t.provisioning_template_id = $2) and (t.id > $3::bigint);

-- create, as an administrator
-- POST /api/provisioning_templates/:provisioning_template_id/template_combinations: 5 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select 0 as place, t.id
from templates t
where t.id = any ($1::bigint[]) and true;

insert into template_combinations (provisioning_template_id)
values ($1::bigint)
returning *;

select t.*
from template_combinations t
where t.id = $1
for no key update of t;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from template_combinations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/template_combinations/:id: 2 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from template_combinations t
where (t.id = $1::bigint) and (t.provisioning_template_id = $2)
order by t.id
limit 1;

-- update, as an administrator
-- PUT /api/provisioning_templates/:provisioning_template_id/template_combinations/:id: 4 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from template_combinations t
where (t.id = $1::bigint) and (t.provisioning_template_id = $2)
order by t.id
limit 1;

select t.*
from template_combinations t
where t.id = $1
for no key update of t;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from template_combinations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/template_combinations/:id: 5 statements

select t.id as id
from templates t
where (t.id = $1::bigint or t.name = $2::text) and true
order by (t.name = $3::text) desc
limit 1;

select t.id as id
from template_combinations t
where (t.id = $1::bigint) and (t.provisioning_template_id = $2)
order by t.id
limit 1;

select t.*
from template_combinations t
where t.id = $1
for no key update of t;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id, t.hostgroup_id as hostgroup_id,
  t.environment_id as environment_id, t.created_at as created_at, t.updated_at as updated_at
from template_combinations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

delete from template_combinations
where id = $1;

-- list, as a limited user
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 4 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($3::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($4::bigint[])))
order by (t.name = $5::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from template_combinations t
    where
      (
        t.provisioning_template_id in (
          select t.id
          from templates t
          where
            (
              exists (
                select
                from template_organizations l
                where l.template_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (
              exists (
                select
                from template_locations l
                where l.template_id = t.id and l.location_id = any ($4::bigint[])
              )
            )
        )
      )
      and (t.provisioning_template_id = $5)
    order by t.id asc, t.id
    limit $6
  ) t
order by t.id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from template_combinations t
where
  (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  )
  and (t.provisioning_template_id = $4);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 5 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($3::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($4::bigint[])))
order by (t.name = $5::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from template_combinations t
    where
      (
        t.provisioning_template_id in (
          select t.id
          from templates t
          where
            (
              exists (
                select
                from template_organizations l
                where l.template_id = t.id and l.organization_id = any ($3::bigint[])
              )
            )
            and (
              exists (
                select
                from template_locations l
                where l.template_id = t.id and l.location_id = any ($4::bigint[])
              )
            )
        )
      )
      and (t.provisioning_template_id = $5)
      and (t.id > $6::bigint)
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from template_combinations t
where
  (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  )
  and (t.provisioning_template_id = $4);

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from template_combinations t
where
  (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  )
  and (t.provisioning_template_id = $4)
  and (t.id > $5::bigint);

-- create, as a limited user
-- POST /api/provisioning_templates/:provisioning_template_id/template_combinations: 6 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($3::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($4::bigint[])))
order by (t.name = $5::text) desc
limit 1;

select 0 as place, t.id
from templates t
where
  t.id = any ($1::bigint[])
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($2::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($3::bigint[])));

insert into template_combinations (provisioning_template_id)
values ($1::bigint)
returning *;

select t.*
from template_combinations t
where t.id = $1
for no key update of t;

select t.id
from template_combinations t
where
  t.id = $1
  and (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  );

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from template_combinations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/template_combinations/:id: 2 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($3::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($4::bigint[])))
order by (t.name = $5::text) desc
limit 1;

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from template_combinations t
where
  (t.id = $1::bigint)
  and (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  )
  and (t.provisioning_template_id = $4)
order by t.id
limit 1;

-- update, as a limited user
-- PUT /api/provisioning_templates/:provisioning_template_id/template_combinations/:id: 5 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($3::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($4::bigint[])))
order by (t.name = $5::text) desc
limit 1;

select t.id as id
from template_combinations t
where
  (t.id = $1::bigint)
  and (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  )
  and (t.provisioning_template_id = $4)
order by t.id
limit 1;

select t.*
from template_combinations t
where t.id = $1
for no key update of t;

select t.id
from template_combinations t
where
  t.id = $1
  and (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  );

select
  t.created_at as created_at, t.updated_at as updated_at, t.id as id,
  t.provisioning_template_id as provisioning_template_id,
  (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
  t.hostgroup_id as hostgroup_id,
  (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
  t.environment_id as environment_id,
  (select n.name from environments n where n.id = t.environment_id) as environment_name,
  t.provisioning_template_id as config_template_id,
  (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
from template_combinations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/template_combinations/:id: 5 statements

select t.id as id
from templates t
where
  (t.id = $1::bigint or t.name = $2::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($3::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($4::bigint[])))
order by (t.name = $5::text) desc
limit 1;

select t.id as id
from template_combinations t
where
  (t.id = $1::bigint)
  and (
    t.provisioning_template_id in (
      select t.id
      from templates t
      where
        (
          exists (
            select
            from template_organizations l
            where l.template_id = t.id and l.organization_id = any ($2::bigint[])
          )
        )
        and (
          exists (
            select
            from template_locations l
            where l.template_id = t.id and l.location_id = any ($3::bigint[])
          )
        )
    )
  )
  and (t.provisioning_template_id = $4)
order by t.id
limit 1;

select t.*
from template_combinations t
where t.id = $1
for no key update of t;

select
  t.id as id, t.provisioning_template_id as provisioning_template_id, t.hostgroup_id as hostgroup_id,
  t.environment_id as environment_id, t.created_at as created_at, t.updated_at as updated_at
from template_combinations t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

delete from template_combinations
where id = $1;
