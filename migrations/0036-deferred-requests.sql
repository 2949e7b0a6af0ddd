-- Requests that were answered with a task (`Prefer: respond-async`) and are worked on afterwards. Texts are encrypted: bodies
-- and answers may hold secrets.
create table deferred_requests (
  task_id bigint primary key constraint deferred_requests_task_id_fkey references tasks on delete cascade,
  request text collate "C", -- null once it has been done
  status  smallint,         -- null before that
  answer  text collate "C"  -- null where it is made of parts
);

-- What came of each part of a request whose parts have transactions of their own.
create table deferred_parts (
  task_id  bigint not null constraint deferred_parts_task_id_fkey references deferred_requests on delete cascade,
  position integer not null,
  outcome  text collate "C" not null,
  primary key (task_id, position)
);
