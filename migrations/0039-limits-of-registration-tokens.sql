-- A registration token opens what it is stored and shown as being for, and ends with it: hosts of its organization, by its
-- activation keys, in its location and host group where its command names them. Tokens whose organization is gone, or was
-- never stored, said so of nothing: they would open everything that their user may.
delete from registration_tokens where organization_id is null;
alter table registration_tokens
  alter column organization_id set not null,
  drop constraint registration_tokens_organization_id_fkey,
  add constraint registration_tokens_organization_id_fkey foreign key (organization_id) references organizations on delete cascade,
  add column location_id  bigint constraint registration_tokens_location_id_fkey references locations on delete cascade,
  add column hostgroup_id bigint constraint registration_tokens_hostgroup_id_fkey references hostgroups on delete cascade;
create index registration_tokens_location_id_idx on registration_tokens (location_id);
create index registration_tokens_hostgroup_id_idx on registration_tokens (hostgroup_id);
