-- How the content of repositories is to be fetched, as clients tell it.
alter table repositories
  add column checksum_type        text collate "C" constraint repositories_checksum_type_check
                                  check (checksum_type in ('sha1', 'sha256', 'sha384', 'sha512')),
  add column docker_upstream_name text collate "C" constraint repositories_docker_upstream_name_check
                                  check (char_length(docker_upstream_name) between 1 and 255),
  add column docker_tags_whitelist text[] not null default '{}',
  add column download_concurrency integer constraint repositories_download_concurrency_check
                                  check (download_concurrency between 1 and 20),
  add column ignorable_content    text[] not null default '{}',
  add column verify_ssl_on_sync   boolean not null default true,
  add column upstream_username    text collate "C" constraint repositories_upstream_username_check
                                  check (char_length(upstream_username) between 1 and 255),
  add column http_proxy_policy    text collate "C" not null default 'global_default_http_proxy'
                                  constraint repositories_http_proxy_policy_check
                                  check (http_proxy_policy in ('global_default_http_proxy', 'none', 'use_selected_http_proxy')),
  add column http_proxy_id        bigint constraint repositories_http_proxy_id_fkey references http_proxies,
  add column gpg_key_id           bigint constraint repositories_gpg_key_id_fkey references content_credentials on delete set null,
  add column ssl_ca_cert_id       bigint constraint repositories_ssl_ca_cert_id_fkey references content_credentials on delete set null,
  add column ssl_client_cert_id   bigint constraint repositories_ssl_client_cert_id_fkey references content_credentials on delete set null,
  add column ansible_collection_requirements text collate "C" constraint repositories_ansible_collection_requirements_check
                                  check (char_length(ansible_collection_requirements) between 1 and 65535),
  add column ansible_collection_auth_url text collate "C" constraint repositories_ansible_collection_auth_url_check
                                  check (char_length(ansible_collection_auth_url) between 1 and 2048),
  add column deb_releases         text collate "C" constraint repositories_deb_releases_check check (char_length(deb_releases) between 1 and 1024),
  add column deb_components       text collate "C" constraint repositories_deb_components_check check (char_length(deb_components) between 1 and 1024),
  add column deb_architectures    text collate "C" constraint repositories_deb_architectures_check
                                  check (char_length(deb_architectures) between 1 and 1024),
  add constraint repositories_pair_check
    check ((http_proxy_policy = 'use_selected_http_proxy') = (http_proxy_id is not null));
create index repositories_http_proxy_id_idx on repositories (http_proxy_id);
create index repositories_gpg_key_id_idx on repositories (gpg_key_id);
create index repositories_ssl_ca_cert_id_idx on repositories (ssl_ca_cert_id);
create index repositories_ssl_client_cert_id_idx on repositories (ssl_client_cert_id);
