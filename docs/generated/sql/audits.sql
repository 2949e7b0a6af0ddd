-- list, as an administrator
-- GET /api/audits: 1 statement
-- list.1
select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name,
  coalesce(t.user_login, (select u.login from users u where u.id = t.user_id)) as user_login,
  t.version as version, t.comment as comment, t.associated_id as associated_id,
  t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action,
  in_order (t.audited_changes, (select k.ordered from audits_order k where k.id = t.id)) as audited_changes,
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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from audits t
where true
order by t.created_at desc, t.id
limit 20;

-- list with search=action = create and order=id DESC, as an administrator
-- GET /api/audits: 5 statements
-- search.1
select
  set_config(
    'statement_timeout',
    least(
      $::integer,
      nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0)
    )::integer::text,
    true
  );
-- search.2 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from audits t
- where true
- order by t.created_at desc, t.id
- limit 20;
+ from (select t.* from audits t where (t.action = $) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.3 is search.1
-- search.4
select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as others,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as rows,
  (select position from event_positions where step = 'numbered') as position,
  (select count(audit_id) from event_queue) as queued,
  (select count(*) from event_queue q join audits t on t.id = q.audit_id where (t.action = $)) as "queuedMatching";
-- search.5
select count(*) as count
from audits t
where true and (t.action = $);

-- show, as an administrator
-- GET /api/audits/:id: 1 statement
-- show.1 is list.1, but
      '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   ) as organizations
  from audits t
- where true
- order by t.created_at desc, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- list, as a limited user
-- GET /api/audits: 5 statements
-- limited list.1
select
  t.user_id as user_id, 'User' as user_type, t.user_name as user_name,
  coalesce(t.user_login, (select u.login from users u where u.id = t.user_id)) as user_login,
  t.version as version, t.comment as comment, t.associated_id as associated_id,
  t.associated_type as associated_type, host(t.remote_address) as remote_address,
  t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
  t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
  t.auditable_type as auditable_type, t.action as action,
  in_order (t.audited_changes, (select k.ordered from audits_order k where k.id = t.id)) as audited_changes,
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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from audits t
    where
      (
        coalesce(
          (
            select
              bool_or(
                l.organization_id = any (
                  array(
                    select x.id
                    from organizations x
                    where
                      x.id = any ($::bigint[])
                      or x.ancestor_ids && $::bigint[]
                      or x.id in (
                        select unnest(y.ancestor_ids)
                        from organizations y
                        where y.id = any ($::bigint[])
                      )
                  )
                )
              )
            from audit_organizations l
            where l.audit_id = t.id
          ),
          true
        )
      )
      and (
        coalesce(
          (
            select
              bool_or(
                l.location_id = any (
                  array(
                    select x.id
                    from locations x
                    where
                      x.id = any ($::bigint[])
                      or x.ancestor_ids && $::bigint[]
                      or x.id in (select unnest(y.ancestor_ids) from locations y where y.id = any ($::bigint[]))
                  )
                )
              )
            from audit_locations l
            where l.audit_id = t.id
          ),
          true
        )
      )
      and (
        case
          when t.auditable_type = 'OverrideValue' then coalesce(
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
                          and t.created_at <= t.created_at
                      )
                      when e.attribute in ('certname') then exists (
                        select
                        from hosts t
                        where
                          coalesce(t.certname, t.name) = e.value
                          and (t.organization_id = any ($::bigint[]))
                          and (t.location_id = any ($::bigint[]))
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
                      )
                      else true
                    end
                  )
                )
              from
                (
                  select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
                  from unnest(string_to_array(t.auditable_name, ',')) as p (part)
                ) e
            ),
            false
          )
          and coalesce(
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
                          and t.created_at <= t.created_at
                      )
                      when e.attribute in ('certname') then exists (
                        select
                        from hosts t
                        where
                          coalesce(t.certname, t.name) = e.value
                          and (t.organization_id = any ($::bigint[]))
                          and (t.location_id = any ($::bigint[]))
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
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
                          and t.created_at <= t.created_at
                      )
                      else true
                    end
                  )
                )
              from
                (
                  select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
                  from
                    unnest(
                      string_to_array(
                        case
                          when jsonb_typeof((t.audited_changes -> 'match')) = 'array' then (t.audited_changes -> 'match') ->> 0
                          else t.auditable_name
                        end, ','
                      )
                    ) as p (part)
                ) e
            ),
            false
          )
          and not exists (
            select
            from override_values o
            where
              o.id = t.auditable_id
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
                                        and m.organization_id in (
                                          select t.id
                                          union all
                                          select unnest(t.ancestor_ids)
                                        )
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
                      select
                        split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
                      from unnest(string_to_array(o.match, ',')) as p (part)
                    ) e
                ),
                false
              )
          )
          else true
        end
      )
      and (
        (
          (t.auditable_type <> all ($::text[]))
          or ((select count(*) from audit_organizations l where l.audit_id = t.id) > 0)
          or ((select count(*) from audit_locations l where l.audit_id = t.id) > 0)
          or (
            (
              t.auditable_type = $
              and coalesce(
                (select (x.compute_resource_id is null) from compute_attributes x where x.id = t.auditable_id),
                false
              )
            )
          )
          or (
            (
              t.auditable_type = $
              and coalesce(
                (
                  select (x.provisioning_template_id is null)
                  from os_default_templates x
                  where x.id = t.auditable_id
                ),
                false
              )
            )
          )
          or (
            (
              t.auditable_type = $
              and coalesce(
                (select (x.compute_resource_id is null) from images x where x.id = t.auditable_id),
                false
              )
            )
          )
        )
      )
      and ((((t.action = $))))
    order by t.created_at desc, t.id
    limit $
  ) t
order by t.created_at desc, t.id;
-- limited list.2 is search.1
-- limited list.3 is limited list.1, but
  select
-   t.user_id as user_id, 'User' as user_type, t.user_name as user_name,
-   coalesce(t.user_login, (select u.login from users u where u.id = t.user_id)) as user_login,
-   t.version as version, t.comment as comment, t.associated_id as associated_id,
-   t.associated_type as associated_type, host(t.remote_address) as remote_address,
-   t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
-   t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
-   t.auditable_type as auditable_type, t.action as action,
-   in_order (t.audited_changes, (select k.ordered from audits_order k where k.id = t.id)) as audited_changes,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_locations l join locations x on x.id = l.location_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as locations,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_organizations l join organizations x on x.id = l.organization_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as others,
+   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as rows,
+   (select position from event_positions where step = 'numbered') as position,
+   (select count(audit_id) from event_queue) as queued,
    (
-     select t.*
-     from audits t
+     select count(*)
+     from event_queue q join audits t on t.id = q.audit_id
        and ((((t.action = $))))
-     order by t.created_at desc, t.id
-     limit $
-   ) t
- order by t.created_at desc, t.id;
+   ) as "queuedMatching";
-- limited list.4 is limited list.1, but
- select
-   t.user_id as user_id, 'User' as user_type, t.user_name as user_name,
-   coalesce(t.user_login, (select u.login from users u where u.id = t.user_id)) as user_login,
-   t.version as version, t.comment as comment, t.associated_id as associated_id,
-   t.associated_type as associated_type, host(t.remote_address) as remote_address,
-   t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
-   t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
-   t.auditable_type as auditable_type, t.action as action,
-   in_order (t.audited_changes, (select k.ordered from audits_order k where k.id = t.id)) as audited_changes,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_locations l join locations x on x.id = l.location_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as locations,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_organizations l join organizations x on x.id = l.organization_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+ select count(*) as count
  where
-       (
+   true
+   and (
                    or x.ancestor_ids && $::bigint[]
-                       or x.id in (
-                         select unnest(y.ancestor_ids)
-                         from organizations y
-                         where y.id = any ($::bigint[])
-                       )
+                   or x.id in (select unnest(y.ancestor_ids) from organizations y where y.id = any ($::bigint[]))
                                      m.user_id = $
-                                         and m.organization_id in (
-                                           select t.id
-                                           union all
-                                           select unnest(t.ancestor_ids)
-                                         )
+                                     and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
                  (
-                       select
-                         split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
+                   select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
            and coalesce(
-                 (
-                   select (x.provisioning_template_id is null)
-                   from os_default_templates x
-                   where x.id = t.auditable_id
-                 ),
+             (select (x.provisioning_template_id is null) from os_default_templates x where x.id = t.auditable_id),
            t.auditable_type = $
-               and coalesce(
-                 (select (x.compute_resource_id is null) from images x where x.id = t.auditable_id),
-                 false
-               )
+           and coalesce((select (x.compute_resource_id is null) from images x where x.id = t.auditable_id), false)
    )
-       and ((((t.action = $))))
-     order by t.created_at desc, t.id
-     limit $
-   ) t
- order by t.created_at desc, t.id;
+   and ((((t.action = $))));
-- limited list.5
select t.id
from audits t
where
  t.id = any ($::bigint[])
  and (
    (
      select
        case audit.auditable_type
          when $ then (
            (
              coalesce(
                (
                  select ((t.organization_id = any ($::bigint[]))) is true
                  from subscriptions t
                  where t.id = audit.auditable_id
                ),
                (
                  (
                    select count(*)
                    from audit_organizations l
                    where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                  ) > 0
                )
                and (((true)))
              )
            )
          )
          when $ then (
            (
              coalesce(
                (
                  select ((t.organization_id = any ($::bigint[]))) is true
                  from lifecycle_environments t
                  where t.id = audit.auditable_id
                ),
                (
                  (
                    select count(*)
                    from audit_organizations l
                    where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                  ) > 0
                )
                and (((true)))
              )
            )
          )
          when $ then (
            (
              coalesce(
                (
                  select ((t.organization_id = any ($::bigint[]))) is true
                  from content_views t
                  where t.id = audit.auditable_id
                ),
                (
                  (
                    select count(*)
                    from audit_organizations l
                    where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                  ) > 0
                )
                and (((true)))
              )
            )
          )
          when $ then (
            (
              coalesce(
                (
                  select
                    (
                      (
                        t.content_view_id in (
                          select t.id
                          from content_views t
                          where (t.organization_id = any ($::bigint[]))
                        )
                      )
                    ) is true
                  from content_view_filters t
                  where t.id = audit.auditable_id
                ),
                coalesce(
                  (
                    select ((t.organization_id = any ($::bigint[]))) is true
                    from content_views t
                    where
                      t.id = (
                        select (b.audited_changes -> 'content_view_id')::bigint
                        from audits b
                        where
                          b.auditable_type = $
                          and b.auditable_id = audit.auditable_id
                          and b.action <> 'update'
                          and jsonb_typeof(b.audited_changes -> 'content_view_id') = 'number'
                        limit 1
                      )
                  ),
                  (
                    (
                      select count(*)
                      from audit_organizations l
                      where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                    ) > 0
                  )
                  and (((true)))
                )
              )
            )
          )
          when $ then (
            (
              coalesce(
                (
                  select
                    (
                      (
                        t.content_view_filter_id in (
                          select t.id
                          from content_view_filters t
                          where
                            (
                              t.content_view_id in (
                                select t.id
                                from content_views t
                                where (t.organization_id = any ($::bigint[]))
                              )
                            )
                        )
                      )
                      and (
                        (
                          (
                            t.content_view_filter_id in (
                              select t.id
                              from content_view_filters t
                              where
                                (
                                  t.content_view_id in (
                                    select t.id
                                    from content_views t
                                    where (t.organization_id = any ($::bigint[]))
                                  )
                                )
                            )
                          )
                        )
                      )
                    ) is true
                  from content_view_filter_rules t
                  where t.id = audit.auditable_id
                ),
                coalesce(
                  (
                    select
                      (
                        (
                          t.content_view_id in (
                            select t.id
                            from content_views t
                            where (t.organization_id = any ($::bigint[]))
                          )
                        )
                      ) is true
                    from content_view_filters t
                    where
                      t.id = (
                        select (b.audited_changes -> 'content_view_filter_id')::bigint
                        from audits b
                        where
                          b.auditable_type = $
                          and b.auditable_id = audit.auditable_id
                          and b.action <> 'update'
                          and jsonb_typeof(b.audited_changes -> 'content_view_filter_id') = 'number'
                        limit 1
                      )
                  ),
                  coalesce(
                    (
                      select ((t.organization_id = any ($::bigint[]))) is true
                      from content_views t
                      where
                        t.id = (
                          select (b.audited_changes -> 'content_view_id')::bigint
                          from audits b
                          where
                            b.auditable_type = $
                            and b.auditable_id = (
                              select (b.audited_changes -> 'content_view_filter_id')::bigint
                              from audits b
                              where
                                b.auditable_type = $
                                and b.auditable_id = audit.auditable_id
                                and b.action <> 'update'
                                and jsonb_typeof(b.audited_changes -> 'content_view_filter_id') = 'number'
                              limit 1
                            )
                            and b.action <> 'update'
                            and jsonb_typeof(b.audited_changes -> 'content_view_id') = 'number'
                          limit 1
                        )
                    ),
                    (
                      (
                        select count(*)
                        from audit_organizations l
                        where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                      ) > 0
                    )
                    and (((true)))
                  )
                )
              )
            )
          )
          when $ then (
            (
              coalesce(
                (
                  select ((t.organization_id = any ($::bigint[]))) is true
                  from activation_keys t
                  where t.id = audit.auditable_id
                ),
                (
                  (
                    select count(*)
                    from audit_organizations l
                    where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                  ) > 0
                )
                and (((true)))
              )
            )
          )
          else audit.auditable_type = any ($::text[])
        end
      from (select t.id, t.auditable_type, t.auditable_id) audit
    )
  );

-- list with search=action = create and order=id DESC, as a limited user
-- GET /api/audits: 10 statements
-- limited search.1 is search.1
-- limited search.2 is limited list.1, but
        and ((((t.action = $))))
-     order by t.created_at desc, t.id
+       and (t.action = $)
+     order by t.id desc, t.id
    ) t
- order by t.created_at desc, t.id;
+ order by t.id desc, t.id;
-- limited search.3 is search.1
-- limited search.4 is limited list.3
-- limited search.5 is limited list.4
-- limited search.6 is search.1
-- limited search.7 is limited list.1, but
  select
-   t.user_id as user_id, 'User' as user_type, t.user_name as user_name,
-   coalesce(t.user_login, (select u.login from users u where u.id = t.user_id)) as user_login,
-   t.version as version, t.comment as comment, t.associated_id as associated_id,
-   t.associated_type as associated_type, host(t.remote_address) as remote_address,
-   t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
-   t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
-   t.auditable_type as auditable_type, t.action as action,
-   in_order (t.audited_changes, (select k.ordered from audits_order k where k.id = t.id)) as audited_changes,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_locations l join locations x on x.id = l.location_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as locations,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_organizations l join organizations x on x.id = l.organization_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version,
+   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as others,
+   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as rows,
+   (select position from event_positions where step = 'numbered') as position,
+   (select count(audit_id) from event_queue) as queued,
    (
-     select t.*
-     from audits t
+     select count(*)
+     from event_queue q join audits t on t.id = q.audit_id
        and ((((t.action = $))))
-     order by t.created_at desc, t.id
-     limit $
-   ) t
- order by t.created_at desc, t.id;
+       and (t.action = $)
+   ) as "queuedMatching";
-- limited search.8 is limited list.1, but
- select
-   t.user_id as user_id, 'User' as user_type, t.user_name as user_name,
-   coalesce(t.user_login, (select u.login from users u where u.id = t.user_id)) as user_login,
-   t.version as version, t.comment as comment, t.associated_id as associated_id,
-   t.associated_type as associated_type, host(t.remote_address) as remote_address,
-   t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
-   t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
-   t.auditable_type as auditable_type, t.action as action,
-   in_order (t.audited_changes, (select k.ordered from audits_order k where k.id = t.id)) as audited_changes,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_locations l join locations x on x.id = l.location_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as locations,
-   coalesce(
-     (
-       select
-         json_agg(
-           json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
-           order by x.title, x.id
-         )
-       from audit_organizations l join organizations x on x.id = l.organization_id
-       where l.audit_id = t.id
-     ),
-     '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+ select count(*) as count
  where
-       (
+   true
+   and (
                    or x.ancestor_ids && $::bigint[]
-                       or x.id in (
-                         select unnest(y.ancestor_ids)
-                         from organizations y
-                         where y.id = any ($::bigint[])
-                       )
+                   or x.id in (select unnest(y.ancestor_ids) from organizations y where y.id = any ($::bigint[]))
                                      m.user_id = $
-                                         and m.organization_id in (
-                                           select t.id
-                                           union all
-                                           select unnest(t.ancestor_ids)
-                                         )
+                                     and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
                  (
-                       select
-                         split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
+                   select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
            and coalesce(
-                 (
-                   select (x.provisioning_template_id is null)
-                   from os_default_templates x
-                   where x.id = t.auditable_id
-                 ),
+             (select (x.provisioning_template_id is null) from os_default_templates x where x.id = t.auditable_id),
            t.auditable_type = $
-               and coalesce(
-                 (select (x.compute_resource_id is null) from images x where x.id = t.auditable_id),
-                 false
-               )
+           and coalesce((select (x.compute_resource_id is null) from images x where x.id = t.auditable_id), false)
    and ((((t.action = $))))
-     order by t.created_at desc, t.id
-     limit $
-   ) t
- order by t.created_at desc, t.id;
+   and (t.action = $);
-- limited search.9 is search.1
-- limited search.10 is limited list.5

-- show, as a limited user
-- GET /api/audits/:id: 2 statements
-- limited show.1 is limited list.1, but
  select
+   shown.*,
+   array(
+     select t.id
+     from locations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.locations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_locations m
+               where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_0,
+   array(
+     select t.id
+     from organizations t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.organizations) entry))
+       and (
+         (
+           (t.id = any ($::bigint[]))
+           or (
+             exists (
+               select
+               from user_organizations m
+               where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
+             )
+           )
+         )
+       )
+   ) as _reachable_1
+ from
+   (
+     select
        t.associated_name as associated_name, t.created_at as created_at, t.created_at as updated_at,
-   t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id, t.auditable_name as auditable_name,
-   t.auditable_type as auditable_type, t.action as action,
+       t.request_uuid as request_uuid, t.id as id, t.auditable_id as auditable_id,
+       t.auditable_name as auditable_name, t.auditable_type as auditable_type, t.action as action,
          '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from
-   (
-     select t.*
+       ) as organizations
      where
-       (
+       (t.id = $::bigint)
+       and (
        and ((((t.action = $))))
-     order by t.created_at desc, t.id
-     limit $
-   ) t
- order by t.created_at desc, t.id;
+     order by t.id
+     limit 1
+   ) shown;
-- limited show.2
select t.id
from audits t
where
  t.id = any ($::bigint[])
  and (
    (
      select
        case audit.auditable_type
          when $ then (
            (
              coalesce(
                (
                  select ((t.organization_id = any ($::bigint[]))) is true
                  from activation_keys t
                  where t.id = audit.auditable_id
                ),
                (
                  (
                    select count(*)
                    from audit_organizations l
                    where l.audit_id = audit.id and l.organization_id = any ($::bigint[])
                  ) > 0
                )
                and (((true)))
              )
            )
          )
          else audit.auditable_type = any ($::text[])
        end
      from (select t.id, t.auditable_type, t.auditable_id) audit
    )
  );
