-- list, as an administrator
-- GET /api/mail_notifications: 1 statement
-- list.1
select
  t.id as id, t.name as name, t.description as description, t.subscription_type as subscription_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from mail_notifications t
where true
order by t.name asc, t.id
limit 20;

-- list with search=name ~ host and order=id DESC, as an administrator
-- GET /api/mail_notifications: 1 statement
-- search.1
select
  t.id as id, t.name as name, t.description as description, t.subscription_type as subscription_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from mail_notifications t where (fold (t.name) like fold ($)) order by t.id desc, t.id limit $) t
order by t.id desc, t.id;

-- show, as an administrator
-- GET /api/mail_notifications/:id: 1 statement
-- show.1
select t.id as id, t.name as name, t.description as description, t.subscription_type as subscription_type
from mail_notifications t
where (t.id = $::bigint or t.name = $::text) and true
order by (t.name = $::text) desc
limit 1;

-- list, as a limited user
-- GET /api/mail_notifications: 1 statement
-- limited list.1
select
  t.id as id, t.name as name, t.description as description, t.subscription_type as subscription_type,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from
  (
    select t.*
    from mail_notifications t
    where ((((fold (t.name) like fold ($)))))
    order by t.name asc, t.id
    limit $
  ) t
order by t.name asc, t.id;

-- list with search=name ~ host and order=id DESC, as a limited user
-- GET /api/mail_notifications: 2 statements
-- limited search.1 is limited list.1, but
      from mail_notifications t
-     where ((((fold (t.name) like fold ($)))))
-     order by t.name asc, t.id
+     where ((((fold (t.name) like fold ($))))) and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
    ) t
- order by t.name asc, t.id;
+ order by t.id desc, t.id;
-- limited search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from mail_notifications t
where ((((fold (t.name) like fold ($)))));

-- show, as a limited user
-- GET /api/mail_notifications/:id: 1 statement
-- limited show.1 is show.1, but
  from mail_notifications t
- where (t.id = $::bigint or t.name = $::text) and true
+ where (t.id = $::bigint or t.name = $::text) and ((((fold (t.name) like fold ($)))))
