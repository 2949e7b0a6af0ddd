-- The credentials that products name for what is fetched of them, and the key of a repository's certificate.
alter table products
  add column gpg_key_id         bigint constraint products_gpg_key_id_fkey references content_credentials on delete set null,
  add column ssl_ca_cert_id     bigint constraint products_ssl_ca_cert_id_fkey references content_credentials on delete set null,
  add column ssl_client_cert_id bigint constraint products_ssl_client_cert_id_fkey references content_credentials on delete set null,
  add column ssl_client_key_id  bigint constraint products_ssl_client_key_id_fkey references content_credentials on delete set null;
create index products_gpg_key_id_idx on products (gpg_key_id);
create index products_ssl_ca_cert_id_idx on products (ssl_ca_cert_id);
create index products_ssl_client_cert_id_idx on products (ssl_client_cert_id);
create index products_ssl_client_key_id_idx on products (ssl_client_key_id);

alter table repositories
  add column ssl_client_key_id bigint constraint repositories_ssl_client_key_id_fkey references content_credentials on delete set null;
create index repositories_ssl_client_key_id_idx on repositories (ssl_client_key_id);
