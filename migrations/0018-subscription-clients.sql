-- What subscription clients say and change after they have registered. All of it ends with the registration.
alter table registrations
  add column guest_ids jsonb not null default '[]',
  -- The certificate before the present one, and until when a connection that was made with it goes on.
  add column former_certificate text collate "C",
  add column former_until timestamptz(3);

-- Overrides of what is no content of the organization: clients keep them beside repositories that others set up.
create table registration_overrides (
  host_id bigint not null constraint registration_overrides_host_id_fkey references registrations on delete cascade,
  label   text collate "C" not null constraint registration_overrides_label_check check (char_length(label) between 1 and 512),
  name    text collate "C" not null constraint registration_overrides_name_check check (char_length(name) between 1 and 255),
  value   text collate "C" not null constraint registration_overrides_value_check check (char_length(value) between 1 and 2048),
  primary key (host_id, label, name)
);
