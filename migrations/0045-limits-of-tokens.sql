-- A personal access token may be limited: to permissions, organizations, locations and addresses. Null: not limited in this
-- respect. The ids have no foreign keys: when an organization goes, its tokens reach less, never more.
create table token_limits (
  personal_access_token_id bigint primary key constraint token_limits_personal_access_token_id_fkey references personal_access_tokens on delete cascade,
  permissions              text[] constraint token_limits_permissions_check check (cardinality(permissions) > 0),
  organization_ids         bigint[] constraint token_limits_organization_ids_check check (cardinality(organization_ids) > 0),
  location_ids             bigint[] constraint token_limits_location_ids_check check (cardinality(location_ids) > 0),
  allowed_addresses        inet[] constraint token_limits_allowed_addresses_check check (cardinality(allowed_addresses) > 0)
);

-- The value before of a token that was replaced: it counts a while longer, so that programs can be changed one by one.
create table replaced_tokens (
  personal_access_token_id bigint primary key constraint replaced_tokens_personal_access_token_id_fkey references personal_access_tokens on delete cascade,
  token                    bytea not null constraint replaced_tokens_token_key unique, -- SHA-256 of the token
  expires_at               timestamptz(3) not null
);

call track_changes('token_limits');
call announce_changes('identity', 'token_limits', 'replaced_tokens');
