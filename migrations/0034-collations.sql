-- Text sorts by code point, everywhere the same.
alter table sessions alter column user_agent type text collate "C";
alter table config_runs alter column traceparent type text collate "C";
