-- The one statement that writes audits (src/database/audits.ts) writes their places with them, so that looking up each audit again for
-- each place finds nothing wrong. It was a quarter of what a write costs; and as PostgreSQL keeps the plan of such a look-up for as long
-- as a connection lasts, one made while there were few audits read all of them for each later one of a long transaction.
-- They are locked in the order in which writers come to them, so that none of these has to give way.
lock table audits, audit_organizations, audit_locations in access exclusive mode;
alter table audit_organizations drop constraint audit_organizations_audit_id_fkey;
alter table audit_locations drop constraint audit_locations_audit_id_fkey;

create function delete_audit_places() returns trigger language plpgsql as $$
begin
  delete from audit_organizations l using gone where l.audit_id = gone.id;
  delete from audit_locations l using gone where l.audit_id = gone.id;
  return null;
end $$;
create trigger delete_audit_places after delete on audits
  referencing old table as gone for each statement execute function delete_audit_places();
