-- Hidden values are shown to those with permissions of their own (docs/decisions/0066-revealing.md). Whoever could see them until now, by
-- a permission to edit, keeps that. New databases have no permissions here.
insert into permissions (name, resource_type)
  select 'reveal_' || substr(name, 6), resource_type from permissions
  where name in ('edit_params', 'edit_external_parameters', 'edit_hosts')
  on conflict (name) do nothing;

insert into filter_permissions (filter_id, permission_id)
  select held.filter_id, added.id from filter_permissions held
  join permissions known on known.id = held.permission_id and known.name in ('edit_params', 'edit_external_parameters', 'edit_hosts')
  join permissions added on added.name = 'reveal_' || substr(known.name, 6)
  on conflict do nothing;

update token_limits set permissions = permissions || array(
  select 'reveal_' || substr(known, 6) from unnest(permissions) known
  where known in ('edit_params', 'edit_external_parameters', 'edit_hosts'))
  where permissions && array['edit_params', 'edit_external_parameters', 'edit_hosts'];
