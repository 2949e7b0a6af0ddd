-- The hosts that smart proxies themselves run on.

create table smart_proxy_hosts (
  smart_proxy_id bigint not null constraint smart_proxy_hosts_smart_proxy_id_fkey references smart_proxies on delete cascade,
  host_id        bigint not null constraint smart_proxy_hosts_host_id_fkey references hosts on delete cascade,
  primary key (smart_proxy_id, host_id)
);
create index smart_proxy_hosts_host_id_idx on smart_proxy_hosts (host_id);

call track_changes('smart_proxy_hosts');
