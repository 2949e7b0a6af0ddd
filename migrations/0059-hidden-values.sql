-- When hidden values and root passwords begin to be encrypted (docs/decisions/0065-hidden-values.md): processes of the version before
-- cannot read encrypted ones, and have a day to be replaced. On a new database there are none.
alter table encryption_keys add column sealing_from timestamptz(3) not null default now() + interval '1 day';
alter table encryption_keys alter column sealing_from set default now();
