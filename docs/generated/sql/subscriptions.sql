-- list, as an administrator
-- GET /content/api/subscriptions: 2 statements

select
  t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name, t.start_date as start_date,
  t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from subscriptions t
    where ((t.organization_id = $3 and not t.unmapped_guest)) and (t.organization_id = any ($4::bigint[]))
    order by t.name asc, t.id
    limit $5
  ) t
order by t.name asc, t.id;

select id, name, label
from organizations
where id = $1;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/subscriptions: 3 statements

select
  t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name, t.start_date as start_date,
  t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from subscriptions t
    where
      ((t.organization_id = $3 and not t.unmapped_guest))
      and (t.organization_id = any ($4::bigint[]))
      and (fold (t.name) like fold ($5))
    order by t.id desc, t.id
    limit $6
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from subscriptions t
where ((t.organization_id = $2 and not t.unmapped_guest)) and (t.organization_id = any ($3::bigint[]));

select id, name, label
from organizations
where id = $1;

-- create, as an administrator
-- POST /content/api/subscriptions: 8 statements

select 0 as place, t.id
from organizations t
where t.id = any ($1::bigint[]) and (true);

insert into subscriptions (name, organization_id)
values ($1::text, $2::bigint)
returning *;

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
from subscriptions t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  t.arch as arch, t.description as description, t.support_type as support_type, t.roles as roles, t.usage as usage,
  t.addons as addons, t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name,
  t.start_date as start_date, t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select count(*) from host_entitlements e where e.subscription_id = t.id) as host_count,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subscription_products l join products x on x.id = l.product_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as provided_products,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', k.id, 'name', k.name, 'release_version', k.release_version, 'service_level', k.service_level,
            'environment',
            (
              select json_build_object('id', e.id, 'name', e.name)
              from lifecycle_environments e
              where e.id = k.environment_id
            ),
            'content_view',
            (
              select json_build_object('id', v.id, 'name', v.name)
              from content_views v
              where v.id = k.content_view_id
            )
          )
          order by k.name, k.id
        )
      from activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as activation_keys,
  t.created_at as created_at, t.updated_at as updated_at
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /content/api/subscriptions/:id: 2 statements

select t.id
from subscriptions t
where (t.id = $1::bigint or t.cp_id = $2) and (t.organization_id = any ($3::bigint[]));

select
  t.arch as arch, t.description as description, t.support_type as support_type, t.roles as roles, t.usage as usage,
  t.addons as addons, t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name,
  t.start_date as start_date, t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select count(*) from host_entitlements e where e.subscription_id = t.id) as host_count,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subscription_products l join products x on x.id = l.product_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as provided_products,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', k.id, 'name', k.name, 'release_version', k.release_version, 'service_level', k.service_level,
            'environment',
            (
              select json_build_object('id', e.id, 'name', e.name)
              from lifecycle_environments e
              where e.id = k.environment_id
            ),
            'content_view',
            (
              select json_build_object('id', v.id, 'name', v.name)
              from content_views v
              where v.id = k.content_view_id
            )
          )
          order by k.name, k.id
        )
      from activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as activation_keys,
  t.created_at as created_at, t.updated_at as updated_at
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- update, as an administrator
-- PUT /content/api/subscriptions/:id: 10 statements

select t.id
from subscriptions t
where (t.id = $1::bigint or t.cp_id = $2) and (t.organization_id = any ($3::bigint[]));

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
from subscriptions t
where t.id = $1 and (t.organization_id = any ($2::bigint[]));

select
  t.arch as arch, t.description as description, t.support_type as support_type, t.roles as roles, t.usage as usage,
  t.addons as addons, t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name,
  t.start_date as start_date, t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select count(*) from host_entitlements e where e.subscription_id = t.id) as host_count,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subscription_products l join products x on x.id = l.product_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as provided_products,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', k.id, 'name', k.name, 'release_version', k.release_version, 'service_level', k.service_level,
            'environment',
            (
              select json_build_object('id', e.id, 'name', e.name)
              from lifecycle_environments e
              where e.id = k.environment_id
            ),
            'content_view',
            (
              select json_build_object('id', v.id, 'name', v.name)
              from content_views v
              where v.id = k.content_view_id
            )
          )
          order by k.name, k.id
        )
      from activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as activation_keys,
  t.created_at as created_at, t.updated_at as updated_at
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /content/api/subscriptions/:id: 10 statements

select t.id
from subscriptions t
where (t.id = $1::bigint or t.cp_id = $2) and (t.organization_id = any ($3::bigint[]));

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

select count(*) as hosts
from host_entitlements
where subscription_id = $1;

select
  t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name, t.start_date as start_date,
  t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
from subscriptions
where id = $1
for update;

select
from activation_keys k
where k.id in (select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = $1)
order by k.id
for no key update of k;

select
  k.id, k.name,
  (
    select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
    from activation_key_subscriptions l
    where l.activation_key_id = k.id
  ) as pools
from activation_keys k
where k.id in (select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = $1)
order by k.id;

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

delete from subscriptions
where id = $1;

-- list, as a limited user
-- GET /content/api/subscriptions: 2 statements

select
  t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name, t.start_date as start_date,
  t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from subscriptions t
    where
      ((t.organization_id = $3 and not t.unmapped_guest))
      and ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
      and (t.organization_id = any ($6::bigint[]))
    order by t.name asc, t.id
    limit $7
  ) t
order by t.name asc, t.id;

select id, name, label
from organizations
where id = $1;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/subscriptions: 3 statements

select
  t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name, t.start_date as start_date,
  t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from subscriptions t
    where
      ((t.organization_id = $3 and not t.unmapped_guest))
      and ((((t.organization_id = any ($4::bigint[])) and (fold (t.name) like fold ($5)))))
      and (t.organization_id = any ($6::bigint[]))
      and (fold (t.name) like fold ($7))
    order by t.id desc, t.id
    limit $8
  ) t
order by t.id desc, t.id;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from subscriptions t
where
  ((t.organization_id = $2 and not t.unmapped_guest))
  and ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
  and (t.organization_id = any ($5::bigint[]));

select id, name, label
from organizations
where id = $1;

-- create, as a limited user
-- POST /content/api/subscriptions: 8 statements

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

insert into subscriptions (name, organization_id)
values ($1::text, $2::bigint)
returning *;

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
from subscriptions t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  t.arch as arch, t.description as description, t.support_type as support_type, t.roles as roles, t.usage as usage,
  t.addons as addons, t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name,
  t.start_date as start_date, t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select count(*) from host_entitlements e where e.subscription_id = t.id) as host_count,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subscription_products l join products x on x.id = l.product_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as provided_products,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', k.id, 'name', k.name, 'release_version', k.release_version, 'service_level', k.service_level,
            'environment',
            (
              select json_build_object('id', e.id, 'name', e.name)
              from lifecycle_environments e
              where e.id = k.environment_id
            ),
            'content_view',
            (
              select json_build_object('id', v.id, 'name', v.name)
              from content_views v
              where v.id = k.content_view_id
            )
          )
          order by k.name, k.id
        )
      from activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as activation_keys,
  t.created_at as created_at, t.updated_at as updated_at
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /content/api/subscriptions/:id: 2 statements

select t.id
from subscriptions t
where
  (t.id = $1::bigint or t.cp_id = $2)
  and ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
  and (t.organization_id = any ($5::bigint[]));

select
  t.arch as arch, t.description as description, t.support_type as support_type, t.roles as roles, t.usage as usage,
  t.addons as addons, t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name,
  t.start_date as start_date, t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select count(*) from host_entitlements e where e.subscription_id = t.id) as host_count,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subscription_products l join products x on x.id = l.product_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as provided_products,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', k.id, 'name', k.name, 'release_version', k.release_version, 'service_level', k.service_level,
            'environment',
            (
              select json_build_object('id', e.id, 'name', e.name)
              from lifecycle_environments e
              where e.id = k.environment_id
            ),
            'content_view',
            (
              select json_build_object('id', v.id, 'name', v.name)
              from content_views v
              where v.id = k.content_view_id
            )
          )
          order by k.name, k.id
        )
      from activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as activation_keys,
  t.created_at as created_at, t.updated_at as updated_at
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- update, as a limited user
-- PUT /content/api/subscriptions/:id: 10 statements

select t.id
from subscriptions t
where
  (t.id = $1::bigint or t.cp_id = $2)
  and ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
  and (t.organization_id = any ($5::bigint[]));

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
from subscriptions t
where
  t.id = $1
  and ((((t.organization_id = any ($2::bigint[])) and (fold (t.name) like fold ($3)))))
  and (t.organization_id = any ($4::bigint[]));

select
  t.arch as arch, t.description as description, t.support_type as support_type, t.roles as roles, t.usage as usage,
  t.addons as addons, t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name,
  t.start_date as start_date, t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached,
  (select count(*) from host_entitlements e where e.subscription_id = t.id) as host_count,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from subscription_products l join products x on x.id = l.product_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as provided_products,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', k.id, 'name', k.name, 'release_version', k.release_version, 'service_level', k.service_level,
            'environment',
            (
              select json_build_object('id', e.id, 'name', e.name)
              from lifecycle_environments e
              where e.id = k.environment_id
            ),
            'content_view',
            (
              select json_build_object('id', v.id, 'name', v.name)
              from content_views v
              where v.id = k.content_view_id
            )
          )
          order by k.name, k.id
        )
      from activation_key_subscriptions l join activation_keys k on k.id = l.activation_key_id
      where l.subscription_id = t.id
    ),
    '[]'
  ) as activation_keys,
  t.created_at as created_at, t.updated_at as updated_at
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /content/api/subscriptions/:id: 10 statements

select t.id
from subscriptions t
where
  (t.id = $1::bigint or t.cp_id = $2)
  and ((((t.organization_id = any ($3::bigint[])) and (fold (t.name) like fold ($4)))))
  and (t.organization_id = any ($5::bigint[]));

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

select count(*) as hosts
from host_entitlements
where subscription_id = $1;

select
  t.id as id, t.cp_id as cp_id, t.id as subscription_id, t.name as name, t.start_date as start_date,
  t.end_date as end_date,
  case when t.quantity = -1 then -1 else t.quantity - t.consumed
  end as available, t.quantity as quantity, t.consumed as consumed, t.account_number as account_number,
  t.contract_number as contract_number, t.support_level as support_level,
  (select o.cp_id from products o where o.id = t.product_id) as product_id,
  t.sockets as sockets, t.cores as cores, t.ram as ram, t.instance_multiplier as instance_multiplier,
  t.stacking_id as stacking_id, t.multi_entitlement as multi_entitlement, t.type as type, t.name as product_name,
  t.unmapped_guest as unmapped_guest, t.virt_only as virt_only, t.virt_who as virt_who, t.upstream as upstream,
  t.upstream_pool_id as upstream_pool_id,
  (select json_build_object('id', h.id, 'name', h.name) from hosts h where h.id = t.hypervisor_id) as hypervisor,
  null as quantity_attached
from subscriptions t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
from subscriptions
where id = $1
for update;

select
from activation_keys k
where k.id in (select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = $1)
order by k.id
for no key update of k;

select
  k.id, k.name,
  (
    select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
    from activation_key_subscriptions l
    where l.activation_key_id = k.id
  ) as pools
from activation_keys k
where k.id in (select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = $1)
order by k.id;

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

delete from subscriptions
where id = $1;
