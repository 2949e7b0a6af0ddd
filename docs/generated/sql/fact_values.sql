-- list, as an administrator
-- GET /api/fact_values: 2 statements

select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from fact_values t
where true
order by t.host_id asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/fact_values: 3 statements

select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from fact_values t where (t.id > $3::bigint) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from fact_values t
where (t.id > $2::bigint);

-- list, as a limited user
-- GET /api/fact_values: 3 statements

select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from fact_values t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
        )
      )
    order by t.host_id asc, t.id
    limit $5
  ) t
order by t.host_id asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from fact_values t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($2::bigint[])) and (t.location_id = any ($3::bigint[]))
    )
  );

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/fact_values: 4 statements

select
  (select n.name from hosts n where n.id = t.host_id) as host_name,
  (select x.name from fact_names x where x.id = t.fact_name_id) as name,
  t.value as value,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from fact_values t
    where
      (
        t.host_id in (
          select t.id
          from hosts t
          where (t.organization_id = any ($3::bigint[])) and (t.location_id = any ($4::bigint[]))
        )
      )
      and (t.id > $5::bigint)
    order by t.id desc, t.id
    limit $6
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from fact_values t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($2::bigint[])) and (t.location_id = any ($3::bigint[]))
    )
  );

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from fact_values t
where
  (
    t.host_id in (
      select t.id
      from hosts t
      where (t.organization_id = any ($2::bigint[])) and (t.location_id = any ($3::bigint[]))
    )
  )
  and (t.id > $4::bigint);
