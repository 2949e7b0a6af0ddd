-- What the service does again and again: each job is a row that one process at a time claims (docs/decisions/0007-jobs.md).
create table timed_jobs (
  name          text collate "C" primary key,
  due_at        timestamptz(3) not null,
  -- Until then nobody else begins it; past when its process died in the middle.
  running_until timestamptz(3),
  began_at      timestamptz(3),
  ended_at      timestamptz(3),
  failed        boolean not null default false
);

-- Where jobs were kept before.
drop schema if exists jobs cascade;
