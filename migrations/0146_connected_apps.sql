-- Programs of others that people let act for them, by OAuth. They register themselves; what one may is a grant of one
-- person. Behind a grant stand a key and a log-in that no one is given, so that both end it like any other.
create table oauth_apps (
  app_id        text primary key check (app_id ~ '^app_[0-9a-f]{32}$'),
  name          text not null check (length(name) between 1 and 80),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  created_at    timestamptz not null default service_now(),
  -- Until when it is known: longer than each grant that it got.
  kept_until    timestamptz not null
);
create index oauth_apps_by_end on oauth_apps (kept_until);

create table oauth_grants (
  grant_id        uuid primary key,
  app_id          text not null references oauth_apps,
  client_id       integer not null references clients,
  user_id         integer not null references users,
  scopes          text[] not null check (cardinality(scopes) > 0),
  -- Of the code that the app gets once, and what it has to show for it.
  code_digest     bytea not null unique check (length(code_digest) = 32),
  code_challenge  text not null check (length(code_challenge) = 43),
  redirect_uri    text not null,
  code_used_at    timestamptz,
  key_id          integer references api_keys on delete set null,
  session_id      uuid,
  created_at      timestamptz not null default service_now(),
  -- Of the code, until that was used.
  expires_at      timestamptz not null,
  ended_at        timestamptz
);
create index oauth_grants_of_user on oauth_grants (user_id, expires_at desc, grant_id desc) where ended_at is null;
create index oauth_grants_by_user on oauth_grants (user_id, grant_id);
create index oauth_grants_of_app on oauth_grants (app_id);
create index oauth_grants_by_end on oauth_grants (expires_at);

create table oauth_tokens (
  digest     bytea primary key check (length(digest) = 32),
  grant_id   uuid not null references oauth_grants on delete cascade,
  kind       text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  -- Of a refresh token: when it was used first.
  used_at    timestamptz,
  created_at timestamptz not null default service_now()
);
create index oauth_tokens_of_grant on oauth_tokens (grant_id);
create index oauth_tokens_by_end on oauth_tokens (expires_at);
