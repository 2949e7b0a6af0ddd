-- list, as an administrator
-- GET /content/api/repository_sets: 2 statements
-- list.1
select count(*) as total, count(*) filter (where true) as subtotal
from product_contents t join contents c on c.id = t.content_id join products o on o.id = t.product_id
where
  (true)
  and (true)
  and (o.organization_id = $ and c.content_type in ('yum', 'deb', 'ostree'))
  and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))));
-- list.2
select
  t.enabled as enabled, json_build_object('id', o.id, 'name', o.name) as product,
  json_build_object(
    'id', c.id, 'name', c.name, 'label', c.label, 'vendor', c.vendor, 'content_type', c.content_type, 'content_url',
    c.content_url, 'gpg_url', c.gpg_url
  ) as content,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', r.id, 'name', r.name, 'arch', r.arch, 'releasever', r.minor)
          order by r.name, r.id
        )
      from repositories r
      where r.content_id = c.id and r.product_id = o.id
    ),
    '[]'
  ) as repositories,
  c.name as name, c.vendor as vendor, c.label as label, c.id::text as id, c.content_type as type,
  c.gpg_url as "gpgUrl", c.content_url as "contentUrl",
  (
    select string_agg(distinct r.arch, ',')
    from repositories r
    where r.content_id = c.id and r.product_id = o.id
  ) as "archRestricted",
  (
    select string_agg(distinct y.version, ',')
    from repositories r, unnest(r.os_versions) as y (version)
    where r.content_id = c.id and r.product_id = o.id
  ) as "osRestricted",
  coalesce(null::text, 'default') as override, '[]'::json as overrides,
  null::text = '1' as enabled_content_override, c.vendor <> 'Custom' as redhat
from product_contents t join contents c on c.id = t.content_id join products o on o.id = t.product_id
where
  (true)
  and (true)
  and (o.organization_id = $ and c.content_type in ('yum', 'deb', 'ostree'))
  and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
  and true
order by (select t_1.name from contents as t_1 where t_1.id = t.content_id) asc, c.id, o.id
limit $
offset $;

-- list with search=name ~ ex and order=name DESC, as an administrator
-- GET /content/api/repository_sets: 2 statements
-- search.1 is list.1, but
- select count(*) as total, count(*) filter (where true) as subtotal
+ select
+   count(*) as total,
+   count(*) filter (
+     where exists (select 1 from contents as t_1 where t_1.id = t.content_id and fold (t_1.name) like fold ($))
+   ) as subtotal
-- search.2 is list.2, but
    and (t.product_id in (select t.id from products t where (t.organization_id = any ($::bigint[]))))
-   and true
- order by (select t_1.name from contents as t_1 where t_1.id = t.content_id) asc, c.id, o.id
+   and exists (select 1 from contents as t_1 where t_1.id = t.content_id and fold (t_1.name) like fold ($))
+ order by (select t_1.name from contents as t_1 where t_1.id = t.content_id) desc, c.id, o.id

-- show, as an administrator
-- GET /content/api/repository_sets/:id: 3 statements
-- show.1
select organization_id
from contents
where id = $::bigint;
-- show.2 is list.1, but
  where
-   (true)
+   ((c.id = $::bigint))
-- show.3 is list.2, but
  where
-   (true)
+   ((c.id = $::bigint))

-- list, as a limited user
-- GET /content/api/repository_sets: what list runs

-- list with search=name ~ ex and order=name DESC, as a limited user
-- GET /content/api/repository_sets: what search runs

-- show, as a limited user
-- GET /content/api/repository_sets/:id: what show runs
