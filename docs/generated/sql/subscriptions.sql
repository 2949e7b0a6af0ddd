-- list, as an administrator
-- GET /content/api/subscriptions: 2 statements
-- list.1
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
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from subscriptions t
    where (t.organization_id = any ($::bigint[])) and (t.organization_id = $ and not t.unmapped_guest)
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;
-- list.2 is shared a812a8: select id, name, label from organizations where id = $;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/subscriptions: 3 statements
-- search.1 is list.1, but
      from subscriptions t
-     where (t.organization_id = any ($::bigint[])) and (t.organization_id = $ and not t.unmapped_guest)
-     order by t.name asc, t.id
+     where
+       (t.organization_id = any ($::bigint[]))
+       and (t.organization_id = $ and not t.unmapped_guest)
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from subscriptions t
where (t.organization_id = any ($::bigint[])) and (t.organization_id = $ and not t.unmapped_guest);
-- search.3 is shared a812a8: select id, name, label from organizations where id = $;

-- create, as an administrator
-- POST /content/api/subscriptions: 5 statements
-- create.1 is shared 59b85d: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- create.2
insert into subscriptions as t (name, organization_id)
values ($::text, $::bigint)
returning
  t.*,
  array(
    select l.product_id
    from subscription_products l
    where l.subscription_id = t.id
    order by 1
  ) as provided_products;
-- create.3 is shared 1d16e3: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.4
select t.id
from subscriptions t
where t.id = $ and (t.organization_id = any ($::bigint[]));
-- create.5
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
where (t.id = $::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /content/api/subscriptions/:id: 2 statements
-- show.1
select t.id
from subscriptions t
where (t.id = $::bigint or t.cp_id = $) and (t.organization_id = any ($::bigint[]));
-- show.2 is create.5

-- update, as an administrator
-- PUT /content/api/subscriptions/:id: 7 statements
-- update.1 is show.1
-- update.2 is shared 76142c: select t.id from subscriptions t where (t.id = $::bigint) and true order by t.id limit 1 f…
-- update.3 is shared b2cbd9: select t.*, array( select l.product_id from subscription_products l where l.subscription_i…
-- update.4 is shared 607efc: update subscriptions t set name = $::text, updated_at = now() where id = $ returning t.*;
-- update.5 is shared 1d16e3: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.6 is create.4
-- update.7 is create.5

-- delete, as an administrator
-- DELETE /content/api/subscriptions/:id: 10 statements
-- delete.1 is show.1
-- delete.2 is shared 76142c: select t.id from subscriptions t where (t.id = $::bigint) and true order by t.id limit 1 f…
-- delete.3 is shared b2cbd9: select t.*, array( select l.product_id from subscription_products l where l.subscription_i…
-- delete.4
select count(*) as hosts
from host_entitlements
where subscription_id = $;
-- delete.5
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
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.6
select
from subscriptions
where id = $
for update;
-- delete.7
select
from activation_keys k
where k.id in (select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = $)
order by k.id
for no key update of k;
-- delete.8
select
  k.id, k.name,
  (
    select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
    from activation_key_subscriptions l
    where l.activation_key_id = k.id
  ) as pools
from activation_keys k
where k.id in (select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = $)
order by k.id;
-- delete.9
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
            from subscriptions x
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select true as held;
-- delete.10
delete from subscriptions
where id = $;

-- list, as a limited user
-- GET /content/api/subscriptions: 2 statements
-- limited list.1 is list.1, but
      from subscriptions t
-     where (t.organization_id = any ($::bigint[])) and (t.organization_id = $ and not t.unmapped_guest)
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+       and (t.organization_id = $ and not t.unmapped_guest)
-- limited list.2 is shared a812a8: select id, name, label from organizations where id = $;

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/subscriptions: 3 statements
-- limited search.1 is list.1, but
      from subscriptions t
-     where (t.organization_id = any ($::bigint[])) and (t.organization_id = $ and not t.unmapped_guest)
-     order by t.name asc, t.id
+     where
+       ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+       and (t.organization_id = $ and not t.unmapped_guest)
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2 is search.2, but
  from subscriptions t
- where (t.organization_id = any ($::bigint[])) and (t.organization_id = $ and not t.unmapped_guest);
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (t.organization_id = $ and not t.unmapped_guest);
-- limited search.3 is shared a812a8: select id, name, label from organizations where id = $;

-- create, as a limited user
-- POST /content/api/subscriptions: 5 statements
-- limited create.1 is shared a634ae: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- limited create.2 is create.2
-- limited create.3 is shared 1d16e3: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited create.4
select t.id
from subscriptions t
where
  t.id = $
  and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[]));
-- limited create.5 is create.5

-- show, as a limited user
-- GET /content/api/subscriptions/:id: 2 statements
-- limited show.1 is limited create.4, but
  where
-   t.id = $
+   (t.id = $::bigint or t.cp_id = $)
-- limited show.2 is create.5

-- update, as a limited user
-- PUT /content/api/subscriptions/:id: 7 statements
-- limited update.1 is limited show.1
-- limited update.2 is shared 76142c: select t.id from subscriptions t where (t.id = $::bigint) and true order by t.id limit 1 f…
-- limited update.3 is shared b2cbd9: select t.*, array( select l.product_id from subscription_products l where l.subscription_i…
-- limited update.4 is shared 607efc: update subscriptions t set name = $::text, updated_at = now() where id = $ returning t.*;
-- limited update.5 is shared 1d16e3: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited update.6 is limited create.4
-- limited update.7 is create.5

-- delete, as a limited user
-- DELETE /content/api/subscriptions/:id: 10 statements
-- limited delete.1 is limited show.1
-- limited delete.2 is shared 76142c: select t.id from subscriptions t where (t.id = $::bigint) and true order by t.id limit 1 f…
-- limited delete.3 is shared b2cbd9: select t.*, array( select l.product_id from subscription_products l where l.subscription_i…
-- limited delete.4 is delete.4
-- limited delete.5 is delete.5
-- limited delete.6 is delete.6
-- limited delete.7 is delete.7
-- limited delete.8 is delete.8
-- limited delete.9 is delete.9
-- limited delete.10 is delete.10
