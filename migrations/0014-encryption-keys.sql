-- Which key the secrets of this database are encrypted with, so that a process with another one notices before it writes.
-- A fingerprint is made with the key and says nothing of it. While keys are rotated the next one is announced here first.
create table encryption_keys (
  singleton        boolean primary key default true constraint encryption_keys_singleton_check check (singleton),
  name             text collate "C" not null,
  fingerprint      text collate "C" not null,
  next_fingerprint text collate "C",
  -- where it was used last
  host             text collate "C" not null,
  file             text collate "C" not null,
  used_at          timestamptz(3) not null default now()
);
