-- Where a host group is noted to get content from.
alter table hostgroups
  add column content_source_id bigint constraint hostgroups_content_source_id_fkey references smart_proxies on delete set null;
create index hostgroups_content_source_id_idx on hostgroups (content_source_id);
