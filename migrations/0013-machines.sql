-- A smart proxy acts for the hosts of its organizations and locations. One that names none acts for all hosts only where
-- somebody without limits wanted it so: an organization that goes must not leave a proxy that acts for everybody's hosts.
alter table smart_proxies
  add column any_organization boolean not null default false,
  add column any_location     boolean not null default false;

-- Those of today act where they did.
update smart_proxies p set
  any_organization = not exists (select from smart_proxy_organizations l where l.smart_proxy_id = p.id),
  any_location     = not exists (select from smart_proxy_locations l where l.smart_proxy_id = p.id);

-- What registration tokens are for, and whether they are used: who lists them decides by that which to revoke.
alter table registration_tokens
  add column organization_id bigint constraint registration_tokens_organization_id_fkey references organizations on delete set null,
  add column activation_keys text[] not null default '{}',
  add column uses            integer not null default 0,
  add column last_used_at    timestamptz(3);
create index registration_tokens_organization_id_idx on registration_tokens (organization_id);
