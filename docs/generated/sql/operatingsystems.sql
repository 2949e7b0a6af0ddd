-- list, as an administrator
-- GET /api/operatingsystems: 2 statements

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from operatingsystems t
where true
order by t.title asc, t.id
limit 20;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

-- list with search=name ~ ex and order=id DESC, as an administrator
-- GET /api/operatingsystems: 3 statements

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from (select t.* from operatingsystems t where (fold (t.name) like fold ($3)) order by t.id desc, t.id limit $4) t
order by t.id desc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from operatingsystems t
where (fold (t.name) like fold ($2));

-- create, as an administrator
-- POST /api/operatingsystems: 6 statements

with
  wanted (name, major, minor, description) as (select $1::text, $2::text, coalesce($3::text, ''), $4::text),
  titled as (
    select
      *,
      case
        when description <> '' then description
        else name || ' ' || major || case when minor = '' then '' else '.' || minor
        end
      end as title
    from wanted
  )
select
  coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
  coalesce(bool_or(o.title = w.title), false) as title
from
  operatingsystems o
  join titled w on o.title = w.title
  or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
where o.id is distinct from $5::bigint;

insert into operatingsystems (name, major)
values ($1::text, $2::text)
returning *;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
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
  )
select id
from written;

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as an administrator
-- GET /api/operatingsystems/:id: 1 statement

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

-- update, as an administrator
-- PUT /api/operatingsystems/:id: 9 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
where t.id = $1;

with
  wanted (name, major, minor, description) as (select $1::text, $2::text, coalesce($3::text, ''), $4::text),
  titled as (
    select
      *,
      case
        when description <> '' then description
        else name || ' ' || major || case when minor = '' then '' else '.' || minor
        end
      end as title
    from wanted
  )
select
  coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
  coalesce(bool_or(o.title = w.title), false) as title
from
  operatingsystems o
  join titled w on o.title = w.title
  or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
where o.id is distinct from $5::bigint;

update operatingsystems
set description = $1::text, updated_at = now()
where id = $2;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
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
  )
select id
from written;

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as an administrator
-- DELETE /api/operatingsystems/:id: 9 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and true
order by (t.title = $3::text) desc
limit 1;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
where t.id = $1;

select
  t.id as id, t.name as name, t.major as major, t.minor as minor, t.description as description, t.title as title,
  t.family as family, t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at
from operatingsystems t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select t.title as called, true as shown
from hostgroups t
where t.operatingsystem_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from hosts t
where t.operatingsystem_id = $1
order by 1
limit $2;

select t.name as called, true as shown
from images t
where t.operatingsystem_id = $1
order by 1
limit $2;

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
  )
select id
from written;

delete from operatingsystems
where id = $1;

-- list, as a limited user
-- GET /api/operatingsystems: 3 statements

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from operatingsystems t
    where ((((fold (t.name) like fold ($3)))))
    order by t.title asc, t.id
    limit $4
  ) t
order by t.title asc, t.id;

select
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as everything;

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from operatingsystems t
where ((((fold (t.name) like fold ($2)))));

-- list with search=name ~ ex and order=id DESC, as a limited user
-- GET /api/operatingsystems: 4 statements

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as _version,
  (select coalesce(sum(row_count), 0)::bigint from table_changes where table_name = $2) as _everything
from
  (
    select t.*
    from operatingsystems t
    where ((((fold (t.name) like fold ($3))))) and (fold (t.name) like fold ($4))
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
from operatingsystems t
where ((((fold (t.name) like fold ($2)))));

select
  count(*) as count,
  (select coalesce(sum(writes), 0)::bigint from table_changes where table_name = any ($1::text[])) as version
from operatingsystems t
where ((((fold (t.name) like fold ($2))))) and (fold (t.name) like fold ($3));

-- create, as a limited user
-- POST /api/operatingsystems: 7 statements

with
  wanted (name, major, minor, description) as (select $1::text, $2::text, coalesce($3::text, ''), $4::text),
  titled as (
    select
      *,
      case
        when description <> '' then description
        else name || ' ' || major || case when minor = '' then '' else '.' || minor
        end
      end as title
    from wanted
  )
select
  coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
  coalesce(bool_or(o.title = w.title), false) as title
from
  operatingsystems o
  join titled w on o.title = w.title
  or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
where o.id is distinct from $5::bigint;

insert into operatingsystems (name, major)
values ($1::text, $2::text)
returning *;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
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
  )
select id
from written;

select t.id
from operatingsystems t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- show, as a limited user
-- GET /api/operatingsystems/:id: 1 statement

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.title = $4::text) desc
limit 1;

-- update, as a limited user
-- PUT /api/operatingsystems/:id: 10 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.title = $4::text) desc
limit 1;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
where t.id = $1;

with
  wanted (name, major, minor, description) as (select $1::text, $2::text, coalesce($3::text, ''), $4::text),
  titled as (
    select
      *,
      case
        when description <> '' then description
        else name || ' ' || major || case when minor = '' then '' else '.' || minor
        end
      end as title
    from wanted
  )
select
  coalesce(bool_or((o.name, o.major, o.minor) = (w.name, w.major, w.minor)), false) as version,
  coalesce(bool_or(o.title = w.title), false) as title
from
  operatingsystems o
  join titled w on o.title = w.title
  or (o.name, o.major, o.minor) = (w.name, w.major, w.minor)
where o.id is distinct from $5::bigint;

update operatingsystems
set description = $1::text, updated_at = now()
where id = $2;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
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
  )
select id
from written;

select t.id
from operatingsystems t
where t.id = $1 and ((((fold (t.name) like fold ($2)))));

select
  t.description as description, t.major as major, t.minor as minor, t.family as family,
  t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at, t.id as id, t.name as name, t.title as title,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from medium_operatingsystems l join media x on x.id = l.medium_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as media,
  coalesce(
    (
      select json_agg(json_build_object('name', x.name, 'id', x.id) order by x.name, x.id)
      from architecture_operatingsystems l join architectures x on x.id = l.architecture_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as architectures,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from operatingsystem_ptables l join ptables x on x.id = l.ptable_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as ptables,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from template_operatingsystems l join templates x on x.id = l.template_id
      where l.operatingsystem_id = t.id
    ),
    '[]'
  ) as provisioning_templates,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', x.id, 'provisioning_template_id', x.provisioning_template_id, 'provisioning_template_name',
            (select n.name from templates n where n.id = x.provisioning_template_id),
            'template_kind_id', x.template_kind_id, 'template_kind_name',
            (select n.name from template_kinds n where n.id = x.template_kind_id),
            'operatingsystem_id', x.operatingsystem_id, 'operatingsystem_name',
            (select n.title from operatingsystems n where n.id = x.operatingsystem_id),
            'config_template_id', x.provisioning_template_id, 'config_template_name',
            (select y.name from templates y where y.id = x.provisioning_template_id)
          )
          order by x.id, x.id
        )
      from os_default_templates x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as os_default_templates,
  coalesce(
    (
      select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
      from images x
      where x.operatingsystem_id = t.id
    ),
    '[]'
  ) as images,
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'priority',
            case
              when p.organization_id is not null then 10
              when p.location_id is not null then 20
              when p.domain_id is not null then 30
              when p.subnet_id is not null then 40
              when p.operatingsystem_id is not null then 50
              when p.hostgroup_id is not null then 60
              when p.host_id is not null then 70
              else 0
            end, 'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'),
            'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'), 'id', p.id,
            'name', p.name, 'parameter_type', p.parameter_type, 'associated_type',
            case
              when p.organization_id is not null then 'organization'
              when p.location_id is not null then 'location'
              when p.domain_id is not null then 'domain'
              when p.subnet_id is not null then 'subnet'
              when p.operatingsystem_id is not null then 'operating system'
              when p.hostgroup_id is not null then 'host group'
              when p.host_id is not null then 'host'
              else 'global'
            end, 'hidden_value?', p.hidden_value, 'value',
            case when p.hidden_value then '"*****"'::jsonb else p.value
            end
          )
          order by p.name
        )
      from parameters p
      where p.operatingsystem_id = t.id
    ),
    '[]'
  ) as parameters
from operatingsystems t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

-- delete, as a limited user
-- DELETE /api/operatingsystems/:id: 9 statements

select t.id as id
from operatingsystems t
where (t.id = $1::bigint or t.title = $2::text) and ((((fold (t.name) like fold ($3)))))
order by (t.title = $4::text) desc
limit 1;

select t.*
from operatingsystems t
where t.id = $1
for no key update of t;

select
  array(
    select l.architecture_id
    from architecture_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as architectures,
  array(select l.medium_id from medium_operatingsystems l where l.operatingsystem_id = t.id order by 1) as media,
  array(select l.ptable_id from operatingsystem_ptables l where l.operatingsystem_id = t.id order by 1) as ptables,
  array(
    select l.template_id
    from template_operatingsystems l
    where l.operatingsystem_id = t.id
    order by 1
  ) as provisioning_templates
from operatingsystems t
where t.id = $1;

select
  t.id as id, t.name as name, t.major as major, t.minor as minor, t.description as description, t.title as title,
  t.family as family, t.release_name as release_name, t.password_hash as password_hash, t.created_at as created_at,
  t.updated_at as updated_at
from operatingsystems t
where (t.id = $1::bigint) and true
order by t.id
limit 1;

select
  t.title as called,
  (
    exists (
      select
      from hostgroup_organizations l
      where l.hostgroup_id = t.id and l.organization_id = any ($1::bigint[])
    )
  )
  and (
    exists (select from hostgroup_locations l where l.hostgroup_id = t.id and l.location_id = any ($2::bigint[]))
  ) as shown
from hostgroups t
where t.operatingsystem_id = $3
order by 1
limit $4;

select t.name as called, (t.organization_id = any ($1::bigint[])) and (t.location_id = any ($2::bigint[])) as shown
from hosts t
where t.operatingsystem_id = $3
order by 1
limit $4;

select t.name as called, true as shown
from images t
where t.operatingsystem_id = $1
order by 1
limit $2;

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
  )
select id
from written;

delete from operatingsystems
where id = $1;
