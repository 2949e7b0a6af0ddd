-- Named like all constraints of several columns.
alter table auth_sources rename constraint auth_sources_provider_check to auth_sources_pair_check;
