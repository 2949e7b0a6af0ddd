-- list, as an administrator
-- GET /content/api/content_views/:content_view_id/content_view_components: 4 statements
-- list.1
select t.id as id
from content_views t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1;
-- list.2
select
  t.latest as latest, t.id as id, t.created_at as created_at, t.updated_at as updated_at,
  (
    select
      json_build_object(
        'id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description, 'next_version',
        of_v.next_version, 'latest_version',
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
    where of_v.id = t.composite_content_view_id
  ) as composite_content_view,
  (
    select
      json_build_object(
        'id', of_v.id, 'name', of_v.name, 'label', of_v.label, 'description', of_v.description, 'next_version',
        of_v.next_version, 'latest_version',
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
    where of_v.id = t.content_view_id
  ) as content_view,
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
                  json_build_object('id', of_e.id, 'name', of_e.name, 'label', of_e.label) as item, of_e.id as place
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
        t.content_view_version_id,
        (
          select of_l.id
          from content_view_versions of_l
          where of_l.content_view_id = t.content_view_id
          order by of_l.major desc, of_l.minor desc
          limit 1
        )
      )
  ) as content_view_version,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object(
              'id', of_n.id, 'version', of_n.version, 'description', of_n.description, 'published_at_words',
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
          where of_n.content_view_id = t.content_view_id
        ) of_rows
    ),
    '[]'
  ) as component_content_view_versions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from content_view_components t left join content_views as t_by1 on t_by1.id = t.content_view_id
    where
      (
        t.composite_content_view_id in (
          select t.id
          from content_views t
          where (t.organization_id = any ($::bigint[]))
        )
      )
      and (t.composite_content_view_id = $)
    order by t_by1.label asc, t.id
    limit $
  ) t
order by (select t_1.label from content_views as t_1 where t_1.id = t.content_view_id) asc, t.id;
-- list.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.4
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from content_view_components t
where
  (t.composite_content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
  and (t.composite_content_view_id = $);

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /content/api/content_views/:content_view_id/content_view_components: 5 statements
-- search.1 is list.1
-- search.2 is list.2, but
      select t.*
-     from content_view_components t left join content_views as t_by1 on t_by1.id = t.content_view_id
+     from content_view_components t
        and (t.composite_content_view_id = $)
-     order by t_by1.label asc, t.id
+       and (t.id > $::bigint)
+     order by t.id desc, t.id
    ) t
- order by (select t_1.label from content_views as t_1 where t_1.id = t.content_view_id) asc, t.id;
+ order by t.id desc, t.id;
-- search.3 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.4 is list.4
-- search.5 is list.4, but
    (t.composite_content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
-   and (t.composite_content_view_id = $);
+   and (t.composite_content_view_id = $)
+   and (t.id > $::bigint);

-- list, as a limited user
-- GET /content/api/content_views/:content_view_id/content_view_components: what list runs

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /content/api/content_views/:content_view_id/content_view_components: what search runs
