-- list, as an administrator
-- GET /content/api/products: 1 statement
-- list.1
select
  t.id as id, t.cp_id as cp_id, t.name as name, t.label as label, t.description as description, null as provider_id,
  null as sync_plan_id, '{}'::json as sync_summary, t.gpg_key_id as gpg_key_id, t.ssl_ca_cert_id as ssl_ca_cert_id,
  t.ssl_client_cert_id as ssl_client_cert_id, t.ssl_client_key_id as ssl_client_key_id, null as sync_state,
  null as last_sync, null as last_sync_words, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (select t.* from products t where (t.organization_id = any ($::bigint[])) order by t.name asc, t.id limit $) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/products: 2 statements
-- search.1 is list.1, but
  from
-   (select t.* from products t where (t.organization_id = any ($::bigint[])) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   (
+     select t.*
+     from products t
+     where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from products t
where (t.organization_id = any ($::bigint[]));

-- create, as an administrator
-- POST /content/api/products: 12 statements
-- create.1 is shared 59b85d: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- create.2
select id
from products
where cp_id = $;
-- create.3
insert into products as t (name, cp_id, organization_id)
values ($::text, $::text, $::bigint)
returning t.*;
-- create.4
select distinct $::text as key
from products
where id = any ($::bigint[]) and organization_id <> $
union all
select distinct $::text as key
from products
where id = any ($::bigint[]) and organization_id <> $;
-- create.5
insert into subscriptions as t (name, organization_id, product_id)
values ($::text, $::bigint, $::bigint)
returning
  t.*,
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products;
-- create.6
with
  removed as (delete from subscription_products where subscription_id = $ and not product_id = any ($::bigint[]))
insert into subscription_products (subscription_id, product_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.7
select
  t.*,
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $;
-- create.8 is shared 1d16e3: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.9
select t.*
from products t
where t.id = $;
-- create.10
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
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select exists (select from products t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- create.11
select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, t.gpg_key_id as gpg_key_id, t.ssl_ca_cert_id as ssl_ca_cert_id,
  t.ssl_client_cert_id as ssl_client_cert_id, t.ssl_client_key_id as ssl_client_key_id, null as sync_state,
  null as last_sync, null as last_sync_words, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
  t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'enabled', l.enabled, 'product_id', l.product_id, 'content',
            json_build_object(
              'id', c.id::text, 'name', c.name, 'label', c.label, 'type', c.content_type, 'vendor', c.vendor,
              'contentUrl', c.content_url, 'gpgUrl', c.gpg_url
            )
          )
          order by c.name, c.id
        )
      from product_contents l join contents c on c.id = l.content_id
      where l.product_id = t.id
    ),
    '[]'
  ) as product_content,
  '[]'::json as available_content,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'label', x.label, 'content_type', x.content_type, 'url', x.url, 'arch', x.arch)
          order by x.name, x.id
        )
      from repositories x
      where t.id in (x.product_id)
    ),
    '[]'
  ) as repositories,
  '{name:"Anonymous"}'::json as provider,
  '{id:null,product_id:null,progress:null,sync_id:null,state:null,raw_state:null,start_time:null,finish_time:null,duration:null,display_size:null,size:null,is_running:null,error_details:null}'::json as sync_status,
  null as permissions,
  array(
    select distinct v.content_view_id
    from
      repositories r
      join content_view_version_repositories p on p.repository_id = r.id
      join content_view_versions v on v.id = p.content_view_version_id
    where r.product_id = t.id
    order by 1
  ) as published_content_view_ids,
  'false'::json as has_last_affected_repo_in_filter,
  (
    select count(*)
    from tasks k
    where k.state <> 'stopped' and k.kind = 'product.delete' and k.input -> 'product' ->> 'id' = t.id::text
  ) as active_task_count
from products t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.12
select
  t.id as _id, (t.organization_id = any ($::bigint[])) as view_products,
  (t.organization_id = any ($::bigint[])) as edit_products,
  (t.organization_id = any ($::bigint[])) as destroy_products,
  (t.organization_id = any ($::bigint[])) as sync_products
from products t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as an administrator
-- GET /content/api/products/:id: 2 statements
-- show.1 is create.11, but
  from products t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
-- show.2 is create.12

-- update, as an administrator
-- PUT /content/api/products/:id: 10 statements
-- update.1
select t.*
from products t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1
for no key update of t;
-- update.2
update products t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.3
select id
from subscriptions
where product_id = $ and name = $
order by id;
-- update.4 is shared 76142c: select t.id from subscriptions t where (t.id = $::bigint) and true order by t.id limit 1 f…
-- update.5 is shared b2cbd9: select t.*, array( select l.product_id from subscription_products l where l.subscription_i…
-- update.6 is shared 607efc: update subscriptions t set name = $::text, updated_at = now() where id = $ returning t.*;
-- update.7 is create.10, but
            ) places (id)
+         where written.auditable_type = any ($::text[])
+         union all
+         select written.id, places.id
+         from
+           written
+           cross join lateral (
+             select x.organization_id as id
+             from subscriptions x
+             where x.id = written.auditable_id and x.organization_id is not null
+             offset 0
+           ) places (id)
+         where written.auditable_type = any ($::text[])
    )
- select exists (select from products t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select exists (select from subscriptions t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- update.8
select exists (select from products t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- update.9 is create.11
-- update.10 is create.12

-- delete, as an administrator
-- DELETE /content/api/products/:id: 6 statements
-- delete.1 is update.1
-- delete.2
select distinct w.name || ' ' || v.version as called
from
  repositories r
  join content_view_version_repositories p on p.repository_id = r.id
  join content_view_versions v on v.id = p.content_view_version_id
  join content_views w on w.id = v.content_view_id
where r.product_id = $
order by 1
limit $;
-- delete.3
select count(distinct e.host_id) as count
from host_entitlements e join subscriptions s on s.id = e.subscription_id
where s.product_id = $;
-- delete.4 is shared a812a8: select id, name, label from organizations where id = $;
-- delete.5 is shared 03afc9: with planned as ( insert into tasks (kind, action, input, organization_id, user_id, userna…
-- delete.6 is shared 9ba6e4: select t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.act…

-- list, as a limited user
-- GET /content/api/products: 1 statement
-- limited list.1 is list.1, but
  from
-   (select t.* from products t where (t.organization_id = any ($::bigint[])) order by t.name asc, t.id limit $) t
+   (
+     select t.*
+     from products t
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+     order by t.name asc, t.id
+     limit $
+   ) t

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/products: 2 statements
-- limited search.1 is list.1, but
  from
-   (select t.* from products t where (t.organization_id = any ($::bigint[])) order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   (
+     select t.*
+     from products t
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is search.2, but
  from products t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]));

-- create, as a limited user
-- POST /content/api/products: 12 statements
-- limited create.1 is shared a634ae: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6
-- limited create.7 is create.7
-- limited create.8 is shared 1d16e3: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited create.9 is create.9
-- limited create.10 is create.10, but
    )
- select exists (select from products t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select
+   exists (
+     select
+     from products t
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+   ) as held;
-- limited create.11 is create.11
-- limited create.12
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as view_products,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as edit_products,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as destroy_products,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as sync_products
from products t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as a limited user
-- GET /content/api/products/:id: 2 statements
-- limited show.1 is create.11, but
  select
+   shown.*,
+   array(
+     select t.id
+     from repositories t
+     where
+       t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.repositories) entry))
+       and (
+         (
+           t.product_id is null
+           or t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[])))
+         )
+       )
+   ) as _reachable_0
+ from
+   (
+     select
      from products t
- where (t.id = $::bigint) and true
+     where
+       (t.id = $::bigint)
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
      order by t.id
- limit 1;
+     limit 1
+   ) shown;
-- limited show.2 is limited create.12

-- update, as a limited user
-- PUT /content/api/products/:id: 10 statements
-- limited update.1 is update.1, but
  from products t
- where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is shared 76142c: select t.id from subscriptions t where (t.id = $::bigint) and true order by t.id limit 1 f…
-- limited update.5 is shared b2cbd9: select t.*, array( select l.product_id from subscription_products l where l.subscription_i…
-- limited update.6 is shared 607efc: update subscriptions t set name = $::text, updated_at = now() where id = $ returning t.*;
-- limited update.7 is update.7
-- limited update.8
select
  exists (
    select
    from products t
    where
      t.id = $
      and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
      and (t.organization_id = any ($::bigint[]))
  ) as held;
-- limited update.9 is create.11
-- limited update.10 is limited create.12

-- delete, as a limited user
-- DELETE /content/api/products/:id: 7 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is delete.2
-- limited delete.3 is delete.3
-- limited delete.4 is shared a812a8: select id, name, label from organizations where id = $;
-- limited delete.5 is shared 03afc9: with planned as ( insert into tasks (kind, action, input, organization_id, user_id, userna…
-- limited delete.6 is shared 9ba6e4: select t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.act…
-- limited delete.7 is shared 37fdb4: select t.id from tasks t where t.id = any ($::bigint[]) and t.user_id is distinct from $::…
