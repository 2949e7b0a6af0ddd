-- A statement that inserts or deletes no row leaves no line: what is remembered with the version of its table still holds.
create or replace function record_insert() returns trigger language plpgsql as $$
begin
  insert into table_changes select tg_table_name, count(*), 1 from changed having count(*) > 0;
  return null;
end $$;

create or replace function record_delete() returns trigger language plpgsql as $$
begin
  insert into table_changes select tg_table_name, -count(*), 1 from changed having count(*) > 0;
  return null;
end $$;
