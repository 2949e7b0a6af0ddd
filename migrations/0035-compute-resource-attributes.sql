-- What one kind of compute resource or another is told by, kept as it was sent. Passwords are none of it.
alter table compute_resources
  add column "user" text collate "C" constraint compute_resources_user_check check (char_length("user") <= 255),
  add column datacenter text collate "C" constraint compute_resources_datacenter_check check (char_length(datacenter) <= 255),
  add column ovirt_quota text collate "C" constraint compute_resources_ovirt_quota_check check (char_length(ovirt_quota) <= 255),
  add column public_key text collate "C" constraint compute_resources_public_key_check check (char_length(public_key) <= 65535),
  add column region text collate "C" constraint compute_resources_region_check check (char_length(region) <= 255),
  add column tenant text collate "C" constraint compute_resources_tenant_check check (char_length(tenant) <= 255),
  add column domain text collate "C" constraint compute_resources_domain_check check (char_length(domain) <= 255),
  add column project_domain_name text collate "C" constraint compute_resources_project_domain_name_check check (char_length(project_domain_name) <= 255),
  add column project_domain_id text collate "C" constraint compute_resources_project_domain_id_check check (char_length(project_domain_id) <= 255),
  add column server text collate "C" constraint compute_resources_server_check check (char_length(server) <= 255),
  add column keyboard_layout text collate "C" constraint compute_resources_keyboard_layout_check check (char_length(keyboard_layout) <= 255),
  add column caching_enabled boolean,
  add column project text collate "C" constraint compute_resources_project_check check (char_length(project) <= 255),
  add column email text collate "C" constraint compute_resources_email_check check (char_length(email) <= 255),
  add column key_path text collate "C" constraint compute_resources_key_path_check check (char_length(key_path) <= 255),
  add column zone text collate "C" constraint compute_resources_zone_check check (char_length(zone) <= 255);
