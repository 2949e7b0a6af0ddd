-- Everybody chooses their own display name; the login says who it was. Written here, so that no writer of audits forgets it.
alter table audits add column user_login text collate "C";

create function name_audit_login() returns trigger language plpgsql as $$
begin
  select login into new.user_login from users where id = new.user_id;
  return new;
end $$;

create trigger audits_user_login before insert on audits for each row when (new.user_id is not null)
  execute function name_audit_login();
