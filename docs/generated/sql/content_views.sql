-- list, as an administrator
-- GET /content/api/content_views: 6 statements
-- list.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from content_views t
where (t.organization_id = any ($::bigint[]))
order by t.name asc, t.id
limit $;
-- list.2
select
  t.composite as composite,
  array(
    select
      coalesce(
        of_k.content_view_version_id,
        (
          select of_l.id
          from content_view_versions of_l
          where of_l.content_view_id = of_k.content_view_id
          order by of_l.major desc, of_l.minor desc
          limit 1
        )
      )
    from content_view_components of_k
    where
      of_k.composite_content_view_id = t.id
      and coalesce(
        of_k.content_view_version_id,
        (
          select of_l.id
          from content_view_versions of_l
          where of_l.content_view_id = of_k.content_view_id
          order by of_l.major desc, of_l.minor desc
          limit 1
        )
      ) is not null
    order by 1
  ) as component_ids,
  t."default" as "default",
  (select count(*) from content_view_versions n where n.content_view_id = t.id) as version_count,
  (
    select of_m.version
    from content_view_versions of_m
    where
      of_m.id = (
        select of_l.id
        from content_view_versions of_l
        where of_l.content_view_id = t.id
        order by of_l.major desc, of_l.minor desc
        limit 1
      )
  ) as latest_version,
  (
    select of_l.id
    from content_view_versions of_l
    where of_l.content_view_id = t.id
    order by of_l.major desc, of_l.minor desc
    limit 1
  ) as latest_version_id,
  t.auto_publish as auto_publish, t.solve_dependencies as solve_dependencies, t.import_only as import_only,
  t.generated_for as generated_for,
  (select count(*) from content_view_components c where c.content_view_id = t.id) as related_cv_count,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select json_build_object('id', v.id, 'name', v.name) as item, v.id as place
          from content_view_components c join content_views v on v.id = c.composite_content_view_id
          where c.content_view_id = t.id
        ) of_rows
    ),
    '[]'
  ) as related_composite_cvs,
  case
    when t."default" then false
    when (
      select of_l.id
      from content_view_versions of_l
      where of_l.content_view_id = t.id
      order by of_l.major desc, of_l.minor desc
      limit 1
    ) is null then true
    when t.composite then array(
      select
        coalesce(
          c.content_view_version_id,
          (
            select of_l.id
            from content_view_versions of_l
            where of_l.content_view_id = c.content_view_id
            order by of_l.major desc, of_l.minor desc
            limit 1
          )
        )
      from content_view_components c
      where c.composite_content_view_id = t.id
      order by 1
    ) is distinct from array(
    select w.component_version_id
    from content_view_version_components w
    where
      w.content_view_version_id = (
        select of_l.id
        from content_view_versions of_l
        where of_l.content_view_id = t.id
        order by of_l.major desc, of_l.minor desc
        limit 1
      )
    order by 1
    )
    else array(
      select w.repository_id
      from content_view_repositories w
      where w.content_view_id = t.id
      order by 1
    ) is distinct from array(
    select w.repository_id
    from content_view_version_repositories w
    where
      w.content_view_version_id = (
        select of_l.id
        from content_view_versions of_l
        where of_l.content_view_id = t.id
        order by of_l.major desc, of_l.minor desc
        limit 1
      )
    order by 1
    )
  end as needs_publish,
  exists (select from content_view_filters f where f.content_view_id = t.id) as filtered,
  array(
    select r.id
    from repositories r
    where
      r.id in (
        select w.repository_id
        from content_view_repositories w
        where w.content_view_id = t.id
        union
        select w.repository_id
        from
          content_view_components c
          cross join lateral (
            select in_p.repository_id
            from content_view_version_repositories in_p
            where
              in_p.content_view_version_id = coalesce(
                c.content_view_version_id,
                (
                  select of_l.id
                  from content_view_versions of_l
                  where of_l.content_view_id = c.content_view_id
                  order by of_l.major desc, of_l.minor desc
                  limit 1
                )
              )
            union all
            select in_r.id as repository_id
            from
              content_views in_v
              join content_view_versions in_n on in_n.content_view_id = in_v.id
              join products in_o on in_o.organization_id = in_v.organization_id
              join repositories in_r on in_r.product_id = in_o.id
            where
              in_v."default"
              and in_n.id = coalesce(
                c.content_view_version_id,
                (
                  select of_l.id
                  from content_view_versions of_l
                  where of_l.content_view_id = c.content_view_id
                  order by of_l.major desc, of_l.minor desc
                  limit 1
                )
              )
          ) w
        where c.composite_content_view_id = t.id
        union
        select w.repository_id
        from
          (
            select in_p.repository_id
            from content_view_version_repositories in_p
            where
              in_p.content_view_version_id = (
                select of_l.id
                from content_view_versions of_l
                where of_l.content_view_id = t.id
                order by of_l.major desc, of_l.minor desc
                limit 1
              )
            union all
            select in_r.id as repository_id
            from
              content_views in_v
              join content_view_versions in_n on in_n.content_view_id = in_v.id
              join products in_o on in_o.organization_id = in_v.organization_id
              join repositories in_r on in_r.product_id = in_o.id
            where
              in_v."default"
              and in_n.id = (
                select of_l.id
                from content_view_versions of_l
                where of_l.content_view_id = t.id
                order by of_l.major desc, of_l.minor desc
                limit 1
              )
          ) w
        where t."default"
      )
    order by 1
  ) as repository_ids,
  t.id as id, t.name as name, t.label as label, t.description as description, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  t.created_at as created_at, t.updated_at as updated_at, null as last_task,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select json_build_object('id', of_e.id, 'name', of_e.name, 'label', of_e.label) as item, of_e.id as place
          from content_view_environments of_p join lifecycle_environments of_e on of_e.id = of_p.environment_id
          where
            of_p.content_view_version_id = (
              select of_l.id
              from content_view_versions of_l
              where of_l.content_view_id = t.id
              order by of_l.major desc, of_l.minor desc
              limit 1
            )
        ) of_rows
    ),
    '[]'
  ) as latest_version_environments,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object('id', r.id, 'name', r.name, 'label', r.label, 'content_type', r.content_type) as item,
            r.id as place
          from repositories r
          where
            r.id in (
              select w.repository_id
              from content_view_repositories w
              where w.content_view_id = t.id
              union
              select w.repository_id
              from
                content_view_components c
                cross join lateral (
                  select in_p.repository_id
                  from content_view_version_repositories in_p
                  where
                    in_p.content_view_version_id = coalesce(
                      c.content_view_version_id,
                      (
                        select of_l.id
                        from content_view_versions of_l
                        where of_l.content_view_id = c.content_view_id
                        order by of_l.major desc, of_l.minor desc
                        limit 1
                      )
                    )
                  union all
                  select in_r.id as repository_id
                  from
                    content_views in_v
                    join content_view_versions in_n on in_n.content_view_id = in_v.id
                    join products in_o on in_o.organization_id = in_v.organization_id
                    join repositories in_r on in_r.product_id = in_o.id
                  where
                    in_v."default"
                    and in_n.id = coalesce(
                      c.content_view_version_id,
                      (
                        select of_l.id
                        from content_view_versions of_l
                        where of_l.content_view_id = c.content_view_id
                        order by of_l.major desc, of_l.minor desc
                        limit 1
                      )
                    )
                ) w
              where c.composite_content_view_id = t.id
              union
              select w.repository_id
              from
                (
                  select in_p.repository_id
                  from content_view_version_repositories in_p
                  where
                    in_p.content_view_version_id = (
                      select of_l.id
                      from content_view_versions of_l
                      where of_l.content_view_id = t.id
                      order by of_l.major desc, of_l.minor desc
                      limit 1
                    )
                  union all
                  select in_r.id as repository_id
                  from
                    content_views in_v
                    join content_view_versions in_n on in_n.content_view_id = in_v.id
                    join products in_o on in_o.organization_id = in_v.organization_id
                    join repositories in_r on in_r.product_id = in_o.id
                  where
                    in_v."default"
                    and in_n.id = (
                      select of_l.id
                      from content_view_versions of_l
                      where of_l.content_view_id = t.id
                      order by of_l.major desc, of_l.minor desc
                      limit 1
                    )
                ) w
              where t."default"
            )
        ) of_rows
    ),
    '[]'
  ) as repositories,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object(
              'id', n.id, 'version', n.version, 'published',
              to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'description', n.description,
              'environment_ids',
              array(
                select p.environment_id
                from content_view_environments p
                where p.content_view_version_id = n.id
                order by 1
              ),
              'filters_applied', null, 'published_at_words',
              (
                select
                  case
                    when of_s < 30 then 'less than a minute'
                    when of_s < 90 then '1 minute'
                    when of_s < 2670 then round(of_s / 60)::text || ' minutes'
                    when of_s < 5370 then 'about 1 hour'
                    when of_s < 86370 then 'about ' || round(of_s / 3600)::text || ' hours'
                    when of_s < 151170 then '1 day'
                    when of_s < 2591970 then round(of_s / 86400)::text || ' days'
                    when of_s < 5183970 then 'about 1 month'
                    when of_s < 31536000 then round(of_s / 2592000)::text || ' months'
                    when of_s < 47304000 then 'about 1 year'
                    else 'about ' || round(of_s / 31536000)::text || ' years'
                  end
                from (select extract(epoch from now() - n.created_at) as of_s) of_ago
              )
            ) as item,
            array[- n.major, - n.minor] as place
          from content_view_versions n
          where n.content_view_id = t.id
        ) of_rows
    ),
    '[]'
  ) as versions,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            (
              select
                json_build_object(
                  'id', of_n.id, 'name', of_v.name || ' ' || of_n.version, 'content_view_id', of_v.id, 'version',
                  of_n.version, 'content_view',
                  json_build_object(
                    'id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description,
                    'next_version', of_v.next_version, 'latest_version',
                    (
                      select of_m.version
                      from content_view_versions of_m
                      where
                        of_m.id = (
                          select of_l.id
                          from content_view_versions of_l
                          where of_l.content_view_id = of_v.id
                          order by of_l.major desc, of_l.minor desc
                          limit 1
                        )
                    )
                  ),
                  'environments',
                  coalesce(
                    (
                      select json_agg(of_rows.item order by of_rows.place)
                      from
                        (
                          select
                            json_build_object('id', of_e.id, 'name', of_e.name, 'label', of_e.label) as item,
                            of_e.id as place
                          from
                            content_view_environments of_p
                            join lifecycle_environments of_e on of_e.id = of_p.environment_id
                          where of_p.content_view_version_id = of_n.id
                        ) of_rows
                    ),
                    '[]'
                  ),
                  'repositories',
                  coalesce(
                    (
                      select json_agg(of_rows.item order by of_rows.place)
                      from
                        (
                          select
                            json_build_object('id', of_r.id, 'name', of_r.name, 'label', of_r.label, 'description', of_r.description) as item,
                            of_r.id as place
                          from repositories of_r
                          where
                            of_r.id in (
                              select in_p.repository_id
                              from content_view_version_repositories in_p
                              where in_p.content_view_version_id = of_n.id
                              union all
                              select in_r.id as repository_id
                              from
                                content_views in_v
                                join content_view_versions in_n on in_n.content_view_id = in_v.id
                                join products in_o on in_o.organization_id = in_v.organization_id
                                join repositories in_r on in_r.product_id = in_o.id
                              where in_v."default" and in_n.id = of_n.id
                            )
                        ) of_rows
                    ),
                    '[]'
                  )
                )
              from content_view_versions of_n join content_views of_v on of_v.id = of_n.content_view_id
              where
                of_n.id = coalesce(
                  c.content_view_version_id,
                  (
                    select of_l.id
                    from content_view_versions of_l
                    where of_l.content_view_id = c.content_view_id
                    order by of_l.major desc, of_l.minor desc
                    limit 1
                  )
                )
            ) as item,
            c.id as place
          from content_view_components c
          where
            c.composite_content_view_id = t.id
            and coalesce(
              c.content_view_version_id,
              (
                select of_l.id
                from content_view_versions of_l
                where of_l.content_view_id = c.content_view_id
                order by of_l.major desc, of_l.minor desc
                limit 1
              )
            ) is not null
        ) of_rows
    ),
    '[]'
  ) as components,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object(
              'latest', c.latest, 'id', c.id, 'created_at',
              to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
              to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'composite_content_view',
              (
                select
                  json_build_object(
                    'id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description,
                    'next_version', of_v.next_version, 'latest_version',
                    (
                      select of_m.version
                      from content_view_versions of_m
                      where
                        of_m.id = (
                          select of_l.id
                          from content_view_versions of_l
                          where of_l.content_view_id = of_v.id
                          order by of_l.major desc, of_l.minor desc
                          limit 1
                        )
                    ),
                    'version_count',
                    (select count(*) from content_view_versions of_c where of_c.content_view_id = of_v.id)
                  )
                from content_views of_v
                where of_v.id = c.composite_content_view_id
              ),
              'content_view',
              (
                select
                  json_build_object(
                    'id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description,
                    'next_version', of_v.next_version, 'latest_version',
                    (
                      select of_m.version
                      from content_view_versions of_m
                      where
                        of_m.id = (
                          select of_l.id
                          from content_view_versions of_l
                          where of_l.content_view_id = of_v.id
                          order by of_l.major desc, of_l.minor desc
                          limit 1
                        )
                    ),
                    'version_count',
                    (select count(*) from content_view_versions of_c where of_c.content_view_id = of_v.id)
                  )
                from content_views of_v
                where of_v.id = c.content_view_id
              ),
              'content_view_version',
              (
                select
                  json_build_object(
                    'id', of_n.id, 'name', of_v.name || ' ' || of_n.version, 'content_view_id', of_v.id, 'version',
                    of_n.version, 'content_view',
                    json_build_object('id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description),
                    'environments',
                    coalesce(
                      (
                        select json_agg(of_rows.item order by of_rows.place)
                        from
                          (
                            select
                              json_build_object('id', of_e.id, 'name', of_e.name, 'label', of_e.label) as item,
                              of_e.id as place
                            from
                              content_view_environments of_p
                              join lifecycle_environments of_e on of_e.id = of_p.environment_id
                            where of_p.content_view_version_id = of_n.id
                          ) of_rows
                      ),
                      '[]'
                    ),
                    'repositories',
                    coalesce(
                      (
                        select json_agg(of_rows.item order by of_rows.place)
                        from
                          (
                            select
                              json_build_object('id', of_r.id, 'name', of_r.name, 'label', of_r.label, 'description', of_r.description) as item,
                              of_r.id as place
                            from repositories of_r
                            where
                              of_r.id in (
                                select in_p.repository_id
                                from content_view_version_repositories in_p
                                where in_p.content_view_version_id = of_n.id
                                union all
                                select in_r.id as repository_id
                                from
                                  content_views in_v
                                  join content_view_versions in_n on in_n.content_view_id = in_v.id
                                  join products in_o on in_o.organization_id = in_v.organization_id
                                  join repositories in_r on in_r.product_id = in_o.id
                                where in_v."default" and in_n.id = of_n.id
                              )
                          ) of_rows
                      ),
                      '[]'
                    )
                  )
                from content_view_versions of_n join content_views of_v on of_v.id = of_n.content_view_id
                where
                  of_n.id = coalesce(
                    c.content_view_version_id,
                    (
                      select of_l.id
                      from content_view_versions of_l
                      where of_l.content_view_id = c.content_view_id
                      order by of_l.major desc, of_l.minor desc
                      limit 1
                    )
                  )
              ),
              'component_content_view_versions',
              coalesce(
                (
                  select json_agg(of_rows.item order by of_rows.place)
                  from
                    (
                      select
                        json_build_object(
                          'id', of_n.id, 'version', of_n.version, 'description', of_n.description,
                          'published_at_words',
                          (
                            select
                              case
                                when of_s < 30 then 'less than a minute'
                                when of_s < 90 then '1 minute'
                                when of_s < 2670 then round(of_s / 60)::text || ' minutes'
                                when of_s < 5370 then 'about 1 hour'
                                when of_s < 86370 then 'about ' || round(of_s / 3600)::text || ' hours'
                                when of_s < 151170 then '1 day'
                                when of_s < 2591970 then round(of_s / 86400)::text || ' days'
                                when of_s < 5183970 then 'about 1 month'
                                when of_s < 31536000 then round(of_s / 2592000)::text || ' months'
                                when of_s < 47304000 then 'about 1 year'
                                else 'about ' || round(of_s / 31536000)::text || ' years'
                              end
                            from (select extract(epoch from now() - of_n.created_at) as of_s) of_ago
                          )
                        ) as item,
                        array[- of_n.major, - of_n.minor] as place
                      from content_view_versions of_n
                      where of_n.content_view_id = c.content_view_id
                    ) of_rows
                ),
                '[]'
              )
            ) as item,
            c.id as place
          from content_view_components c
          where c.composite_content_view_id = t.id
        ) of_rows
    ),
    '[]'
  ) as content_view_components,
  null as activation_keys, null as hosts, t.next_version::text || '.0' as next_version,
  (select max(n.created_at) from content_view_versions n where n.content_view_id = t.id) as last_published,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object('id', e.id, 'label', e.label, 'name', e.name, 'activation_keys', null, 'hosts', null, 'permissions', null) as item,
            e.id as place
          from content_view_environments p join lifecycle_environments e on e.id = p.environment_id
          where p.content_view_id = t.id
        ) of_rows
    ),
    '[]'
  ) as environments,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object(
              'id', r.id, 'name', r.name, 'components',
              json_agg(
                json_build_object(
                  'content_view_name', v.name, 'content_view_version',
                  (
                    select of_m.version
                    from content_view_versions of_m
                    where
                      of_m.id = coalesce(
                        c.content_view_version_id,
                        (
                          select of_l.id
                          from content_view_versions of_l
                          where of_l.content_view_id = c.content_view_id
                          order by of_l.major desc, of_l.minor desc
                          limit 1
                        )
                      )
                  )
                )
                order by v.name
              )
            ) as item,
            r.id as place
          from
            content_view_components c
            join content_views v on v.id = c.content_view_id
            cross join lateral (
              select in_p.repository_id
              from content_view_version_repositories in_p
              where
                in_p.content_view_version_id = coalesce(
                  c.content_view_version_id,
                  (
                    select of_l.id
                    from content_view_versions of_l
                    where of_l.content_view_id = c.content_view_id
                    order by of_l.major desc, of_l.minor desc
                    limit 1
                  )
                )
              union all
              select in_r.id as repository_id
              from
                content_views in_v
                join content_view_versions in_n on in_n.content_view_id = in_v.id
                join products in_o on in_o.organization_id = in_v.organization_id
                join repositories in_r on in_r.product_id = in_o.id
              where
                in_v."default"
                and in_n.id = coalesce(
                  c.content_view_version_id,
                  (
                    select of_l.id
                    from content_view_versions of_l
                    where of_l.content_view_id = c.content_view_id
                    order by of_l.major desc, of_l.minor desc
                    limit 1
                  )
                )
            ) w
            join repositories r on r.id = w.repository_id
          where c.composite_content_view_id = t.id
          group by r.id, r.name
          having count(*) > 1
        ) of_rows
    ),
    '[]'
  ) as duplicate_repositories_to_publish,
  null as permissions,
  (select count(distinct h.host_id) from host_environments h where h.content_view_id = t.id) as content_host_count,
  (
    select count(*)
    from activation_keys k
    where
      k.content_view_id = t.id
      or exists (
        select
        from activation_key_environments f
        where f.activation_key_id = k.id and f.content_view_id = t.id
      )
  ) as activation_key_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
from content_views t
where t.id = any ((select $::bigint[])::bigint[])
order by array_position($::bigint[], t.id);
-- list.3
select
  t.id as _id, (t.organization_id = any ($::bigint[])) as view_content_views,
  (t.organization_id = any ($::bigint[])) as edit_content_views,
  (t.organization_id = any ($::bigint[])) as destroy_content_views,
  (t.organization_id = any ($::bigint[])) as publish_content_views,
  (t.organization_id = any ($::bigint[])) as promote_or_remove_content_views
from content_views t
where t.id = any ((select $::bigint[])::bigint[]);
-- list.4
select v.view, x.environment, x.id, x.name
from
  unnest((select $::bigint[])::bigint[]) v (view)
  cross join lateral (
    select u.environment_id as environment, t.id, t.name
    from
      (select host_id as id, content_view_id, environment_id from host_environments) u
      join hosts t on t.id = u.id
    where u.content_view_id = v.view and (t.organization_id = any ($::bigint[]))
    order by t.name, t.id, u.environment_id
    limit (select $::bigint)
  ) x
order by x.name, x.id;
-- list.5 is list.4, but
      from
-       (select host_id as id, content_view_id, environment_id from host_environments) u
-       join hosts t on t.id = u.id
+       (
+         select id, content_view_id, environment_id
+         from activation_keys
+         where content_view_id is not null
+         union all
+         select activation_key_id, content_view_id, environment_id
+         from activation_key_environments
+       ) u
+       join activation_keys t on t.id = u.id
-- list.6 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/content_views: 4 statements
-- search.1 is list.1, but
  from content_views t
- where (t.organization_id = any ($::bigint[]))
- order by t.name asc, t.id
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($))
+ order by t.id desc, t.id
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from content_views t
where (t.organization_id = any ($::bigint[]));
-- search.4 is search.3, but
  from content_views t
- where (t.organization_id = any ($::bigint[]));
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /content/api/content_views: 8 statements
-- create.1 is shared 59b85d: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- create.2
insert into content_views as t (organization_id, name)
values ($::bigint, $::text)
returning
  t.*,
  array(
    select l.repository_id
    from content_view_repositories l
    where l.content_view_id = t.id
    order by 1
  ) as repositories,
  array(
    select
      coalesce(
        of_k.content_view_version_id,
        (
          select of_l.id
          from content_view_versions of_l
          where of_l.content_view_id = of_k.content_view_id
          order by of_l.major desc, of_l.minor desc
          limit 1
        )
      )
    from content_view_components of_k
    where
      of_k.composite_content_view_id = t.id
      and coalesce(
        of_k.content_view_version_id,
        (
          select of_l.id
          from content_view_versions of_l
          where of_l.content_view_id = of_k.content_view_id
          order by of_l.major desc, of_l.minor desc
          limit 1
        )
      ) is not null
    order by 1
  ) as components;
-- create.3 is create.2, but
- insert into content_views as t (organization_id, name)
- values ($::bigint, $::text)
- returning
+ select
      order by 1
-   ) as components;
+   ) as components
+ from content_views t
+ where t.id = $;
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
            select x.organization_id as id
            from content_views x
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select exists (select from content_views t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- create.5 is list.2, but
    ) as activation_key_count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   null as errors
  from content_views t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- create.6 is list.3
-- create.7 is list.4
-- create.8 is list.5

-- show, as an administrator
-- GET /content/api/content_views/:id: 4 statements
-- show.1 is list.2, but
    ) as activation_key_count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   null as errors
  from content_views t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ order by t.id
+ limit 1;
-- show.2 is list.3
-- show.3 is list.4
-- show.4 is list.5

-- update, as an administrator
-- PUT /content/api/content_views/:id: 8 statements
-- update.1
select t.id
from content_views t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1
for no key update of t;
-- update.2 is create.2, but
- insert into content_views as t (organization_id, name)
- values ($::bigint, $::text)
- returning
+ select
      order by 1
-   ) as components;
+   ) as components
+ from content_views t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- update.3
update content_views t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.4 is create.4
-- update.5 is create.5
-- update.6 is list.3
-- update.7 is list.4
-- update.8 is list.5

-- delete, as an administrator
-- DELETE /content/api/content_views/:id: 9 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select (array_agg(name order by name)) [1:20] as names, count(*) as count
from
  (
    select e.name
    from content_view_environments p join lifecycle_environments e on e.id = p.environment_id
    where p.content_view_id = $
  ) named;
-- delete.4
select (array_agg(name order by name)) [1:20] as names, count(*) as count
from
  (
    select v.name
    from content_view_components c join content_views v on v.id = c.composite_content_view_id
    where c.content_view_id = $
    union
    select v.name || ' Version ' || w.version
    from
      content_view_versions n
      join content_view_version_components c on c.component_version_id = n.id
      join content_view_versions w on w.id = c.content_view_version_id
      join content_views v on v.id = w.content_view_id
    where n.content_view_id = $
  ) named;
-- delete.5
select
  (array_agg(name order by name) filter ( where seen )) [1:20] as names,
  count(*) filter (where seen) as shown,
  count(*) filter (where not seen) as hidden
from
  (
    select t.name, (t.organization_id = any ($::bigint[])) as seen
    from hosts t
    where
      t.id in (
        select u.id
        from (select host_id as id, content_view_id, environment_id from host_environments) u
        where u.content_view_id = $
      )
  ) users;
-- delete.6 is delete.5, but
      select t.name, (t.organization_id = any ($::bigint[])) as seen
-     from hosts t
+     from activation_keys t
          select u.id
-         from (select host_id as id, content_view_id, environment_id from host_environments) u
+         from
+           (
+             select id, content_view_id, environment_id
+             from activation_keys
+             where content_view_id is not null
+             union all
+             select activation_key_id, content_view_id, environment_id
+             from activation_key_environments
+           ) u
-- delete.7 is shared a812a8: select id, name, label from organizations where id = $;
-- delete.8 is shared 03afc9: with planned as ( insert into tasks (kind, action, input, organization_id, user_id, userna…
-- delete.9 is shared 9ba6e4: select t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.act…

-- list, as a limited user
-- GET /content/api/content_views: 5 statements
-- limited list.1 is list.1, but
  from content_views t
- where (t.organization_id = any ($::bigint[]))
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited list.2 is list.2
-- limited list.3
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as view_content_views,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as edit_content_views,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as destroy_content_views,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as publish_content_views,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as promote_or_remove_content_views
from content_views t
where t.id = any ((select $::bigint[])::bigint[]);
-- limited list.4 is list.4, but
        join hosts t on t.id = u.id
-     where u.content_view_id = v.view and (t.organization_id = any ($::bigint[]))
+     where
+       u.content_view_id = v.view
+       and (t.organization_id = any ($::bigint[]))
+       and (t.location_id = any ($::bigint[]))
-- limited list.5 is list.5

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/content_views: 6 statements
-- limited search.1 is list.1, but
  from content_views t
- where (t.organization_id = any ($::bigint[]))
- order by t.name asc, t.id
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($))
+ order by t.id desc, t.id
-- limited search.2 is list.2
-- limited search.3 is search.3, but
  from content_views t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]));
-- limited search.4 is limited list.3
-- limited search.5 is limited list.4
-- limited search.6 is list.5

-- create, as a limited user
-- POST /content/api/content_views: 8 statements
-- limited create.1 is shared a634ae: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4, but
    )
- select exists (select from content_views t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select
+   exists (
+     select
+     from content_views t
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+   ) as held;
-- limited create.5 is create.5
-- limited create.6 is limited list.3
-- limited create.7 is limited list.4
-- limited create.8 is list.5

-- show, as a limited user
-- GET /content/api/content_views/:id: 4 statements
-- limited show.1 is list.2, but
    ) as activation_key_count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   null as errors
  from content_views t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+ order by t.id
+ limit 1;
-- limited show.2 is limited list.3
-- limited show.3 is limited list.4
-- limited show.4 is list.5

-- update, as a limited user
-- PUT /content/api/content_views/:id: 8 statements
-- limited update.1 is update.1, but
  from content_views t
- where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is limited create.4
-- limited update.5 is create.5
-- limited update.6 is limited list.3
-- limited update.7 is limited list.4
-- limited update.8 is list.5

-- delete, as a limited user
-- DELETE /content/api/content_views/:id: 10 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5, but
    (
-     select t.name, (t.organization_id = any ($::bigint[])) as seen
+     select t.name, (t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])) as seen
-- limited delete.6 is delete.6
-- limited delete.7 is shared a812a8: select id, name, label from organizations where id = $;
-- limited delete.8 is shared 03afc9: with planned as ( insert into tasks (kind, action, input, organization_id, user_id, userna…
-- limited delete.9 is shared 9ba6e4: select t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.act…
-- limited delete.10 is shared 37fdb4: select t.id from tasks t where t.id = any ($::bigint[]) and t.user_id is distinct from $::…
