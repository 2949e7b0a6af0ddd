-- list, as an administrator
-- GET /api/filters: 1 statement
-- list.1
select
  t.search as search,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type,
  (
    select min(p.resource_type)
    from filter_permissions fp join permissions p on p.id = fp.permission_id
    where fp.filter_id = t.id
  ) as resource_type_label,
  (
    t.search is null
    and case
      when t.override then not exists (select from filter_organizations where filter_id = t.id)
      and not exists (select from filter_locations where filter_id = t.id)
      else not exists (select from role_organizations where role_id = t.role_id)
      and not exists (select from role_locations where role_id = t.role_id)
    end
  ) as "unlimited?",
  t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
  (
    select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
    from roles x
    where x.id = t.role_id
  ) as role,
  coalesce(
    (
      select
        json_agg(
          json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
          order by x.name, x.id
        )
      from filter_permissions l join permissions x on x.id = l.permission_id
      where l.filter_id = t.id
    ),
    '[]'
  ) as permissions,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from filters t
where true
order by t.id asc, t.id
limit 20;

-- list with search=id > 0 and order=id DESC, as an administrator
-- GET /api/filters: 2 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from filters t
- where true
- order by t.id asc, t.id
- limit 20;
+ from (select t.* from filters t where (t.id > $::bigint) order by t.id desc, t.id limit $) t
+ order by t.id desc, t.id;
-- search.2
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from filters t
where (t.id > $::bigint);

-- create, as an administrator
-- POST /api/filters: 11 statements
-- create.1
select 0 as place, t.id
from roles t
where t.id = any ((select $::bigint[])::bigint[]) and true
union all
select 1 as place, t.id
from permissions t
where t.id = any ((select $::bigint[])::bigint[]) and true;
-- create.2
select id, origin, builtin
from roles
where id = $::bigint
for share;
-- create.3
select resource_type
from permissions
where id = any ($::bigint[]);
-- create.4
insert into filters as t (role_id)
values ($::bigint)
returning
  t.*,
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations;
-- create.5
with removed as (delete from filter_permissions where filter_id = $ and not permission_id = any ($::bigint[]))
insert into filter_permissions (filter_id, permission_id)
select $::bigint, unnest($::bigint[])
on conflict do nothing;
-- create.6
delete from filter_locations
where filter_id = $ and not location_id = any ($::bigint[]);
-- create.7
delete from filter_organizations
where filter_id = $ and not organization_id = any ($::bigint[]);
-- create.8
select
  t.*,
  array(select l.permission_id from filter_permissions l where l.filter_id = t.id order by 1) as permissions,
  array(select l.location_id from filter_locations l where l.filter_id = t.id order by 1) as locations,
  array(select l.organization_id from filter_organizations l where l.filter_id = t.id order by 1) as organizations
from filters t
where t.id = $;
-- create.9 is create.8
-- create.10 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- create.11 is list.1, but
    ) as permissions,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+   case
+     when t.override then coalesce(
+       (
+         select
+           json_agg(
+             json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+             order by x.title, x.id
+           )
+         from filter_locations l join locations x on x.id = l.location_id
+         where l.filter_id = t.id
+       ),
+       '[]'
+     )
+     when exists (
+       select
+       from filter_permissions fp join permissions p on p.id = fp.permission_id
+       where fp.filter_id = t.id and p.resource_type = any ($::text[])
+     ) then (
+     select
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+               order by x.title, x.id
+             )
+           from role_locations l join locations x on x.id = l.location_id
+           where l.role_id = role.id
+         ),
+         '[]'
+       )
+     from roles role
+     where role.id = t.role_id
+     )
+     else '[]'
+   end as locations,
+   case
+     when t.override then coalesce(
+       (
+         select
+           json_agg(
+             json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+             order by x.title, x.id
+           )
+         from filter_organizations l join organizations x on x.id = l.organization_id
+         where l.filter_id = t.id
+       ),
+       '[]'
+     )
+     when exists (
+       select
+       from filter_permissions fp join permissions p on p.id = fp.permission_id
+       where fp.filter_id = t.id and p.resource_type = any ($::text[])
+     ) then (
+     select
+       coalesce(
+         (
+           select
+             json_agg(
+               json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
+               order by x.title, x.id
+             )
+           from role_organizations l join organizations x on x.id = l.organization_id
+           where l.role_id = role.id
+         ),
+         '[]'
+       )
+     from roles role
+     where role.id = t.role_id
+     )
+     else '[]'
+   end as organizations
  from filters t
- where true
- order by t.id asc, t.id
- limit 20;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/filters/:id: 1 statement
-- show.1 is create.11

-- update, as an administrator
-- PUT /api/filters/:id: 7 statements
-- update.1
select t.id
from filters t
where (t.id = $::bigint) and true
order by t.id
limit 1
for no key update of t;
-- update.2 is create.8, but
  from filters t
- where t.id = $;
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;
-- update.3 is create.2
-- update.4 is create.3
-- update.5
update filters t
set search = $::text, updated_at = now()
where id = $
returning t.*;
-- update.6 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- update.7 is create.11

-- delete, as an administrator
-- DELETE /api/filters/:id: 6 statements
-- delete.1 is update.1
-- delete.2 is update.2
-- delete.3
select
  t.id as id, t.role_id as role_id, t.search as search, t.override as override, t.created_at as created_at,
  t.updated_at as updated_at
from filters t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is create.2
-- delete.5 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.6
delete from filters
where id = $;

-- list, as a limited user
-- GET /api/filters: 2 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from filters t
- where true
- order by t.id asc, t.id
- limit 20;
+ from (select t.* from filters t where ((((t.id > $::bigint)))) order by t.id asc, t.id limit $) t
+ order by t.id asc, t.id;
-- limited list.2 is search.2, but
  from filters t
- where (t.id > $::bigint);
+ where ((((t.id > $::bigint))));

-- list with search=id > 0 and order=id DESC, as a limited user
-- GET /api/filters: 3 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
+ from
+   (
+     select t.*
      from filters t
- where true
- order by t.id asc, t.id
- limit 20;
+     where ((((t.id > $::bigint)))) and (t.id > $::bigint)
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is limited list.2
-- limited search.3 is search.2, but
  from filters t
- where (t.id > $::bigint);
+ where ((((t.id > $::bigint)))) and (t.id > $::bigint);

-- create, as a limited user
-- POST /api/filters: 11 statements
-- limited create.1 is create.1
-- limited create.2 is create.2
-- limited create.3 is create.3
-- limited create.4 is create.4
-- limited create.5 is create.5
-- limited create.6 is create.6
-- limited create.7 is create.7
-- limited create.8 is create.8
-- limited create.9 is create.8
-- limited create.10
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
  )
select exists (select from filters t where t.id = $ and ((((t.id > $::bigint))))) as held;
-- limited create.11
select
  shown.*,
  array(
    select t.id
    from locations t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.locations) entry))
      and (
        (
          (t.id = any ($::bigint[]))
          or (
            exists (
              select
              from user_locations m
              where m.user_id = $ and m.location_id in (select t.id union all select unnest(t.ancestor_ids))
            )
          )
        )
      )
  ) as _reachable_0,
  array(
    select t.id
    from organizations t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.organizations) entry))
      and (
        (
          (t.id = any ($::bigint[]))
          or (
            exists (
              select
              from user_organizations m
              where m.user_id = $ and m.organization_id in (select t.id union all select unnest(t.ancestor_ids))
            )
          )
        )
      )
  ) as _reachable_1
from
  (
    select
      t.search as search,
      (
        select min(p.resource_type)
        from filter_permissions fp join permissions p on p.id = fp.permission_id
        where fp.filter_id = t.id
      ) as resource_type,
      (
        select min(p.resource_type)
        from filter_permissions fp join permissions p on p.id = fp.permission_id
        where fp.filter_id = t.id
      ) as resource_type_label,
      (
        t.search is null
        and case
          when t.override then not exists (select from filter_organizations where filter_id = t.id)
          and not exists (select from filter_locations where filter_id = t.id)
          else not exists (select from role_organizations where role_id = t.role_id)
          and not exists (select from role_locations where role_id = t.role_id)
        end
      ) as "unlimited?",
      t.created_at as created_at, t.updated_at as updated_at, t.override as "override?", t.id as id,
      (
        select json_build_object('name', x.name, 'id', x.id, 'description', x.description, 'origin', x.origin)
        from roles x
        where x.id = t.role_id
      ) as role,
      coalesce(
        (
          select
            json_agg(
              json_build_object('name', x.name, 'id', x.id, 'resource_type', x.resource_type)
              order by x.name, x.id
            )
          from filter_permissions l join permissions x on x.id = l.permission_id
          where l.filter_id = t.id
        ),
        '[]'
      ) as permissions,
      case
        when t.override then coalesce(
          (
            select
              json_agg(
                json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
                order by x.title, x.id
              )
            from filter_locations l join locations x on x.id = l.location_id
            where l.filter_id = t.id
          ),
          '[]'
        )
        when exists (
          select
          from filter_permissions fp join permissions p on p.id = fp.permission_id
          where fp.filter_id = t.id and p.resource_type = any ($::text[])
        ) then (
        select
          coalesce(
            (
              select
                json_agg(
                  json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
                  order by x.title, x.id
                )
              from role_locations l join locations x on x.id = l.location_id
              where l.role_id = role.id
            ),
            '[]'
          )
        from roles role
        where role.id = t.role_id
        )
        else '[]'
      end as locations,
      case
        when t.override then coalesce(
          (
            select
              json_agg(
                json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
                order by x.title, x.id
              )
            from filter_organizations l join organizations x on x.id = l.organization_id
            where l.filter_id = t.id
          ),
          '[]'
        )
        when exists (
          select
          from filter_permissions fp join permissions p on p.id = fp.permission_id
          where fp.filter_id = t.id and p.resource_type = any ($::text[])
        ) then (
        select
          coalesce(
            (
              select
                json_agg(
                  json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
                  order by x.title, x.id
                )
              from role_organizations l join organizations x on x.id = l.organization_id
              where l.role_id = role.id
            ),
            '[]'
          )
        from roles role
        where role.id = t.role_id
        )
        else '[]'
      end as organizations
    from filters t
    where (t.id = $::bigint) and true
    order by t.id
    limit 1
  ) shown;

-- show, as a limited user
-- GET /api/filters/:id: 1 statement
-- limited show.1 is limited create.11, but
      from filters t
-     where (t.id = $::bigint) and true
+     where (t.id = $::bigint) and ((((t.id > $::bigint))))

-- update, as a limited user
-- PUT /api/filters/:id: 7 statements
-- limited update.1 is update.1, but
  from filters t
- where (t.id = $::bigint) and true
+ where (t.id = $::bigint) and ((((t.id > $::bigint))))
-- limited update.2 is update.2
-- limited update.3 is create.2
-- limited update.4 is create.3
-- limited update.5 is update.5
-- limited update.6 is limited create.10
-- limited update.7 is limited create.11

-- delete, as a limited user
-- DELETE /api/filters/:id: 6 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is update.2
-- limited delete.3 is delete.3
-- limited delete.4 is create.2
-- limited delete.5 is shared 017f80: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.6 is delete.6
