-- Logins of the command line that wait for somebody's consent in a browser, or for the command line after it (RFC 8628, RFC 8252). Of
-- codes only digests are stored.
create table login_requests (
  digest        bytea primary key, -- of the code of a device, or of the one that a browser brings
  user_digest   bytea constraint login_requests_user_digest_key unique, -- of the code that people type
  challenge     text collate "C", -- these two for browsers
  redirect_uri  text collate "C",
  client_name   text collate "C" not null constraint login_requests_client_name_check check (char_length(client_name) between 1 and 100),
  address       inet not null,
  permissions   text[] constraint login_requests_permissions_check check (cardinality(permissions) > 0), -- null: not limited
  state         text collate "C" not null default 'pending' constraint login_requests_state_check check (state in ('pending', 'approved', 'denied')),
  user_id       bigint constraint login_requests_user_id_fkey references users on delete cascade,
  poll_interval integer not null default 5,
  polled_at     timestamptz(3),
  expires_at    timestamptz(3) not null,
  constraint login_requests_pair_check check ((user_digest is null) = (challenge is not null)
    and (user_digest is null) = (redirect_uri is not null) and (state = 'pending') = (user_id is null))
);
create index login_requests_user_id_idx on login_requests (user_id);
create index login_requests_expires_at_idx on login_requests (expires_at);
create index login_requests_address_idx on login_requests (address);

-- Wrong codes that a user has typed on the page for devices.
create table user_code_failures (
  user_id  bigint primary key constraint user_code_failures_user_id_fkey references users on delete cascade,
  failures integer not null,
  until    timestamptz(3) not null
);
