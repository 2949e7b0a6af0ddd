-- list, as an administrator
-- GET /content/api/activation_keys: 3 statements

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.release_version as release_version, t.purpose_usage as purpose_usage, t.purpose_role as purpose_role,
  array_to_json(t.purpose_addons) as purpose_addons, t.content_view_id as content_view_id,
  t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from activation_keys t
    where (t.organization_id = any ($3::bigint[]))
    order by t.name asc, t.id
    limit $4
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from activation_keys t
where (t.organization_id = any ($2::bigint[]));

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/activation_keys: 4 statements

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.release_version as release_version, t.purpose_usage as purpose_usage, t.purpose_role as purpose_role,
  array_to_json(t.purpose_addons) as purpose_addons, t.content_view_id as content_view_id,
  t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from activation_keys t
    where (t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4))
    order by t.id desc, t.id
    limit $5
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from activation_keys t
where (t.organization_id = any ($2::bigint[]));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from activation_keys t
where (t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3));

-- create, as an administrator
-- POST /content/api/activation_keys: 8 statements

select 0 as place, t.id
from organizations t
where t.id = any ($1::bigint[]) and (true);

insert into activation_keys (organization_id, name, user_id)
values ($1::bigint, $2::text, $3::bigint)
returning *;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
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
        from activation_keys x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from activation_keys t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.service_level as service_level, t.release_version as release_version, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  t.content_view_id as content_view_id, t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations
from activation_keys t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as view_activation_keys,
  (t.organization_id = any ($2::bigint[])) as edit_activation_keys,
  (t.organization_id = any ($3::bigint[])) as destroy_activation_keys
from activation_keys t
where t.id = any ($4::bigint[]);

-- show, as an administrator
-- GET /content/api/activation_keys/:id: 2 statements

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.service_level as service_level, t.release_version as release_version, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  t.content_view_id as content_view_id, t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations
from activation_keys t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select
  t.id as _id, (t.organization_id = any ($1::bigint[])) as view_activation_keys,
  (t.organization_id = any ($2::bigint[])) as edit_activation_keys,
  (t.organization_id = any ($3::bigint[])) as destroy_activation_keys
from activation_keys t
where t.id = any ($4::bigint[]);

-- update, as an administrator
-- PUT /content/api/activation_keys/:id: 8 statements

select t.id as id
from activation_keys t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
where t.id = $1;

update activation_keys
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
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
        from activation_keys x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from activation_keys t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

-- delete, as an administrator
-- DELETE /content/api/activation_keys/:id: 7 statements

select t.id as id
from activation_keys t
where (t.id = $1::bigint) and (t.organization_id = any ($2::bigint[]))
order by t.id
limit 1;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
where t.id = $1;

select
  t.id as id, t.organization_id as organization_id, t.name as name, t.description as description,
  t.environment_id as environment_id, t.content_view_id as content_view_id, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.usage_count as usage_count, t.auto_attach as auto_attach,
  t.release_version as release_version, t.service_level as service_level, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons, t.enabled as enabled,
  t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at
from activation_keys t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select p.id
from parameters p
where
  p.name = $1
  and (p.host_id is not null or p.hostgroup_id is not null)
  and $2::text in (select trim(w.name) from regexp_split_to_table(p.value #>> '{}', ',') as w (name))
  and (
    exists (select from hosts h where h.id = p.host_id and coalesce(h.organization_id, $3) = $4)
    or exists (
      select
      from hostgroups g
      where
        g.id = p.hostgroup_id
        and (
          exists (select from hostgroup_organizations l where l.hostgroup_id = g.id and l.organization_id = $5)
          or not exists (select from hostgroup_organizations l where l.hostgroup_id = g.id)
        )
    )
  )
limit 1;

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
        from activation_keys x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

delete from activation_keys
where id = $1;

-- list, as a limited user
-- GET /content/api/activation_keys: 3 statements

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.release_version as release_version, t.purpose_usage as purpose_usage, t.purpose_role as purpose_role,
  array_to_json(t.purpose_addons) as purpose_addons, t.content_view_id as content_view_id,
  t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from activation_keys t
    where
      ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
      and (t.organization_id = any ($5::bigint[]))
    order by t.name asc, t.id
    limit $6
  ) t
order by t.name asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from activation_keys t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/activation_keys: 4 statements

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.release_version as release_version, t.purpose_usage as purpose_usage, t.purpose_role as purpose_role,
  array_to_json(t.purpose_addons) as purpose_addons, t.content_view_id as content_view_id,
  t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from activation_keys t
    where
      ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
      and (t.organization_id = any ($5::bigint[]))
      and (fold (t.name) like fold ($6))
    order by t.id desc, t.id
    limit $7
  ) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from activation_keys t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from activation_keys t
where
  ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
  and (fold (t.name) like fold ($5));

-- create, as a limited user
-- POST /content/api/activation_keys: 8 statements

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

insert into activation_keys (organization_id, name, user_id)
values ($1::bigint, $2::text, $3::bigint)
returning *;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
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
        from activation_keys x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from activation_keys t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.service_level as service_level, t.release_version as release_version, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  t.content_view_id as content_view_id, t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations
from activation_keys t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as view_activation_keys,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as edit_activation_keys,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as destroy_activation_keys
from activation_keys t
where t.id = any ($10::bigint[]);

-- show, as a limited user
-- GET /content/api/activation_keys/:id: 2 statements

select
  t.id as id, t.name as name, t.description as description, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.auto_attach as auto_attach, t.usage_count as usage_count, t.user_id as user_id,
  t.service_level as service_level, t.release_version as release_version, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  t.content_view_id as content_view_id, t.environment_id as environment_id,
  (
    select json_build_object('id', x.id, 'name', x.name)
    from content_views x
    where x.id = t.content_view_id
  ) as content_view,
  (
    select json_build_object('name', x.name, 'id', x.id)
    from lifecycle_environments x
    where x.id = t.environment_id
  ) as environment,
  t.organization_id as organization_id,
  (
    select json_build_object('name', x.name, 'label', x.label, 'id', x.id)
    from organizations x
    where x.id = t.organization_id
  ) as organization,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from products x
      where
        x.id in (
          select s.product_id
          from activation_key_subscriptions l join subscriptions s on s.id = l.subscription_id
          where l.activation_key_id = t.id and s.product_id is not null
          union
          select n.product_id
          from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
          where l.activation_key_id = t.id
        )
    ),
    '[]'
  ) as products,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from activation_key_host_collections l join host_collections x on x.id = l.host_collection_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as host_collections,
  null as permissions, t.created_at as created_at, t.updated_at as updated_at,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'label',
            case when v."default" and e.library then e.label else e.label || '/' || v.label
            end, 'content_view', json_build_object('id', v.id, 'name', v.name), 'environment',
            json_build_object('id', e.id, 'name', e.name), 'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'lifecycle_environment_library', e.library)
          )
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    '[]'
  ) as content_view_environments,
  coalesce(
    (
      select
        string_agg(
          case when v."default" and e.library then e.label else e.label || '/' || v.label
          end, ','
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
        join content_views v on v.id = p.content_view_id
        join lifecycle_environments e on e.id = p.environment_id
    ),
    ''
  ) as content_view_environment_labels,
  exists (
    select
    from activation_key_environments f
    where f.activation_key_id = t.id
  ) as multi_content_view_environment,
  t.enabled as enabled, t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.title, x.id)
      from activation_key_locations l join locations x on x.id = l.location_id
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as locations
from activation_keys t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select
  t.id as _id,
  ((((t.organization_id = any ($1::bigint[])) and (fold (t.name) like fold ($2)))))
  and (t.organization_id = any ($3::bigint[])) as view_activation_keys,
  ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
  and (t.organization_id = any ($6::bigint[])) as edit_activation_keys,
  ((((t.organization_id = any ($7::bigint[])) and (fold (t.name) like fold ($8)))))
  and (t.organization_id = any ($9::bigint[])) as destroy_activation_keys
from activation_keys t
where t.id = any ($10::bigint[]);

-- update, as a limited user
-- PUT /content/api/activation_keys/:id: 8 statements

select t.id as id
from activation_keys t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
where t.id = $1;

update activation_keys
set name = $1::text, updated_at = now()
where id = $2;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
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
        from activation_keys x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

select t.id
from activation_keys t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

-- delete, as a limited user
-- DELETE /content/api/activation_keys/:id: 7 statements

select t.id as id
from activation_keys t
where
  (t.id = $1::bigint)
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]))
order by t.id
limit 1;

select t.*
from activation_keys t
where t.id = $1
for no key update of t;

select
  coalesce(
    (
      select
        json_agg(
          json_build_object('environment_id', p.environment_id, 'content_view_id', p.content_view_id)
          order by p.position
        )
      from
        (
          select 0 as position, t.content_view_id as content_view_id, t.environment_id as environment_id
          where t.content_view_id is not null and t.environment_id is not null
          union all
          select f.position, f.content_view_id, f.environment_id
          from activation_key_environments f
          where f.activation_key_id = t.id
        ) p
    ),
    '[]'
  ) as content_view_environments,
  array(
    select l.host_collection_id
    from activation_key_host_collections l
    where l.activation_key_id = t.id
    order by 1
  ) as host_collections,
  array(
    select l.location_id
    from activation_key_locations l
    where l.activation_key_id = t.id
    order by 1
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('content_label', c.label, 'name', o.name, 'value', o.value)
          order by c.label, o.name
        )
      from activation_key_content_overrides o join contents c on c.id = o.content_id
      where o.activation_key_id = t.id
    ),
    '[]'
  ) as content_overrides,
  coalesce(
    (
      select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
      from activation_key_subscriptions l
      where l.activation_key_id = t.id
    ),
    '[]'
  ) as subscriptions
from activation_keys t
where t.id = $1;

select
  t.id as id, t.organization_id as organization_id, t.name as name, t.description as description,
  t.environment_id as environment_id, t.content_view_id as content_view_id, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.usage_count as usage_count, t.auto_attach as auto_attach,
  t.release_version as release_version, t.service_level as service_level, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons, t.enabled as enabled,
  t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at
from activation_keys t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select p.id
from parameters p
where
  p.name = $1
  and (p.host_id is not null or p.hostgroup_id is not null)
  and $2::text in (select trim(w.name) from regexp_split_to_table(p.value #>> '{}', ',') as w (name))
  and (
    exists (select from hosts h where h.id = p.host_id and coalesce(h.organization_id, $3) = $4)
    or exists (
      select
      from hostgroups g
      where
        g.id = p.hostgroup_id
        and (
          exists (select from hostgroup_organizations l where l.hostgroup_id = g.id and l.organization_id = $5)
          or not exists (select from hostgroup_organizations l where l.hostgroup_id = g.id)
        )
    )
  )
limit 1;

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
        from activation_keys x
        where x.id = $12::bigint and x.organization_id is not null
      ) places
  )
select id
from written;

delete from activation_keys
where id = $1;
