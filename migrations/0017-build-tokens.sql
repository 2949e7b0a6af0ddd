-- What a machine proves with that it is the host that is being installed (docs/decisions/0025-build-tokens.md). One for each
-- host that waits to be installed; it goes with the end of that.
create table build_tokens (
  host_id    bigint primary key constraint build_tokens_host_id_fkey references hosts on delete cascade,
  -- Requests are found by it, without reading what is encrypted.
  token_hash bytea not null constraint build_tokens_token_hash_key unique,
  token      text collate "C" not null, -- encrypted: templates have it in their addresses
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
call track_changes('build_tokens');
