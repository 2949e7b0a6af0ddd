-- list, as an administrator
-- GET /content/api/repositories: 2 statements
-- list.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from repositories t
where (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
order by t.name asc, t.id
limit $;
-- list.2
select
  t.id as id, t.name as name, t.label as label, t.description as description, t.content_type as content_type,
  t.url as url, t.arch as arch, t.major as major, t.minor as minor, t.os_versions as os_versions,
  t.download_policy as download_policy, t.mirroring_policy as mirroring_policy, t.unprotected as unprotected,
  t.checksum_type as checksum_type, nullif(t.ignorable_content, '{}') as ignorable_content,
  t.docker_upstream_name as docker_upstream_name, nullif(t.docker_tags_whitelist, '{}') as docker_tags_whitelist,
  t.deb_releases as deb_releases, t.deb_components as deb_components, t.deb_architectures as deb_architectures,
  t.ansible_collection_requirements as ansible_collection_requirements,
  t.ansible_collection_auth_url as ansible_collection_auth_url, t.download_concurrency as download_concurrency,
  t.upstream_username as upstream_username, t.verify_ssl_on_sync as verify_ssl_on_sync,
  t.http_proxy_policy as http_proxy_policy, t.http_proxy_id as http_proxy_id,
  (select n.name from http_proxies n where n.id = t.http_proxy_id) as http_proxy_name,
  (
    select json_build_object('id', x.id, 'name', x.name, 'url', x.url)
    from http_proxies x
    where x.id = t.http_proxy_id
  ) as http_proxy,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_credentials x
    where x.id = t.gpg_key_id
  ) as gpg_key,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_credentials x
    where x.id = t.ssl_ca_cert_id
  ) as ssl_ca_cert,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_credentials x
    where x.id = t.ssl_client_cert_id
  ) as ssl_client_cert,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_credentials x
    where x.id = t.ssl_client_key_id
  ) as ssl_client_key,
  t.gpg_key_id as gpg_key_id, t.ssl_ca_cert_id as ssl_ca_cert_id, t.ssl_client_cert_id as ssl_client_cert_id,
  t.ssl_client_key_id as ssl_client_key_id, t.content_id::text as content_id,
  (select c.label from contents c where c.id = t.content_id) as content_label,
  t.product_id as product_id,
  (
    select json_build_object('id', x.id, 'cp_id', x.cp_id, 'name', x.name, 'redhat', 'false'::json)
    from products x
    where x.id = t.product_id
  ) as product,
  (
    select o.id
    from products p join organizations o on o.id = p.organization_id
    where p.id = t.product_id
  ) as organization_id,
  (
    select json_build_object('name', o.name, 'label', o.label, 'id', o.id)
    from products p join organizations o on o.id = p.organization_id
    where p.id = t.product_id
  ) as organization,
  (
    select json_build_object('id', v.id, 'name', v.name)
    from
      products p
      join content_views v on v.organization_id = p.organization_id
      and v."default"
      join content_view_environments w on w.content_view_id = v.id
      join content_view_versions n on n.id = w.content_view_version_id
      join lifecycle_environments e on e.id = w.environment_id
    where p.id = t.product_id
  ) as content_view,
  (
    select n.id
    from
      products p
      join content_views v on v.organization_id = p.organization_id
      and v."default"
      join content_view_environments w on w.content_view_id = v.id
      join content_view_versions n on n.id = w.content_view_version_id
      join lifecycle_environments e on e.id = w.environment_id
    where p.id = t.product_id
  ) as content_view_version_id,
  (
    select json_build_object('id', n.id, 'name', v.name || ' ' || n.version, 'content_view_id', v.id)
    from
      products p
      join content_views v on v.organization_id = p.organization_id
      and v."default"
      join content_view_environments w on w.content_view_id = v.id
      join content_view_versions n on n.id = w.content_view_version_id
      join lifecycle_environments e on e.id = w.environment_id
    where p.id = t.product_id
  ) as content_view_version,
  (
    select json_build_object('id', e.id, 'name', e.name)
    from
      products p
      join content_views v on v.organization_id = p.organization_id
      and v."default"
      join content_view_environments w on w.content_view_id = v.id
      join content_view_versions n on n.id = w.content_view_version_id
      join lifecycle_environments e on e.id = w.environment_id
    where p.id = t.product_id
  ) as environment,
  '{}'::json as content_counts, null as last_sync, null as last_sync_words,
  (
    select o.label || '/Library/custom/' || p.label || '/' || t.label
    from products p join organizations o on o.id = p.organization_id
    where p.id = t.product_id
  ) as relative_path,
  null as full_path, t.created_at as created_at, t.updated_at as updated_at,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
from repositories t
where t.id = any ((select $::bigint[])::bigint[])
order by array_position($::bigint[], t.id);

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/repositories: 3 statements
-- search.1 is list.1, but
  from repositories t
- where (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
- order by t.name asc, t.id
+ where
+   (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
+   and (fold (t.name) like fold ($))
+ order by t.id desc, t.id
-- search.2 is list.2
-- search.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from repositories t
where (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))));

-- create, as an administrator
-- POST /content/api/repositories: 9 statements
-- create.1
select 0 as place, t.id
from products t
where t.id = any ((select $::bigint[])::bigint[]) and (t.organization_id = any ($::bigint[]));
-- create.2
insert into repositories as t (name, product_id, content_type, download_policy, mirroring_policy)
values ($::text, $::bigint, $::text, $::text, $::text)
returning t.*;
-- create.3 is shared 2147aa: select pg_advisory_xact_lock(hashtext (fold ($::text)));
-- create.4
with
  wanted as (
    select
      r.id, r.name, r.content_type, p.id as product_id, o.id as organization_id,
      o.label || '_' || p.label || '_' || r.label as label, '/custom/' || p.label || '/' || r.label as content_url
    from repositories r join products p on p.id = r.product_id join organizations o on o.id = p.organization_id
    where r.id = $
  ),
  opened as (
    insert into contents (organization_id, name, label, vendor, content_type, content_url)
    select
      w.organization_id, w.name,
      case
        when exists (
          select
          from contents c
          where c.organization_id = w.organization_id and c.label = w.label
        ) then w.label || '_' || w.id
        else w.label
      end, 'Custom', w.content_type, w.content_url
    from wanted w
    returning id
  )
insert into product_contents (product_id, content_id)
select w.product_id, opened.id
from wanted w, opened
returning content_id as id;
-- create.5
update repositories
set content_id = $
where id = $;
-- create.6
select t.*
from repositories t
where t.id = $;
-- create.7
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
            from products x
            where
              x.id = (select t.product_id from repositories t where t.id = written.auditable_id)
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
    from repositories t
    where
      t.id = $
      and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
  ) as held;
-- create.8 is list.2, but
    null as full_path, t.created_at as created_at, t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', n.id, 'content_view_id', n.content_view_id, 'version', n.version)
+           order by n.id
+         )
+       from content_view_version_repositories l join content_view_versions n on n.id = l.content_view_version_id
+       where l.repository_id = t.id
+     ),
+     '[]'
+   ) as published_in_versions,
+   exists (select from content_view_version_repositories l where l.repository_id = t.id) as promoted,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('content_view_id', v.id, 'content_view_name', v.name, 'environment_id', e.id, 'environment_name', e.name)
+           order by v.id, e.id
+         )
+       from
+         content_view_environments w
+         join content_views v on v.id = w.content_view_id
+         join lifecycle_environments e on e.id = w.environment_id
+       where
+         w.content_view_version_id in (
+           select l.content_view_version_id
+           from content_view_version_repositories l
+           where l.repository_id = t.id
+         )
+         or v."default"
+         and v.organization_id = (select p.organization_id from products p where p.id = t.product_id)
+     ),
+     '[]'
+   ) as content_view_environments,
+   null as permissions
  from repositories t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- create.9
select
  t.id as _id,
  (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))) as deletable,
  (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))) as editable,
  (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))) as view_products,
  (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))) as edit_products
from repositories t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as an administrator
-- GET /content/api/repositories/:id: 2 statements
-- show.1 is list.2, but
    null as full_path, t.created_at as created_at, t.updated_at as updated_at,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('id', n.id, 'content_view_id', n.content_view_id, 'version', n.version)
+           order by n.id
+         )
+       from content_view_version_repositories l join content_view_versions n on n.id = l.content_view_version_id
+       where l.repository_id = t.id
+     ),
+     '[]'
+   ) as published_in_versions,
+   exists (select from content_view_version_repositories l where l.repository_id = t.id) as promoted,
+   coalesce(
+     (
+       select
+         json_agg(
+           json_build_object('content_view_id', v.id, 'content_view_name', v.name, 'environment_id', e.id, 'environment_name', e.name)
+           order by v.id, e.id
+         )
+       from
+         content_view_environments w
+         join content_views v on v.id = w.content_view_id
+         join lifecycle_environments e on e.id = w.environment_id
+       where
+         w.content_view_version_id in (
+           select l.content_view_version_id
+           from content_view_version_repositories l
+           where l.repository_id = t.id
+         )
+         or v."default"
+         and v.organization_id = (select p.organization_id from products p where p.id = t.product_id)
+     ),
+     '[]'
+   ) as content_view_environments,
+   null as permissions
  from repositories t
- where t.id = any ((select $::bigint[])::bigint[])
- order by array_position($::bigint[], t.id);
+ where
+   (t.id = $::bigint or t.name = $::text)
+   and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
+ order by (t.name = $::text) desc
+ limit 1;
-- show.2 is create.9

-- update, as an administrator
-- PUT /content/api/repositories/:id: 6 statements
-- update.1
select t.*
from repositories t
where
  (t.id = $::bigint or t.name = $::text)
  and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2
update repositories t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3
update contents
set name = $, updated_at = now()
where id = $;
-- update.4 is create.7
-- update.5 is create.8
-- update.6 is create.9

-- delete, as an administrator
-- DELETE /content/api/repositories/:id: 6 statements
-- delete.1 is update.1
-- delete.2
select
  t.id as id, t.name as name, t.label as label, t.description as description, t.product_id as product_id,
  t.content_type as content_type, t.url as url, t.arch as arch, t.major as major, t.minor as minor,
  t.os_versions as os_versions, t.download_policy as download_policy, t.mirroring_policy as mirroring_policy,
  t.unprotected as unprotected, t.checksum_type as checksum_type,
  nullif(t.ignorable_content, '{}') as ignorable_content, t.docker_upstream_name as docker_upstream_name,
  nullif(t.docker_tags_whitelist, '{}') as docker_tags_whitelist, t.deb_releases as deb_releases,
  t.deb_components as deb_components, t.deb_architectures as deb_architectures,
  t.ansible_collection_requirements as ansible_collection_requirements,
  t.ansible_collection_auth_url as ansible_collection_auth_url, t.download_concurrency as download_concurrency,
  t.upstream_username as upstream_username, t.verify_ssl_on_sync as verify_ssl_on_sync,
  t.http_proxy_policy as http_proxy_policy, t.http_proxy_id as http_proxy_id, t.gpg_key_id as gpg_key_id,
  t.ssl_ca_cert_id as ssl_ca_cert_id, t.ssl_client_cert_id as ssl_client_cert_id,
  t.ssl_client_key_id as ssl_client_key_id, t.created_at as created_at, t.updated_at as updated_at
from repositories t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.3
select distinct w.name || ' ' || v.version as called
from
  repositories r
  join content_view_version_repositories p on p.repository_id = r.id
  join content_view_versions v on v.id = p.content_view_version_id
  join content_views w on w.id = v.content_view_id
where r.id = $
order by 1
limit $;
-- delete.4 is create.7, but
    )
- select
-   exists (
-     select
-     from repositories t
-     where
-       t.id = $
-       and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
-   ) as held;
+ select true as held;
-- delete.5
delete from repositories
where id = $;
-- delete.6
delete from contents c
where c.id = $ and not exists (select from repositories r where r.content_id = c.id);

-- list, as a limited user
-- GET /content/api/repositories: what list runs

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/repositories: what search runs

-- create, as a limited user
-- POST /content/api/repositories: what create runs

-- show, as a limited user
-- GET /content/api/repositories/:id: what show runs

-- update, as a limited user
-- PUT /content/api/repositories/:id: what update runs

-- delete, as a limited user
-- DELETE /content/api/repositories/:id: what delete runs
