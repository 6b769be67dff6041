-- Files of people, and those that the service makes for them. The bytes are sealed in parts of 1 MiB under a key of the
-- file's own, which is sealed under the master key.
create table files (
  file_id uuid primary key,
  ordinal bigint generated always as identity unique,
  client_id integer not null references clients,
  -- Null where it is the client's.
  user_id integer references users,
  purpose text not null check (purpose in ('dispute_evidence', 'batch_import', 'logo', 'statement', 'export', 'batch_result')),
  name text not null check (length(name) between 1 and 200),
  content_type text not null,
  size bigint not null check (size > 0),
  sha256 bytea not null check (length(sha256) = 32),
  sealed_key text not null,
  created_at timestamptz not null default service_now(),
  -- When it goes, unless something names it then.
  expires_at timestamptz not null
);
create unique index files_once on files (client_id, coalesce(user_id, 0), purpose, sha256);
create index files_of_user on files (user_id, ordinal desc);
create index files_of_client on files (client_id, ordinal desc);
create index files_expiring on files (expires_at);

-- Written before their file, in small transactions: an upload takes as long as its caller does. Those of an upload that was
-- broken off have no file, and are forgotten by their time.
create table file_parts (
  file_id uuid not null,
  n integer not null check (n >= 0),
  sealed bytea not null,
  written_at timestamptz not null default service_now(),
  primary key (file_id, n)
);
alter table file_parts alter column sealed set storage external;
create index file_parts_first on file_parts (written_at) where n = 0;
