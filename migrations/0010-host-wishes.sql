-- What hosts are to ask for that are not registered yet: their registration takes it over (content-api §5.3).
create table host_wishes (
  host_id         bigint primary key constraint host_wishes_host_id_fkey references hosts on delete cascade,
  service_level   text collate "C" constraint host_wishes_service_level_check check (char_length(service_level) <= 255),
  release_version text collate "C" constraint host_wishes_release_version_check check (char_length(release_version) <= 255),
  purpose_usage   text collate "C" constraint host_wishes_purpose_usage_check check (char_length(purpose_usage) <= 255),
  purpose_role    text collate "C" constraint host_wishes_purpose_role_check check (char_length(purpose_role) <= 255),
  purpose_addons  text[] not null default '{}',
  autoheal        boolean not null default true,
  updated_at      timestamptz(3) not null default now()
);
