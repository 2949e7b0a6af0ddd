-- Snippets that every template may put in, wherever the host belongs.
alter table templates add column "default" boolean not null default false;

insert into template_kinds (name, description) values
  ('discovery', 'What a machine that is not known yet is booted with.');
