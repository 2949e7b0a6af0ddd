-- list, as an administrator
-- GET /content/api/content_view_versions: 8 statements
-- list.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from content_view_versions t
where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
order by array[t.major, t.minor] desc, t.id
limit $;
-- list.2
select
  t.version as version, t.major as major, t.minor as minor,
  array(
    select v.id
    from content_view_components c join content_views v on v.id = c.composite_content_view_id
    where
      c.content_view_version_id = t.id
      or (
        c.latest
        and c.content_view_id = t.content_view_id
        and (
          select of_l.id
          from content_view_versions of_l
          where of_l.content_view_id = t.content_view_id
          order by of_l.major desc, of_l.minor desc
          limit 1
        ) = t.id
      )
    order by 1
  ) as composite_content_view_ids,
  array(
    select distinct v.id
    from
      content_view_version_components c
      join content_view_versions w on w.id = c.content_view_version_id
      join content_views v on v.id = w.content_view_id
    where c.component_version_id = t.id
    order by 1
  ) as published_in_composite_content_view_ids,
  t.content_view_id as content_view_id,
  (select v."default" from content_views v where v.id = t.content_view_id) as "default",
  t.description as description, t.id as id,
  (select v.name from content_views v where v.id = t.content_view_id) || ' ' || t.version as name,
  t.created_at as created_at, t.updated_at as updated_at,
  (
    select json_build_object('id', x.id, 'name', x.name, 'label', x.label, 'generated_for', x.generated_for)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select json_build_object('id', v.id, 'name', v.name, 'label', v.label) as item, v.id as place
          from content_view_components c join content_views v on v.id = c.composite_content_view_id
          where
            c.content_view_version_id = t.id
            or (
              c.latest
              and c.content_view_id = t.content_view_id
              and (
                select of_l.id
                from content_view_versions of_l
                where of_l.content_view_id = t.content_view_id
                order by of_l.major desc, of_l.minor desc
                limit 1
              ) = t.id
            )
        ) of_rows
    ),
    '[]'
  ) as composite_content_views,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object('id', w.id, 'name', v.name || ' ' || w.version, 'version', w.version) as item,
            w.id as place
          from
            content_view_version_components c
            join content_view_versions w on w.id = c.content_view_version_id
            join content_views v on v.id = w.content_view_id
          where c.component_version_id = t.id
        ) of_rows
    ),
    '[]'
  ) as composite_content_view_versions,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select json_build_object('id', v.id, 'name', v.name, 'label', v.label) as item, v.id as place
          from content_views v
          where
            v.id in (
              select w.content_view_id
              from
                content_view_version_components c
                join content_view_versions w on w.id = c.content_view_version_id
                join content_views v on v.id = w.content_view_id
              where c.component_version_id = t.id
            )
        ) of_rows
    ),
    '[]'
  ) as published_in_composite_content_views,
  coalesce(
    (
      select json_agg(of_rows.item order by of_rows.place)
      from
        (
          select
            json_build_object(
              'id', e.id, 'name', e.name, 'label', e.label, 'publish_date',
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
                from (select extract(epoch from now() - p.promoted_at) as of_s) of_ago
              ),
              'host_count',
              (
                select count(*)
                from host_environments h
                where h.content_view_id = p.content_view_id and h.environment_id = e.id
              ),
              'activation_key_count',
              (
                select count(*)
                from activation_keys h
                where h.content_view_id = p.content_view_id and h.environment_id = e.id
              ) + (
              select count(*)
              from activation_key_environments h
              where h.content_view_id = p.content_view_id and h.environment_id = e.id
              ), 'permissions', null
            ) as item,
            e.id as place
          from content_view_environments p join lifecycle_environments e on e.id = p.environment_id
          where p.content_view_version_id = t.id
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
              'id', r.id, 'name', r.name, 'label', r.label, 'content_type', r.content_type, 'library_instance_id',
              r.id, 'mirroring_policy', r.mirroring_policy
            ) as item,
            r.id as place
          from repositories r
          where
            r.id in (
              select in_p.repository_id
              from content_view_version_repositories in_p
              where in_p.content_view_version_id = t.id
              union all
              select in_r.id as repository_id
              from
                content_views in_v
                join content_view_versions in_n on in_n.content_view_id = in_v.id
                join products in_o on in_o.organization_id = in_v.organization_id
                join repositories in_r on in_r.product_id = in_o.id
              where in_v."default" and in_n.id = t.id
            )
        ) of_rows
    ),
    '[]'
  ) as repositories,
  (
    select
      json_build_object(
        'user',
        (select u.login from users u where u.id = t.user_id),
        'status', 'successful', 'description', t.description, 'action', 'publish', 'created_at',
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'updated_at',
        to_char(t.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'environment', null, 'task', null,
        'version', t.version, 'publish', true, 'version_id', t.id, 'triggered_by', null, 'triggered_by_id', null
      )
    from content_views v
    where v.id = t.content_view_id and not v."default"
  ) as last_event,
  '[]'::json as active_history, '0'::json as rpm_count, '0'::json as modulemd_count, '0'::json as erratum_count,
  '0'::json as package_group_count, '0'::json as srpm_count, '0'::json as ansible_collection_count,
  '0'::json as deb_count, '0'::json as docker_manifest_count, '0'::json as docker_manifest_list_count,
  '0'::json as docker_tag_count, '0'::json as file_count, '0'::json as ostree_ref_count,
  '0'::json as python_package_count, '0'::json as module_stream_count, '0'::json as package_count,
  (
    select count(*)
    from content_view_version_components c
    where c.content_view_version_id = t.id
  ) as component_view_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'yum'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as yum_repository_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'ansible_collection'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as ansible_collection_repository_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'deb'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as deb_repository_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'docker'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as docker_repository_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'file'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as file_repository_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'ostree'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as ostree_repository_count,
  (
    select count(*)
    from repositories r
    where
      r.content_type = 'python'
      and r.id in (
        select in_p.repository_id
        from content_view_version_repositories in_p
        where in_p.content_view_version_id = t.id
        union all
        select in_r.id as repository_id
        from
          content_views in_v
          join content_view_versions in_n on in_n.content_view_id = in_v.id
          join products in_o on in_o.organization_id = in_v.organization_id
          join repositories in_r on in_r.product_id = in_o.id
        where in_v."default" and in_n.id = t.id
      )
  ) as python_repository_count,
  '{security:0,bugfix:0,enhancement:0,total:0}'::json as errata_counts, null as permissions,
  null as filters_applied,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
from content_view_versions t
where t.id = any ((select $::bigint[])::bigint[])
order by array_position($::bigint[], t.id);
-- list.3
select
  t.id as _id,
  (
    t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[])))
  ) as deletable
from content_view_versions t
where t.id = any ((select $::bigint[])::bigint[]);
-- list.4 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- list.5 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- list.6
select t.id
from content_views t
where t.id = any ($::bigint[]) and (t.organization_id = any ($::bigint[]));
-- list.7
select distinct u.content_view_id as view, u.environment_id as environment
from (select host_id as id, content_view_id, environment_id from host_environments) u join hosts t on t.id = u.id
where
  u.content_view_id = any ($::bigint[])
  and u.environment_id = any ($::bigint[])
  and not ((t.organization_id = any ($::bigint[])));
-- list.8
select distinct u.content_view_id as view, u.environment_id as environment
from
  (
    select id, content_view_id, environment_id
    from activation_keys
    where content_view_id is not null
    union all
    select activation_key_id, content_view_id, environment_id
    from activation_key_environments
  ) u
  join activation_keys t on t.id = u.id
where
  u.content_view_id = any ($::bigint[])
  and u.environment_id = any ($::bigint[])
  and not ((t.organization_id = any ($::bigint[])));

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /content/api/content_view_versions: 9 statements
-- search.1 is list.1, but
  from content_view_versions t
- where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
- order by array[t.major, t.minor] desc, t.id
+ where
+   (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
+   and (t.id > $::bigint)
+ order by t.id desc, t.id
-- search.2 is list.2
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from content_view_versions t
where (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))));
-- search.4 is list.3
-- search.5 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- search.6 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- search.7 is list.6
-- search.8 is list.7
-- search.9 is list.8

-- show, as an administrator
-- GET /content/api/content_view_versions/:id: 7 statements
-- show.1 is list.2, but
    ) as python_repository_count,
-   '{security:0,bugfix:0,enhancement:0,total:0}'::json as errata_counts, null as permissions,
-   null as filters_applied,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   '{security:0,bugfix:0,enhancement:0,total:0}'::json as errata_counts, null as permissions, null as filters_applied
  from content_view_versions t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where
+   (t.id = $::bigint)
+   and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
+ order by t.id
+ limit 1;
-- show.2 is list.3
-- show.3 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- show.4 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- show.5 is list.6
-- show.6 is list.7
-- show.7 is list.8

-- update, as an administrator
-- PUT /content/api/content_view_versions/:id: 10 statements
-- update.1
select t.*
from content_view_versions t
where
  (t.id = $::bigint)
  and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
order by t.id
limit 1
for no key update of t;
-- update.2
update content_view_versions t
set description = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3
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
            where
              x.id = (select t.content_view_id from content_view_versions t where t.id = written.auditable_id)
              and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select
  exists (
    select
    from content_view_versions t
    where
      t.id = $
      and (t.content_view_id in (select t.id from content_views t where (t.organization_id = any ($::bigint[]))))
  ) as held;
-- update.4 is list.2, but
    ) as python_repository_count,
-   '{security:0,bugfix:0,enhancement:0,total:0}'::json as errata_counts, null as permissions,
-   null as filters_applied,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   '{security:0,bugfix:0,enhancement:0,total:0}'::json as errata_counts, null as permissions, null as filters_applied
  from content_view_versions t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- update.5 is list.3
-- update.6 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- update.7 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- update.8 is list.6
-- update.9 is list.7
-- update.10 is list.8

-- list, as a limited user
-- GET /content/api/content_view_versions: 8 statements
-- limited list.1 is list.1
-- limited list.2 is list.2
-- limited list.3 is list.3
-- limited list.4 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited list.5 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited list.6 is list.6
-- limited list.7 is list.7, but
    and u.environment_id = any ($::bigint[])
-   and not ((t.organization_id = any ($::bigint[])));
+   and not ((t.organization_id = any ($::bigint[])) and (t.location_id = any ($::bigint[])));
-- limited list.8 is list.8

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /content/api/content_view_versions: 9 statements
-- limited search.1 is search.1
-- limited search.2 is list.2
-- limited search.3 is search.3
-- limited search.4 is list.3
-- limited search.5 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited search.6 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited search.7 is list.6
-- limited search.8 is limited list.7
-- limited search.9 is list.8

-- show, as a limited user
-- GET /content/api/content_view_versions/:id: 7 statements
-- limited show.1 is show.1
-- limited show.2 is list.3
-- limited show.3 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited show.4 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited show.5 is list.6
-- limited show.6 is limited list.7
-- limited show.7 is list.8

-- update, as a limited user
-- PUT /content/api/content_view_versions/:id: 10 statements
-- limited update.1 is update.1
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is update.4
-- limited update.5 is list.3
-- limited update.6 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited update.7 is shared 599ef9: select t.id from lifecycle_environments t where t.id = any ($::bigint[]) and (t.organizati…
-- limited update.8 is list.6
-- limited update.9 is limited list.7
-- limited update.10 is list.8
