-- list, as an administrator
-- GET /api/fact_values: 2 statements
-- list.1
select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from fact_values t
where true
order by t.host_id asc, t.id
limit 20;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/fact_values: 3 statements
-- search.1
select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from fact_values t where (t.id > $::bigint) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from fact_values t
where (t.id > $::bigint);

-- list, as a limited user
-- GET /api/fact_values: 3 statements
-- limited list.1
select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from fact_values t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where
            (t.organization_id = any ($::bigint[]))
            and (t.location_id = any ($::bigint[]))
            and (t.organization_id = any ($::bigint[]))
            and (t.location_id = any ($::bigint[]))
        )
      )
    order by t.host_id asc, t.id
    limit $
  ) t
order by t.host_id asc, t.id;
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from fact_values t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where
        (t.organization_id = any ($::bigint[]))
        and (t.location_id = any ($::bigint[]))
        and (t.organization_id = any ($::bigint[]))
        and (t.location_id = any ($::bigint[]))
    )
  );

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/fact_values: 4 statements
-- limited search.1 is limited list.1, but
        )
-     order by t.host_id asc, t.id
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by t.host_id asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.3, but
      )
-   );
+   )
+   and (t.id > $::bigint);
