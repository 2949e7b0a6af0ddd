-- What hosts of a group get content from, unless they or their key say something else.
alter table hostgroups
  add column content_view_id bigint constraint hostgroups_content_view_id_fkey references content_views on delete set null,
  add column lifecycle_environment_id bigint
    constraint hostgroups_lifecycle_environment_id_fkey references lifecycle_environments on delete set null;
create index hostgroups_content_view_id_idx on hostgroups (content_view_id);
create index hostgroups_lifecycle_environment_id_idx on hostgroups (lifecycle_environment_id);
