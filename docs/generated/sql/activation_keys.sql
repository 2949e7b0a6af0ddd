-- list, as an administrator
-- GET /content/api/activation_keys: 3 statements
-- list.1
select
  t.id,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from activation_keys t
where (t.organization_id = any ($::bigint[]))
order by t.name asc, t.id
limit $;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from activation_keys t
where (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /content/api/activation_keys: 4 statements
-- search.1 is list.1, but
  from activation_keys t
- where (t.organization_id = any ($::bigint[]))
- order by t.name asc, t.id
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($))
+ order by t.id desc, t.id
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
  from activation_keys t
- where (t.organization_id = any ($::bigint[]));
+ where (t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /content/api/activation_keys: 6 statements
-- create.1 is shared 59b85d: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- create.2
insert into activation_keys as t (organization_id, name, user_id)
values ($::bigint, $::text, $::bigint)
returning
  t.*,
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
  ) as subscriptions;
-- create.3 is create.2, but
- insert into activation_keys as t (organization_id, name, user_id)
- values ($::bigint, $::text, $::bigint)
- returning
+ select
      '[]'
-   ) as subscriptions;
+   ) as subscriptions
+ from activation_keys t
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
            from activation_keys x
            where x.id = written.auditable_id and x.organization_id is not null
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  )
select exists (select from activation_keys t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
-- create.5
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
            end, 'content_view',
            json_build_object(
              'id', v.id, 'name', v.name, 'label', v.label, 'composite', v.composite, 'rolling', false,
              'content_view_version', n.version, 'content_view_version_id', n.id, 'content_view_version_latest',
              n.id = (
                select x.id
                from content_view_versions x
                where x.content_view_id = v.id
                order by x.major desc, x.minor desc
                limit 1
              ),
              'content_view_default', v."default", 'content_view_environment_id', c.id
            ),
            'lifecycle_environment',
            json_build_object('id', e.id, 'name', e.name, 'label', e.label, 'lifecycle_environment_library', e.library),
            'environment', json_build_object('id', e.id, 'name', e.name)
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
        left join content_view_environments c on c.content_view_id = v.id
        and c.environment_id = e.id
        left join content_view_versions n on n.id = c.content_view_version_id
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
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- create.6
select
  t.id as _id, (t.organization_id = any ($::bigint[])) as view_activation_keys,
  (t.organization_id = any ($::bigint[])) as edit_activation_keys,
  (t.organization_id = any ($::bigint[])) as destroy_activation_keys
from activation_keys t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as an administrator
-- GET /content/api/activation_keys/:id: 2 statements
-- show.1 is create.5, but
  from activation_keys t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
-- show.2 is create.6

-- update, as an administrator
-- PUT /content/api/activation_keys/:id: 5 statements
-- update.1
select t.id
from activation_keys t
where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
order by t.id
limit 1
for no key update of t;
-- update.2 is create.2, but
- insert into activation_keys as t (organization_id, name, user_id)
- values ($::bigint, $::text, $::bigint)
- returning
+ select
      '[]'
-   ) as subscriptions;
+   ) as subscriptions
+ from activation_keys t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- update.3
select distinct
  coalesce(
    case
      when p.hidden_value
      and (p.value #>> '{}') ~ '^mw:sealed:1:[0-9a-f]{8}[.][A-Za-z0-9_-]+[.]2$' then substr((p.value #>> '{}'), 13)
    end,
    in_order (p.value, (select k.ordered from parameters_order k where k.id = p.id))::text
  ) as names
from parameters p
where
  p.name = $
  and (p.host_id is not null or p.hostgroup_id is not null)
  and (
    p.hidden_value
    or $::text in (select trim(w.name) from regexp_split_to_table(p.value #>> '{}', ',') as w (name))
  )
  and (
    exists (select from hosts h where h.id = p.host_id and coalesce(h.organization_id, $) = $)
    or exists (
      select
      from hostgroups g
      where
        g.id = p.hostgroup_id
        and (
          exists (select from hostgroup_organizations l where l.hostgroup_id = g.id and l.organization_id = $)
          or not exists (select from hostgroup_organizations l where l.hostgroup_id = g.id)
        )
    )
  );
-- update.4
update activation_keys t
set name = $::text, updated_at = now()
where id = $
returning t.*;
-- update.5 is create.4

-- delete, as an administrator
-- DELETE /content/api/activation_keys/:id: 6 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.organization_id as organization_id, t.name as name, t.description as description,
  t.environment_id as environment_id, t.content_view_id as content_view_id, t.unlimited_hosts as unlimited_hosts,
  t.max_hosts as max_hosts, t.usage_count as usage_count, t.auto_attach as auto_attach,
  t.release_version as release_version, t.service_level as service_level, t.purpose_usage as purpose_usage,
  t.purpose_role as purpose_role, array_to_json(t.purpose_addons) as purpose_addons, t.enabled as enabled,
  t.single_use as single_use, t.used_at as used_at, t.expires_at as expires_at, t.user_id as user_id,
  t.created_at as created_at, t.updated_at as updated_at
from activation_keys t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is update.3
-- delete.5 is create.4, but
    )
- select exists (select from activation_keys t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select true as held;
-- delete.6
delete from activation_keys
where id = $;

-- list, as a limited user
-- GET /content/api/activation_keys: 3 statements
-- limited list.1 is list.1, but
  from activation_keys t
- where (t.organization_id = any ($::bigint[]))
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3 is list.3, but
  from activation_keys t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /content/api/activation_keys: 4 statements
-- limited search.1 is list.1, but
  from activation_keys t
- where (t.organization_id = any ($::bigint[]))
- order by t.name asc, t.id
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($))
+ order by t.id desc, t.id
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is list.3, but
  from activation_keys t
- where (t.organization_id = any ($::bigint[]));
+ where
+   ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /content/api/activation_keys: 6 statements
-- limited create.1 is shared a634ae: select 0 as place, t.id from organizations t where t.id = any ((select $::bigint[])::bigin…
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4, but
    )
- select exists (select from activation_keys t where t.id = $ and (t.organization_id = any ($::bigint[]))) as held;
+ select
+   exists (
+     select
+     from activation_keys t
+     where
+       t.id = $
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
+   ) as held;
-- limited create.5 is create.5
-- limited create.6
select
  t.id as _id,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as view_activation_keys,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as edit_activation_keys,
  ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
  and (t.organization_id = any ($::bigint[])) as destroy_activation_keys
from activation_keys t
where t.id = any ((select $::bigint[])::bigint[]);

-- show, as a limited user
-- GET /content/api/activation_keys/:id: 2 statements
-- limited show.1 is create.5, but
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
+   ) as _reachable_0
+ from
+   (
+     select
                select n.product_id
-           from activation_key_subscriptions l join subscription_products n on n.subscription_id = l.subscription_id
+               from
+                 activation_key_subscriptions l
+                 join subscription_products n on n.subscription_id = l.subscription_id
      from activation_keys t
- where (t.id = $::bigint) and true
+     where
+       (t.id = $::bigint)
+       and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+       and (t.organization_id = any ($::bigint[]))
      order by t.id
- limit 1;
+     limit 1
+   ) shown;
-- limited show.2 is limited create.6

-- update, as a limited user
-- PUT /content/api/activation_keys/:id: 5 statements
-- limited update.1 is update.1, but
  from activation_keys t
- where (t.id = $::bigint) and (t.organization_id = any ($::bigint[]))
+ where
+   (t.id = $::bigint)
+   and ((((t.organization_id = any ($::bigint[])) and (fold (t.name) like fold ($)))))
+   and (t.organization_id = any ($::bigint[]))
-- limited update.2 is update.2
-- limited update.3 is update.3
-- limited update.4 is update.4
-- limited update.5 is limited create.4

-- delete, as a limited user
-- DELETE /content/api/activation_keys/:id: 6 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is update.3
-- limited delete.5 is delete.5
-- limited delete.6 is delete.6
