-- Passkeys as second factors (WebAuthn). Their secret is what digests of recovery codes are keyed with.
alter table second_factors
  drop constraint second_factors_kind_check,
  add constraint second_factors_kind_check check (kind in ('totp', 'passkey')),
  add column name       text collate "C" constraint second_factors_name_check check (char_length(name) between 1 and 100),
  add column host       text collate "C", -- the host name that a passkey belongs to
  add column credential text collate "C" constraint second_factors_credential_key unique, -- how a passkey is called, from its confirmation on
  add column public_key bytea,
  add column sign_count bigint not null default 0, -- how often it was used, as far as it counts that itself
  add constraint second_factors_pair_check check (case kind
    when 'passkey' then host is not null and (confirmed_at is null or (credential is not null and public_key is not null))
    else host is null and credential is null and public_key is null end);

-- What passkeys are asked to sign: once, for one user, in one session, within minutes. Of challenges only digests are stored.
create table passkey_challenges (
  digest           bytea primary key,
  user_id          bigint not null constraint passkey_challenges_user_id_fkey references users on delete cascade,
  session_id       bigint constraint passkey_challenges_session_id_fkey references sessions (id) on delete cascade, -- null: before one has begun
  second_factor_id bigint constraint passkey_challenges_second_factor_id_fkey references second_factors on delete cascade, -- the passkey to set up; null: a proof
  used             boolean not null default false,
  expires_at       timestamptz(3) not null
);
create index passkey_challenges_user_id_idx on passkey_challenges (user_id);
create index passkey_challenges_session_id_idx on passkey_challenges (session_id);
create index passkey_challenges_second_factor_id_idx on passkey_challenges (second_factor_id);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);
