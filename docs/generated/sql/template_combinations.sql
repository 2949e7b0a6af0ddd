-- list, as an administrator
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 4 statements
-- list.1
select t.id as id
from templates t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;
-- list.2
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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from template_combinations t
    where (t.provisioning_template_id = $)
    order by t.id asc, t.id
    limit $
  ) t
order by t.id asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from template_combinations t
where (t.provisioning_template_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 5 statements
-- search.1 is list.1
-- search.2 is list.2, but
      from template_combinations t
-     where (t.provisioning_template_id = $)
-     order by t.id asc, t.id
+     where (t.provisioning_template_id = $) and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by t.id asc, t.id;
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
  from template_combinations t
- where (t.provisioning_template_id = $);
+ where (t.provisioning_template_id = $) and (t.id > $::bigint);

-- create, as an administrator
-- POST /api/provisioning_templates/:provisioning_template_id/template_combinations: 5 statements
-- create.1 is list.1
-- create.2
select 0 as place, t.id
from templates t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.3
insert into template_combinations as t (provisioning_template_id)
values ($::bigint)
returning t.*;
-- create.4
select t.*
from template_combinations t
where t.id = $;
-- create.5
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
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/template_combinations/:id: 2 statements
-- show.1 is list.1
-- show.2 is create.5, but
  from template_combinations t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.provisioning_template_id = $)

-- update, as an administrator
-- PUT /api/provisioning_templates/:provisioning_template_id/template_combinations/:id: 3 statements
-- update.1 is list.1
-- update.2
select t.*
from template_combinations t
where (t.id = $::bigint) and (t.provisioning_template_id = $)
order by t.id
limit 1
for no key update of t;
-- update.3 is create.5

-- delete, as an administrator
-- DELETE /api/template_combinations/:id: 4 statements
-- delete.1 is list.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.provisioning_template_id as provisioning_template_id, t.hostgroup_id as hostgroup_id,
  t.environment_id as environment_id, t.created_at as created_at, t.updated_at as updated_at
from template_combinations t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4
delete from template_combinations
where id = $;

-- list, as a limited user
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 4 statements
-- limited list.1
select t.id as id
from templates t
where
  (t.id = $::bigint or t.name = $::text)
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($::bigint[])))
order by (t.name = $::text) desc
limit 1;
-- limited list.2
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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
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
                where l.template_id = t.id and l.organization_id = any ($::bigint[])
              )
            )
            and (
              exists (
                select
                from template_locations l
                where l.template_id = t.id and l.location_id = any ($::bigint[])
              )
            )
        )
      )
      and (
        (
          t.hostgroup_id is null
          or t.hostgroup_id in (
            select t.id
            from hostgroups t
            where
              (
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
        )
      )
      and (
        (
          t.environment_id is null
          or t.environment_id in (
            select t.id
            from environments t
            where
              (
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
        )
      )
      and (t.provisioning_template_id = $)
    order by t.id asc, t.id
    limit $
  ) t
order by t.id asc, t.id;
-- limited list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.4 is limited list.2, but
  select
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id,
-   t.provisioning_template_id as provisioning_template_id,
-   (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
-   t.hostgroup_id as hostgroup_id,
-   (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
-   t.environment_id as environment_id,
-   (select n.name from environments n where n.id = t.environment_id) as environment_name,
-   t.provisioning_template_id as config_template_id,
-   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    )
-       and (t.provisioning_template_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   and (t.provisioning_template_id = $);

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/provisioning_templates/:provisioning_template_id/template_combinations: 5 statements
-- limited search.1 is limited list.1
-- limited search.2 is limited list.2, but
        and (t.provisioning_template_id = $)
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
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id,
-   t.provisioning_template_id as provisioning_template_id,
-   (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
-   t.hostgroup_id as hostgroup_id,
-   (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
-   t.environment_id as environment_id,
-   (select n.name from environments n where n.id = t.environment_id) as environment_name,
-   t.provisioning_template_id as config_template_id,
-   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   count(*) as count,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
    and (t.provisioning_template_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/provisioning_templates/:provisioning_template_id/template_combinations: 6 statements
-- limited create.1 is limited list.1
-- limited create.2
select 0 as place, t.id
from templates t
where
  t.id = any ((select $::bigint[])::bigint[])
  and (
    exists (
      select
      from template_organizations l
      where l.template_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (exists (select from template_locations l where l.template_id = t.id and l.location_id = any ($::bigint[])));
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is limited list.2, but
  select
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id,
-   t.provisioning_template_id as provisioning_template_id,
-   (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
-   t.hostgroup_id as hostgroup_id,
-   (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
-   t.environment_id as environment_id,
-   (select n.name from environments n where n.id = t.environment_id) as environment_name,
-   t.provisioning_template_id as config_template_id,
-   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   exists (
+     select
      where
-       (
+       t.id = $
+       and (
        )
-       and (t.provisioning_template_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+   ) as held;
-- limited create.6 is create.5

-- show, as a limited user
-- GET /api/template_combinations/:id: 2 statements
-- limited show.1 is limited list.1
-- limited show.2 is limited list.2, but
    t.provisioning_template_id as config_template_id,
-   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name
  where
-       (
+   (t.id = $::bigint)
+   and (
    and (t.provisioning_template_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by t.id
+ limit 1;

-- update, as a limited user
-- PUT /api/provisioning_templates/:provisioning_template_id/template_combinations/:id: 4 statements
-- limited update.1 is limited list.1
-- limited update.2 is limited list.2, but
- select
-   t.created_at as created_at, t.updated_at as updated_at, t.id as id,
-   t.provisioning_template_id as provisioning_template_id,
-   (select n.name from templates n where n.id = t.provisioning_template_id) as provisioning_template_name,
-   t.hostgroup_id as hostgroup_id,
-   (select n.title from hostgroups n where n.id = t.hostgroup_id) as hostgroup_name,
-   t.environment_id as environment_id,
-   (select n.name from environments n where n.id = t.environment_id) as environment_name,
-   t.provisioning_template_id as config_template_id,
-   (select y.name from templates y where y.id = t.provisioning_template_id) as config_template_name,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
  where
-       (
+   (t.id = $::bigint)
+   and (
    and (t.provisioning_template_id = $)
-     order by t.id asc, t.id
-     limit $
-   ) t
- order by t.id asc, t.id;
+ order by t.id
+ limit 1
+ for no key update of t;
-- limited update.3 is limited create.5
-- limited update.4 is create.5

-- delete, as a limited user
-- DELETE /api/template_combinations/:id: 4 statements
-- limited delete.1 is limited list.1
-- limited delete.2 is limited update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
