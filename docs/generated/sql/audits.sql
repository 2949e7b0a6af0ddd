-- list, as an administrator
-- GET /api/audits: 2 statements

select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name, t.version as version, t.comment as comment,
  t.associated_id as associated_id, t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action, t.audited_changes as audited_changes,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from audit_locations l join locations x on x.id = l.location_id
      where l.audit_id = t.id
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
      from audit_organizations l join organizations x on x.id = l.organization_id
      where l.audit_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from audits t where ((true and true)) order by t.created_at desc, t.id limit $3) t
order by t.created_at desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from audits t
where ((true and true));

-- list with search=action = create and order=id DESC, as an administrator
-- GET /api/audits: 3 statements

select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name, t.version as version, t.comment as comment,
  t.associated_id as associated_id, t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action, t.audited_changes as audited_changes,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from audit_locations l join locations x on x.id = l.location_id
      where l.audit_id = t.id
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
      from audit_organizations l join organizations x on x.id = l.organization_id
      where l.audit_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from audits t where ((true and true)) and (t.action = $3) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from audits t
where ((true and true));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from audits t
where ((true and true)) and (t.action = $2);

-- show, as an administrator
-- GET /api/audits/:id: 1 statement

select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name, t.version as version, t.comment as comment,
  t.associated_id as associated_id, t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action, t.audited_changes as audited_changes,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from audit_locations l join locations x on x.id = l.location_id
      where l.audit_id = t.id
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
      from audit_organizations l join organizations x on x.id = l.organization_id
      where l.audit_id = t.id
    ),
    '[]'
  ) as organizations
from audits t
where (t.id = $1::bigint) and ((true and true))
order by t.id
limit 1;

-- list, as a limited user
-- GET /api/audits: 2 statements

select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name, t.version as version, t.comment as comment,
  t.associated_id as associated_id, t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action, t.audited_changes as audited_changes,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from audit_locations l join locations x on x.id = l.location_id
      where l.audit_id = t.id
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
      from audit_organizations l join organizations x on x.id = l.organization_id
      where l.audit_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from audits t
    where
      (
        (
          (
            (
              not exists (
                select
                from audit_organizations l join organizations x on x.id = l.organization_id
                where l.audit_id = t.id
              )
            )
            or (
              exists (
                select
                from audit_organizations l join organizations x on x.id = l.organization_id
                where
                  l.audit_id = t.id
                  and (
                    x.id = any ($3::bigint[])
                    or x.ancestor_ids && $4::bigint[]
                    or exists (
                      select
                      from organizations y
                      where y.id = any ($5::bigint[]) and x.id = any (y.ancestor_ids)
                    )
                  )
              )
            )
          )
          and (
            (
              not exists (
                select
                from audit_locations l join locations x on x.id = l.location_id
                where l.audit_id = t.id
              )
            )
            or (
              exists (
                select
                from audit_locations l join locations x on x.id = l.location_id
                where
                  l.audit_id = t.id
                  and (
                    x.id = any ($6::bigint[])
                    or x.ancestor_ids && $7::bigint[]
                    or exists (
                      select
                      from locations y
                      where y.id = any ($8::bigint[]) and x.id = any (y.ancestor_ids)
                    )
                  )
              )
            )
          )
        )
      )
      and ((((t.action = $9))))
    order by t.created_at desc, t.id
    limit $10
  ) t
order by t.created_at desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from audits t
where
  (
    (
      (
        (
          not exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($2::bigint[])
                or x.ancestor_ids && $3::bigint[]
                or exists (
                  select
                  from organizations y
                  where y.id = any ($4::bigint[]) and x.id = any (y.ancestor_ids)
                )
              )
          )
        )
      )
      and (
        (
          not exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($5::bigint[])
                or x.ancestor_ids && $6::bigint[]
                or exists (select from locations y where y.id = any ($7::bigint[]) and x.id = any (y.ancestor_ids))
              )
          )
        )
      )
    )
  )
  and ((((t.action = $8))));

-- list with search=action = create and order=id DESC, as a limited user
-- GET /api/audits: 3 statements

select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name, t.version as version, t.comment as comment,
  t.associated_id as associated_id, t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action, t.audited_changes as audited_changes,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from audit_locations l join locations x on x.id = l.location_id
      where l.audit_id = t.id
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
      from audit_organizations l join organizations x on x.id = l.organization_id
      where l.audit_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from audits t
    where
      (
        (
          (
            (
              not exists (
                select
                from audit_organizations l join organizations x on x.id = l.organization_id
                where l.audit_id = t.id
              )
            )
            or (
              exists (
                select
                from audit_organizations l join organizations x on x.id = l.organization_id
                where
                  l.audit_id = t.id
                  and (
                    x.id = any ($3::bigint[])
                    or x.ancestor_ids && $4::bigint[]
                    or exists (
                      select
                      from organizations y
                      where y.id = any ($5::bigint[]) and x.id = any (y.ancestor_ids)
                    )
                  )
              )
            )
          )
          and (
            (
              not exists (
                select
                from audit_locations l join locations x on x.id = l.location_id
                where l.audit_id = t.id
              )
            )
            or (
              exists (
                select
                from audit_locations l join locations x on x.id = l.location_id
                where
                  l.audit_id = t.id
                  and (
                    x.id = any ($6::bigint[])
                    or x.ancestor_ids && $7::bigint[]
                    or exists (
                      select
                      from locations y
                      where y.id = any ($8::bigint[]) and x.id = any (y.ancestor_ids)
                    )
                  )
              )
            )
          )
        )
      )
      and ((((t.action = $9))))
      and (t.action = $10)
    order by t.id desc, t.id
    limit $11
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from audits t
where
  (
    (
      (
        (
          not exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($2::bigint[])
                or x.ancestor_ids && $3::bigint[]
                or exists (
                  select
                  from organizations y
                  where y.id = any ($4::bigint[]) and x.id = any (y.ancestor_ids)
                )
              )
          )
        )
      )
      and (
        (
          not exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($5::bigint[])
                or x.ancestor_ids && $6::bigint[]
                or exists (select from locations y where y.id = any ($7::bigint[]) and x.id = any (y.ancestor_ids))
              )
          )
        )
      )
    )
  )
  and ((((t.action = $8))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from audits t
where
  (
    (
      (
        (
          not exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($2::bigint[])
                or x.ancestor_ids && $3::bigint[]
                or exists (
                  select
                  from organizations y
                  where y.id = any ($4::bigint[]) and x.id = any (y.ancestor_ids)
                )
              )
          )
        )
      )
      and (
        (
          not exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($5::bigint[])
                or x.ancestor_ids && $6::bigint[]
                or exists (select from locations y where y.id = any ($7::bigint[]) and x.id = any (y.ancestor_ids))
              )
          )
        )
      )
    )
  )
  and ((((t.action = $8))))
  and (t.action = $9);

-- show, as a limited user
-- GET /api/audits/:id: 1 statement

select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name, t.version as version, t.comment as comment,
  t.associated_id as associated_id, t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action, t.audited_changes as audited_changes,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from audit_locations l join locations x on x.id = l.location_id
      where l.audit_id = t.id
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
      from audit_organizations l join organizations x on x.id = l.organization_id
      where l.audit_id = t.id
    ),
    '[]'
  ) as organizations
from audits t
where
  (t.id = $1::bigint)
  and (
    (
      (
        (
          not exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_organizations l join organizations x on x.id = l.organization_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($2::bigint[])
                or x.ancestor_ids && $3::bigint[]
                or exists (
                  select
                  from organizations y
                  where y.id = any ($4::bigint[]) and x.id = any (y.ancestor_ids)
                )
              )
          )
        )
      )
      and (
        (
          not exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where l.audit_id = t.id
          )
        )
        or (
          exists (
            select
            from audit_locations l join locations x on x.id = l.location_id
            where
              l.audit_id = t.id
              and (
                x.id = any ($5::bigint[])
                or x.ancestor_ids && $6::bigint[]
                or exists (select from locations y where y.id = any ($7::bigint[]) and x.id = any (y.ancestor_ids))
              )
          )
        )
      )
    )
  )
  and ((((t.action = $8))))
order by t.id
limit 1;
