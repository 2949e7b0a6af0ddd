-- Passwords of unknown logins are offered only to sources whose registration was switched on by somebody with the right to
-- escalate roles. Those that have it switched on today keep it.
alter table auth_sources add column onthefly_trusted boolean not null default false;
update auth_sources set onthefly_trusted = true where onthefly_register;
