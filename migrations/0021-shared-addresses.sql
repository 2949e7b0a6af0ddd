-- Only managed hosts are known by the addresses of their interfaces: others may share one. What an interface knows of its
-- host is kept by the key that refers to it.

alter table hosts add constraint hosts_pair_key unique (id, managed);

alter table interfaces add column of_managed boolean;
update interfaces set of_managed = hosts.managed from hosts where hosts.id = interfaces.host_id;
alter table interfaces alter column of_managed set not null;
alter table interfaces add constraint interfaces_of_managed_fkey foreign key (host_id, of_managed)
  references hosts (id, managed) on update cascade on delete cascade;

create function know_managed() returns trigger language plpgsql as $$
begin
  select managed into new.of_managed from hosts where id = new.host_id;
  return new;
end $$;

create trigger know_managed before insert on interfaces for each row execute function know_managed();

drop index interfaces_mac_key;
create unique index interfaces_mac_key on interfaces (mac) where of_managed and managed and not virtual and type <> 'bmc';

create or replace view primary_interfaces as select * from interfaces where "primary";
