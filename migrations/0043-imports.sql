-- Imports from a running server. Each row says which record here stands for which record there; it is written in the
-- transaction that writes the record, so that an interrupted import leaves neither doubles nor records that it forgot.
create table imported_records (
  server    text collate "C" not null, -- its address
  kind      text collate "C" not null, -- the name of the resource
  their_id  bigint not null,
  our_id    bigint not null,
  parent_id bigint,                    -- here, of records below others
  name      text collate "C" not null, -- for people
  created   boolean not null,          -- by an import; otherwise the record was here before
  theirs    text collate "C" not null, -- digest of the record as it was taken
  ours      text collate "C" not null, -- digest of the record here after that
  position  bigint generated always as identity,
  primary key (server, kind, their_id)
);
create index imported_records_server_position_idx on imported_records (server, position);
