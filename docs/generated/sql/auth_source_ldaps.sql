-- list, as an administrator
-- GET /api/auth_source_ldaps: 3 statements
-- list.1
select
  t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
  t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls, t.ca_certificate as ca_certificate,
  t.server_type as server_type, t.groups_base as groups_base, t.use_netgroups as use_netgroups,
  t.created_at as created_at, t.updated_at as updated_at, t.id as id, 'AuthSourceLdap' as type, t.name as name,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_locations l join locations x on x.id = l.location_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as locations,
  coalesce(
    (
      select
        json_agg(
          json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
          order by x.title, x.id
        )
      from auth_source_organizations l join organizations x on x.id = l.organization_id
      where l.auth_source_id = t.id
    ),
    '[]'
  ) as organizations,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $) t
order by t.name asc, t.id;
-- list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from auth_sources t
where (t.type = 'AuthSourceLdap');

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/auth_source_ldaps: 4 statements
-- search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from auth_sources t
+     where (t.type = 'AuthSourceLdap') and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- search.3 is list.3
-- search.4 is list.3, but
  from auth_sources t
- where (t.type = 'AuthSourceLdap');
+ where (t.type = 'AuthSourceLdap') and (fold (t.name) like fold ($));

-- create, as an administrator
-- POST /api/auth_source_ldaps: 8 statements
-- create.1 is shared b42231: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- create.2
insert into
  auth_sources as t (name, host, port, attr_login, attr_firstname, attr_lastname, attr_mail, attr_photo, server_type, type)
values ($::text, $::text, $::integer, $::text, $::text, $::text, $::text, $::text, $::text, $::text)
returning
  t.*,
  array(select l.location_id from auth_source_locations l where l.auth_source_id = t.id order by 1) as locations,
  array(
    select l.organization_id
    from auth_source_organizations l
    where l.auth_source_id = t.id
    order by 1
  ) as organizations;
-- create.3 is shared c712ea: with removed as (delete from auth_source_locations where auth_source_id = $ and not locati…
-- create.4 is shared 0148a5: with removed as ( delete from auth_source_organizations where auth_source_id = $ and not o…
-- create.5 is shared 515771: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- create.6 is shared 515771: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
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
            select l.organization_id as id
            from auth_source_organizations l
            where l.auth_source_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join organizations p using (id)
    for key share of p
  ),
  in_locations as (
    insert into audit_locations (audit_id, location_id)
    select found.audit_id, p.id
    from
      (
        select written.id, places.id
        from
          written
          cross join lateral (
            select l.location_id as id
            from auth_source_locations l
            where l.auth_source_id = written.auditable_id
            offset 0
          ) places (id)
      ) found (audit_id, id)
      join locations p using (id)
    for key share of p
  )
select exists (select from auth_sources t where t.id = $ and (t.type = 'AuthSourceLdap')) as held;
-- create.8 is list.1, but
      (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
+       from external_usergroups x
+       where t.id in (x.auth_source_id)
+     ),
+     '[]'
+   ) as external_usergroups,
+   coalesce(
+     (
      '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as organizations
+ from auth_sources t
+ where (t.id = $::bigint) and true
+ order by t.id
+ limit 1;

-- show, as an administrator
-- GET /api/auth_source_ldaps/:id: 1 statement
-- show.1 is list.1, but
      (
+       select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
+       from external_usergroups x
+       where t.id in (x.auth_source_id)
+     ),
+     '[]'
+   ) as external_usergroups,
+   coalesce(
+     (
      '[]'
-   ) as organizations,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as _version,
-   (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+   ) as organizations
+ from auth_sources t
+ where (t.id = $::bigint or t.name = $::text) and (t.type = 'AuthSourceLdap')
+ order by (t.name = $::text) desc
+ limit 1;

-- update, as an administrator
-- PUT /api/auth_source_ldaps/:id: 5 statements
-- update.1
select t.id
from auth_sources t
where (t.id = $::bigint or t.name = $::text) and (t.type = 'AuthSourceLdap')
order by (t.name = $::text) desc
limit 1
for no key update of t;
-- update.2 is shared 3ca659: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- update.3 is shared 7b9844: update auth_sources t set name = $::text, updated_at = now() where id = $ returning t.*;
-- update.4 is create.7
-- update.5 is create.8

-- delete, as an administrator
-- DELETE /api/auth_source_ldaps/:id: 6 statements
-- delete.1 is update.1
-- delete.2 is shared 3ca659: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- delete.3
select
  t.id as id, t.name as name, t.host as host, t.port as port, t.account as account, t.base_dn as base_dn,
  t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
  t.attr_mail as attr_mail, t.onthefly_register as onthefly_register, t.tls as tls, t.start_tls as start_tls,
  t.ca_certificate as ca_certificate, t.created_at as created_at, t.updated_at as updated_at,
  t.ldap_filter as ldap_filter, t.attr_photo as attr_photo, t.server_type as server_type,
  t.groups_base as groups_base, t.usergroup_sync as usergroup_sync, t.use_netgroups as use_netgroups
from auth_sources t
where (t.id = $::bigint) and true
order by t.id
limit 1;
-- delete.4 is shared 60f2ea: select t.login as called, (exists (select from auth_sources s where s.id = t.auth_source_i…
-- delete.5 is shared 54907e: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- delete.6 is shared 6c78e4: delete from auth_sources where id = $;

-- list, as a limited user
-- GET /api/auth_source_ldaps: 3 statements
-- limited list.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $) t
+ from
+   (
+     select t.*
+     from auth_sources t
+     where
+       (t.type = 'AuthSourceLdap')
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from auth_source_organizations l
+                 where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_organizations l
+           where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_locations l
+           where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+     order by t.name asc, t.id
+     limit $
+   ) t
-- limited list.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited list.3
select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
from auth_sources t
where
  (t.type = 'AuthSourceLdap')
  and (
    (
      (
        (
          exists (
            select
            from auth_source_organizations l
            where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
          )
        )
        and (fold (t.name) like fold ($))
      )
    )
  )
  and (
    exists (
      select
      from auth_source_organizations l
      where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
    )
  )
  and (
    exists (
      select
      from auth_source_locations l
      where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
    )
  );

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/auth_source_ldaps: 4 statements
-- limited search.1 is list.1, but
    (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $) as _everything
- from (select t.* from auth_sources t where (t.type = 'AuthSourceLdap') order by t.name asc, t.id limit $) t
- order by t.name asc, t.id;
+ from
+   (
+     select t.*
+     from auth_sources t
+     where
+       (t.type = 'AuthSourceLdap')
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from auth_source_organizations l
+                 where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_organizations l
+           where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_locations l
+           where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+       and (fold (t.name) like fold ($))
+     order by t.id desc, t.id
+     limit $
+   ) t
+ order by t.id desc, t.id;
-- limited search.2 is shared fc2725: select (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any …
-- limited search.3 is limited list.3
-- limited search.4 is limited list.3, but
      )
-   );
+   )
+   and (fold (t.name) like fold ($));

-- create, as a limited user
-- POST /api/auth_source_ldaps: 8 statements
-- limited create.1 is shared d0d647: select 0 as place, t.id from locations t where t.id = any ((select $::bigint[])::bigint[])…
-- limited create.2 is create.2
-- limited create.3 is shared c712ea: with removed as (delete from auth_source_locations where auth_source_id = $ and not locati…
-- limited create.4 is shared 0148a5: with removed as ( delete from auth_source_organizations where auth_source_id = $ and not o…
-- limited create.5 is shared 515771: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- limited create.6 is shared 515771: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- limited create.7 is create.7, but
    )
- select exists (select from auth_sources t where t.id = $ and (t.type = 'AuthSourceLdap')) as held;
+ select
+   exists (
+     select
+     from auth_sources t
+     where
+       t.id = $
+       and (t.type = 'AuthSourceLdap')
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from auth_source_organizations l
+                 where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_organizations l
+           where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_locations l
+           where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+   ) as held;
-- limited create.8
select
  shown.*,
  array(
    select t.id
    from external_usergroups t
    where
      t.id = any (array(select (entry ->> 'id')::bigint from json_array_elements(shown.external_usergroups) entry))
      and (
        (
          t.auth_source_id is null
          or t.auth_source_id in (
            select t.id
            from auth_sources t
            where
              (
                (t.type <> 'AuthSourceHidden')
                and (
                  (
                    (t.type not in ('AuthSourceLdap', 'AuthSourceOidc'))
                    or (
                      (
                        exists (
                          select
                          from auth_source_organizations l
                          where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
                        )
                      )
                      and (
                        exists (
                          select
                          from auth_source_locations l
                          where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
                        )
                      )
                    )
                  )
                )
              )
          )
        )
      )
  ) as _reachable_0,
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
  ) as _reachable_1,
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
  ) as _reachable_2
from
  (
    select
      t.host as host, t.port as port, t.account as account, t.base_dn as base_dn, t.ldap_filter as ldap_filter,
      t.attr_login as attr_login, t.attr_firstname as attr_firstname, t.attr_lastname as attr_lastname,
      t.attr_mail as attr_mail, t.attr_photo as attr_photo, t.onthefly_register as onthefly_register,
      t.usergroup_sync as usergroup_sync, t.tls as tls, t.start_tls as start_tls,
      t.ca_certificate as ca_certificate, t.server_type as server_type, t.groups_base as groups_base,
      t.use_netgroups as use_netgroups, t.created_at as created_at, t.updated_at as updated_at, t.id as id,
      'AuthSourceLdap' as type, t.name as name,
      coalesce(
        (
          select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.id, x.id)
          from external_usergroups x
          where t.id in (x.auth_source_id)
        ),
        '[]'
      ) as external_usergroups,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from auth_source_locations l join locations x on x.id = l.location_id
          where l.auth_source_id = t.id
        ),
        '[]'
      ) as locations,
      coalesce(
        (
          select
            json_agg(
              json_build_object('id', x.id, 'name', x.name, 'title', x.title, 'description', x.description)
              order by x.title, x.id
            )
          from auth_source_organizations l join organizations x on x.id = l.organization_id
          where l.auth_source_id = t.id
        ),
        '[]'
      ) as organizations
    from auth_sources t
    where (t.id = $::bigint) and true
    order by t.id
    limit 1
  ) shown;

-- show, as a limited user
-- GET /api/auth_source_ldaps/:id: 1 statement
-- limited show.1 is limited create.8, but
      from auth_sources t
-     where (t.id = $::bigint) and true
-     order by t.id
+     where
+       (t.id = $::bigint or t.name = $::text)
+       and (t.type = 'AuthSourceLdap')
+       and (
+         (
+           (
+             (
+               exists (
+                 select
+                 from auth_source_organizations l
+                 where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+               )
+             )
+             and (fold (t.name) like fold ($))
+           )
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_organizations l
+           where l.auth_source_id = t.id and l.organization_id = any ($::bigint[])
+         )
+       )
+       and (
+         exists (
+           select
+           from auth_source_locations l
+           where l.auth_source_id = t.id and l.location_id = any ($::bigint[])
+         )
+       )
+     order by (t.name = $::text) desc

-- update, as a limited user
-- PUT /api/auth_source_ldaps/:id: 5 statements
-- limited update.1 is limited list.3, but
- select
-   count(*) as count,
-   (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($::text[])) as version
+ select t.id
  where
-   (t.type = 'AuthSourceLdap')
+   (t.id = $::bigint or t.name = $::text)
+   and (t.type = 'AuthSourceLdap')
      )
-   );
+   )
+ order by (t.name = $::text) desc
+ limit 1
+ for no key update of t;
-- limited update.2 is shared 3ca659: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- limited update.3 is shared 7b9844: update auth_sources t set name = $::text, updated_at = now() where id = $ returning t.*;
-- limited update.4 is limited create.7
-- limited update.5 is limited create.8

-- delete, as a limited user
-- DELETE /api/auth_source_ldaps/:id: 6 statements
-- limited delete.1 is limited update.1
-- limited delete.2 is shared 3ca659: select t.*, array(select l.location_id from auth_source_locations l where l.auth_source_id…
-- limited delete.3 is delete.3
-- limited delete.4 is shared c50f27: select t.login as called, (exists (select from auth_sources s where s.id = t.auth_source_i…
-- limited delete.5 is shared 54907e: with written as ( insert into audits ( user_id, user_name, action, auditable_type, auditab…
-- limited delete.6 is shared 6c78e4: delete from auth_sources where id = $;
