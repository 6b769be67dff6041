-- Who exists: providers by country, client organisations, their users, log-ins, keys and what was done.

create table psps (
  psp_id       integer primary key,
  psp_name     text not null,
  psp_type     text not null default 'FIAT_PSP',
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  country_name text not null,
  priority     integer not null default 100,
  created_at   timestamptz not null default now()
);
create index psps_by_country on psps (country_code, psp_type, priority, created_at);

insert into psps (psp_id, psp_name, country_code, country_name) values
  (11, 'PSP_A', 'ID', 'Indonesia'),
  (2,  'PSP_SG', 'SG', 'Singapore'),
  (4,  'PSP_US', 'US', 'United States'),
  (3,  'PSP_IN', 'IN', 'India'),
  (6,  'PSP_AU', 'AU', 'Australia'),
  (10, 'PSP_VN', 'VN', 'Vietnam');

create table clients (
  client_id     integer generated always as identity primary key,
  client_code   text not null check (client_code ~ '^CL-[0-9]{6}-[0-9]{4,}$'),
  email         text not null,
  client_alias  text not null,
  client_type   text not null,
  client_status text not null default 'PENDING',
  ekyc_status   text not null default 'PENDING'
    check (ekyc_status in ('PENDING', 'APPROVED', 'REJECTED')),
  ekyb_status   text check (ekyb_status in ('PENDING', 'APPROVED', 'REJECTED')),
  country_code  text not null check (country_code ~ '^[A-Z]{2}$'),
  psp_id        integer references psps,
  phone         text not null,
  created       timestamptz not null default now(),
  updated       timestamptz not null default now(),
  constraint clients_code_once unique (client_code)
);
create unique index clients_email_once on clients (lower(email));

create table instances (
  instance_id     integer generated always as identity primary key,
  client_id       integer not null references clients on delete cascade,
  instance_name   text not null,
  client_alias    text,
  instance_status text not null default 'ACTIVE',
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint instances_name_per_client unique (client_id, instance_name)
);

create table users (
  user_id         integer generated always as identity primary key,
  client_id       integer not null references clients,
  username        text not null,
  email           text not null,
  phone           text,
  role            text not null default 'user' check (role in ('admin', 'user')),
  user_status     text not null default 'ACTIVE'
    check (user_status in ('ACTIVE', 'INACTIVE', 'PENDING')),
  -- argon2id in PHC form; null where somebody only ever logs in through a provider.
  password_hash   text,
  is_wishlist     boolean not null default false,
  tos_accepted_at timestamptz,
  twofa_enabled   boolean not null default false,
  social_username text,
  social_verified boolean not null default false,
  public_key      text,
  profile_picture text,
  psp_id          text,
  created         timestamptz not null default now(),
  updated         timestamptz not null default now()
);
create unique index users_email_per_client on users (client_id, lower(email));
create index users_by_email on users (lower(email));
create index users_by_username on users (lower(username));
create index users_newest on users (client_id, user_id desc);

-- One row for each kind of verification a user has begun; none means "Not yet Submit".
create table verifications (
  user_id      integer not null references users on delete cascade,
  kind         text not null check (kind in ('KYC', 'KYB')),
  status       text not null check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  verified_at  timestamptz,
  provider     text,
  applicant_id text,
  level_name   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (user_id, kind)
);
create unique index verifications_applicant on verifications (applicant_id)
  where applicant_id is not null;

create table verification_history (
  id         bigint generated always as identity primary key,
  user_id    integer not null references users on delete cascade,
  kind       text not null,
  status     text not null,
  source     text not null,
  at         timestamptz not null default now()
);
create index verification_history_of_user on verification_history (user_id, id desc);

-- Keys are stored by their hash; what a listing shows is their first and last characters.
create table api_keys (
  key_id        integer generated always as identity primary key,
  key_hash      bytea not null check (length(key_hash) = 32),
  key_prefix    text not null,
  key_suffix    text not null,
  provider_name text not null default 'SDK Client' check (length(provider_name) <= 100),
  client_id     integer references clients on delete cascade,
  user_id       integer references users on delete cascade,
  scopes        text[] not null default '{*}',
  expires_at    timestamptz,
  replaces      integer references api_keys on delete set null,
  created_at    timestamptz not null default now(),
  last_used     timestamptz,
  usage_count   bigint not null default 0,
  constraint api_keys_once unique (key_hash)
);
create index api_keys_of_user on api_keys (user_id, created_at desc);

create table sessions (
  session_id uuid primary key,
  user_id    integer references users on delete cascade,
  userx_id   integer,
  ip         text,
  user_agent text,
  method     text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint sessions_of_one check (num_nonnulls(user_id, userx_id) = 1)
);
create index sessions_of_user on sessions (user_id, created_at desc) where user_id is not null;
create index sessions_of_userx on sessions (userx_id, created_at desc) where userx_id is not null;

-- Links and codes that prove something once. Only digests are kept.
create table user_links (
  digest     bytea primary key,
  user_id    integer not null references users on delete cascade,
  purpose    text not null check (purpose in ('confirm', 'tos', 'reset')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index user_links_of_user on user_links (user_id, purpose);

create table user_otps (
  user_id    integer not null references users on delete cascade,
  purpose    text not null,
  digest     bytea not null,
  tries      integer not null default 0,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);

-- A password that was proven and still waits for its second factor.
create table login_challenges (
  challenge_id uuid primary key,
  user_id      integer not null references users on delete cascade,
  key_id       integer references api_keys on delete cascade,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  -- What verify-login has accepted, so that complete-login may count the same code once more.
  verified     bytea,
  consumed_at  timestamptz
);
create index login_challenges_open on login_challenges (user_id, key_id, created_at desc)
  where consumed_at is null;

-- Wrong passwords and codes, per account and address, so that a stranger elsewhere locks nobody out.
create table login_failures (
  account text not null,
  address text not null,
  at      timestamptz not null
);
create index login_failures_recent on login_failures (account, address, at desc);

create table psp_customers (
  id            integer generated always as identity primary key,
  client_id     integer not null references clients on delete cascade,
  user_id       integer references users on delete cascade,
  psp_provider  text not null,
  customer_type text not null check (customer_type in ('INDIVIDUAL', 'BUSINESS')),
  -- Ours, sent along, so that a customer whose answer was lost is found again.
  reference_id  text not null,
  customer_id   text,
  status        text not null default 'PENDING' check (status in ('PENDING', 'ACTIVE', 'FAILED')),
  kyc_status    text,
  kyc_synced    text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  constraint psp_customers_once unique (psp_provider, reference_id)
);
create index psp_customers_of_user on psp_customers (user_id);
create index psp_customers_of_client on psp_customers (client_id);

create table activity_log (
  id              bigint generated always as identity primary key,
  action          text not null,
  client_id       integer,
  actor_user_id   integer,
  subject_user_id integer,
  details         jsonb not null default '{}',
  ip              text,
  user_agent      text,
  request_id      text,
  at              timestamptz not null default now()
);
create index activity_of_client on activity_log (client_id, id desc);
create index activity_of_subject on activity_log (subject_user_id, id desc);

-- Answers to requests that came with an Idempotency-Key, for 24 hours.
create table idempotency_keys (
  scope       bytea primary key,
  fingerprint bytea not null,
  -- Whose attempt this is; a crashed one is taken over when its lease has run out.
  lease       uuid not null,
  lease_until timestamptz not null,
  status      integer,
  answer      text,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null
);
create index idempotency_keys_old on idempotency_keys (expires_at);

-- Small facts the service keeps about itself: how far the sandbox moved the clock, what was seeded.
create table service_state (
  name  text primary key,
  value jsonb not null
);

-- Whoever caches a key, a session or a user hears of every change, whichever process made it.
create function tell_identity_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('identity', tg_argv[0] || ':' || case tg_argv[0]
    when 'key' then encode(old.key_hash, 'hex')
    when 'session' then old.session_id::text
    when 'user' then old.user_id::text
  end);
  return null;
end $$;
create trigger api_keys_changed after delete or update of expires_at, scopes on api_keys
  for each row execute function tell_identity_changed('key');
create trigger sessions_changed after delete or update of revoked_at on sessions
  for each row execute function tell_identity_changed('session');
create trigger users_changed after delete or update of role, user_status, client_id on users
  for each row execute function tell_identity_changed('user');
