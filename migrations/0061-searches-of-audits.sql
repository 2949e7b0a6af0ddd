-- Audits are kept for years, and searched by their author and by the name of their record: `user = x`, `auditable = x`, `host = x`
-- (src/areas/server/audit/audit.ts builds the same expression). Where there are millions, an administrator has created the indexes
-- concurrently before. PostgreSQL chooses the last one by statistics of its expression.
create index if not exists audits_user_name_idx on audits (user_name);
create index if not exists audits_auditable_name_idx on audits (auditable_name);
create index if not exists audits_host_name_idx on audits ((case when auditable_type = 'Host' then auditable_name end));
analyze audits;
