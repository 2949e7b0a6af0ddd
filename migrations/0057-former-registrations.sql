-- What hosts bring along from the server that they were registered with: their first request with the certificate that they
-- have from there makes a registration of it.
alter table host_wishes
  add column former_uuid          uuid constraint host_wishes_former_uuid_key unique,
  add column former_system_uuid   text collate "C" constraint host_wishes_former_system_uuid_check check (char_length(former_system_uuid) <= 255),
  add column former_registered_at timestamptz(3);
