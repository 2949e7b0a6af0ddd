-- What clients of existing servers keep in these records.

-- One network may be described several times: by what is booted in it, or for whom.
alter table subnets drop constraint subnets_network_key;
create index subnets_network_idx on subnets (network, mask);
alter table subnets add column httpboot_id bigint constraint subnets_httpboot_id_fkey references smart_proxies;
create index subnets_httpboot_id_idx on subnets (httpboot_id);

-- What a copy is a copy of.
alter table templates add column cloned_from_id bigint constraint templates_cloned_from_id_fkey references templates on delete set null;
create index templates_cloned_from_id_idx on templates (cloned_from_id);
alter table ptables add column cloned_from_id bigint constraint ptables_cloned_from_id_fkey references ptables on delete set null;
create index ptables_cloned_from_id_idx on ptables (cloned_from_id);
