-- Whether somebody wants mail: clients write it and read it again. Nothing is sent from here.
alter table users add column mail_enabled boolean not null default false;
