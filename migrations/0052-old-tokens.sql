-- Tokens from the backup of another server, until their first use: only then their digest is known.
create table old_tokens (
  personal_access_token_id bigint primary key constraint old_tokens_personal_access_token_id_fkey references personal_access_tokens on delete cascade,
  salt                     text collate "C" not null,
  hash                     bytea not null -- SHA-256 of the hash that the other server kept
);
