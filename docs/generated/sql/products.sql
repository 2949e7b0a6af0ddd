-- list, as an administrator
-- GET /content/api/products: 1 statement

select
  t.id as id, t.cp_id as cp_id, t.name as name, t.label as label, t.description as description, null as provider_id,
  null as sync_plan_id, '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id,
  null as ssl_client_cert_id, null as ssl_client_key_id, null as sync_state, null as last_sync,
  null as last_sync_words, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (select t.* from products t where (t.organization_id = any ($3::bigint[])) order by t.name asc, t.id limit $4) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/products: 2 statements

select
  t.id as id, t.cp_id as cp_id, t.name as name, t.label as label, t.description as description, null as provider_id,
  null as sync_plan_id, '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id,
  null as ssl_client_cert_id, null as ssl_client_key_id, null as sync_state, null as last_sync,
  null as last_sync_words, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from products t
    where (t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from products t
where (t.organization_id = any ($2::bigint[]));

-- create, as an administrator
-- POST /content/api/products: 16 statements

select 0 as place, t.id
from organizations t
where t.id = any ($1::bigint[]) and (true);

select id
from products
where cp_id = $1;

insert into products (name, cp_id, organization_id)
values ($1::text, $2::text, $3::bigint)
returning *;

select distinct $1::text as key
from products
where id = any ($2::bigint[]) and organization_id <> $3
union all
select distinct $4::text as key
from products
where id = any ($5::bigint[]) and organization_id <> $6;

insert into subscriptions (name, organization_id, product_id)
values ($1::text, $2::bigint, $3::bigint)
returning *;

delete from subscription_products
where subscription_id = $1 and not product_id = any ($2::bigint[]);

insert into subscription_products (subscription_id, product_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from subscriptions t
where t.id = $1
for no key update of t;

select
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from subscriptions x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from subscriptions t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select t.*
from products t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from products x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from products t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id, null as ssl_client_cert_id,
  null as ssl_client_key_id, null as sync_state, null as last_sync, null as last_sync_words,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
      where x.product_id = t.id
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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as view_products,
  (t.organization_id = any ($2::bigint[])) as edit_products,
  (t.organization_id = any ($3::bigint[])) as destroy_products,
  (t.organization_id = any ($4::bigint[])) as sync_products
from products t
where t.id = any ($5::bigint[]);

-- show, as an administrator
-- GET /content/api/products/:id: 2 statements

select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id, null as ssl_client_cert_id,
  null as ssl_client_key_id, null as sync_state, null as last_sync, null as last_sync_words,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
      where x.product_id = t.id
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
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as view_products,
  (t.organization_id = any ($2::bigint[])) as edit_products,
  (t.organization_id = any ($3::bigint[])) as destroy_products,
  (t.organization_id = any ($4::bigint[])) as sync_products
from products t
where t.id = any ($5::bigint[]);

-- update, as an administrator
-- PUT /content/api/products/:id: 16 statements

select t.id as id
from products t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from products t
where t.id = $1
for no key update of t;

update products
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from products t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from products x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select id
from subscriptions
where product_id = $1 and name = $2
order by id;

select t.*
from subscriptions t
where t.id = $1
for no key update of t;

select
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $1;

update subscriptions
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from subscriptions t
where t.id = $1
for no key update of t;

select
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from subscriptions x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from subscriptions t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select t.id
from products t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id, null as ssl_client_cert_id,
  null as ssl_client_key_id, null as sync_state, null as last_sync, null as last_sync_words,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
      where x.product_id = t.id
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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as view_products,
  (t.organization_id = any ($2::bigint[])) as edit_products,
  (t.organization_id = any ($3::bigint[])) as destroy_products,
  (t.organization_id = any ($4::bigint[])) as sync_products
from products t
where t.id = any ($5::bigint[]);

-- delete, as an administrator
-- DELETE /content/api/products/:id: 7 statements

select t.id as id
from products t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from products t
where t.id = $1
for no key update of t;

select distinct w.name || ' ' || v.version as called
from
  repositories r
  join content_view_version_repositories p on p.repository_id = r.id
  join content_view_versions v on v.id = p.content_view_version_id
  join content_views w on w.id = v.content_view_id
where r.product_id = $1
order by 1
limit $2;

select count(distinct e.host_id) as count
from host_entitlements e join subscriptions s on s.id = e.subscription_id
where s.product_id = $1;

select id, name, label
from organizations
where id = $1;

with
  planned as (
    insert into tasks (kind, action, input, organization_id, user_id, username)
    values ($1, $2, $3::jsonb, $4::bigint, $5, $6)
    returning id, uuid
  )
select planned.id, planned.uuid
from planned, pg_notify ($7, '');

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization
from tasks t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- list, as a limited user
-- GET /content/api/products: 1 statement

select
  t.id as id, t.cp_id as cp_id, t.name as name, t.label as label, t.description as description, null as provider_id,
  null as sync_plan_id, '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id,
  null as ssl_client_cert_id, null as ssl_client_key_id, null as sync_state, null as last_sync,
  null as last_sync_words, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from products t
    where
      ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
      and (t.organization_id = any ($5::bigint[]))
    order by t.name asc, t.id
    limit $6
  ) t
order by t.name asc, t.id;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/products: 2 statements

select
  t.id as id, t.cp_id as cp_id, t.name as name, t.label as label, t.description as description, null as provider_id,
  null as sync_plan_id, '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id,
  null as ssl_client_cert_id, null as ssl_client_key_id, null as sync_state, null as last_sync,
  null as last_sync_words, t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from products t
    where
      ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
      and (t.organization_id = any ($5::bigint[]))
      and (fold (t.name) like fold ($6))
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from products t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

-- create, as a limited user
-- POST /content/api/products: 16 statements

select 0 as place, t.id
from organizations t
where
  t.id = any ($1::bigint[])
  and (
    (
      (t.id = any ($2::bigint[]))
      or (
        exists (
          select
          from user_organizations m
          where m.user_id = $3 and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
        )
      )
    )
  );

select id
from products
where cp_id = $1;

insert into products (name, cp_id, organization_id)
values ($1::text, $2::text, $3::bigint)
returning *;

select distinct $1::text as key
from products
where id = any ($2::bigint[]) and organization_id <> $3
union all
select distinct $4::text as key
from products
where id = any ($5::bigint[]) and organization_id <> $6;

insert into subscriptions (name, organization_id, product_id)
values ($1::text, $2::bigint, $3::bigint)
returning *;

delete from subscription_products
where subscription_id = $1 and not product_id = any ($2::bigint[]);

insert into subscription_products (subscription_id, product_id)
select $1::bigint, unnest($2::bigint[])
on conflict do nothing;

select t.*
from subscriptions t
where t.id = $1
for no key update of t;

select
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from subscriptions x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from subscriptions t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select t.*
from products t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from products x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from products t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id, null as ssl_client_cert_id,
  null as ssl_client_key_id, null as sync_state, null as last_sync, null as last_sync_words,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
      where x.product_id = t.id
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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as view_products,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as edit_products,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as destroy_products,
  ((((t.organization_id = any ($10::bigint[])) and (fold (t.name) like fold ($11)))))
  and (t.organization_id = any ($12::bigint[])) as sync_products
from products t
where t.id = any ($13::bigint[]);

-- show, as a limited user
-- GET /content/api/products/:id: 2 statements

select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id, null as ssl_client_cert_id,
  null as ssl_client_key_id, null as sync_state, null as last_sync, null as last_sync_words,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
      where x.product_id = t.id
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
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as view_products,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as edit_products,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as destroy_products,
  ((((t.organization_id = any ($10::bigint[])) and (fold (t.name) like fold ($11)))))
  and (t.organization_id = any ($12::bigint[])) as sync_products
from products t
where t.id = any ($13::bigint[]);

-- update, as a limited user
-- PUT /content/api/products/:id: 16 statements

select t.id as id
from products t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from products t
where t.id = $1
for no key update of t;

update products
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from products t
where t.id = $1
for no key update of t;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from products x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select id
from subscriptions
where product_id = $1 and name = $2
order by id;

select t.*
from subscriptions t
where t.id = $1
for no key update of t;

select
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $1;

update subscriptions
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from subscriptions t
where t.id = $1
for no key update of t;

select
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products
from subscriptions t
where t.id = $1;

with
  written as (
    insert into
      audits (
        user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid
      )
    select
      nullif($1::bigint, 0), $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::jsonb,
      coalesce(max(version), 0) + 1, $8::inet, $9::text
    from audits
    where auditable_type = $10 and auditable_id = $11
    returning id
  ),
  into_organizations as (
    insert into audit_organizations (audit_id, organization_id)
    select written.id, places.id
    from
      written,
      (
        select x.organization_id as id
        from subscriptions x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from subscriptions t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select t.id
from products t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  null as sync_state_aggregated, 'false'::json as redhat, t.id as id, t.cp_id as cp_id, t.name as name,
  t.label as label, t.description as description, null as provider_id, null as sync_plan_id,
  '{}'::json as sync_summary, null as gpg_key_id, null as ssl_ca_cert_id, null as ssl_client_cert_id,
  null as ssl_client_key_id, null as sync_state, null as last_sync, null as last_sync_words,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  null as sync_plan,
  (select count(*) from repositories r where r.product_id = t.id) as repository_count,
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
      where x.product_id = t.id
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
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as view_products,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as edit_products,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as destroy_products,
  ((((t.organization_id = any ($10::bigint[])) and (fold (t.name) like fold ($11)))))
  and (t.organization_id = any ($12::bigint[])) as sync_products
from products t
where t.id = any ($13::bigint[]);

-- delete, as a limited user
-- DELETE /content/api/products/:id: 8 statements

select t.id as id
from products t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from products t
where t.id = $1
for no key update of t;

select distinct w.name || ' ' || v.version as called
from
  repositories r
  join content_view_version_repositories p on p.repository_id = r.id
  join content_view_versions v on v.id = p.content_view_version_id
  join content_views w on w.id = v.content_view_id
where r.product_id = $1
order by 1
limit $2;

select count(distinct e.host_id) as count
from host_entitlements e join subscriptions s on s.id = e.subscription_id
where s.product_id = $1;

select id, name, label
from organizations
where id = $1;

with
  planned as (
    insert into tasks (kind, action, input, organization_id, user_id, username)
    values ($1, $2, $3::jsonb, $4::bigint, $5, $6)
    returning id, uuid
  )
select planned.id, planned.uuid
from planned, pg_notify ($7, '');

select
  t.id as id, t.uuid as uuid, t.kind as label, t.state <> 'stopped' as pending, t.action as action,
  t.username as username, t.started_at as started_at, t.ended_at as ended_at,
  round(extract(epoch from coalesce(t.ended_at, now()) - t.started_at), 3)::double precision as duration,
  t.state as state, t.result as result, t.progress::double precision as progress, t.input as input,
  t.output as output,
  json_build_object('action', t.action, 'input', '[]'::json, 'output', '', 'errors', t.errors) as humanized,
  null as cli_example, coalesce(t.started_at, t.created_at) as start_at,
  json_build_object(
    'cancellable', t.state <> 'stopped'
    and not t.cancel_requested, 'resumable', false
  ) as available_actions,
  (
    select json_build_object('id', o.id, 'name', o.name)
    from organizations o
    where o.id = t.organization_id
  ) as organization
from tasks t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.id
from tasks t
where t.id = any ($1::bigint[]) and t.user_id is distinct from $2::bigint;
