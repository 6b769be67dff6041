-- Whom users pay: bank accounts, wallets and addresses (docs/design/banking.md, 86). What identifies an account is sealed; the
-- fingerprint finds the same one again.
create table recipients (
  serial          bigint generated always as identity primary key,
  recipient_id    uuid not null unique,
  client_id       integer not null references clients,
  user_id         integer not null references users,
  kind            text not null check (kind in ('bank', 'wallet', 'evm', 'xrpl', 'cardano')),
  name            text not null check (length(name) between 1 and 140),
  country         text check (country ~ '^[A-Z]{2}$'),
  currency        text not null references ledger.assets,
  email           text check (length(email) <= 254),
  sealed_details  text not null,
  -- The details as they are shown: an account number by its last digits.
  masked          jsonb not null check (jsonb_typeof(masked) = 'object'),
  fingerprint     bytea not null check (length(fingerprint) = 32),
  -- How the bank's name of the account compares; nothing where nobody is asked.
  result          text check (result in ('MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE')),
  suggested_name  text,
  source          text check (source in ('gateway', 'bank-host')),
  checked_at      timestamptz,
  -- The bank gave no answer in time: a job asks again.
  is_asked_again  boolean not null default false,
  changed_at      timestamptz not null default service_now(),
  usable_from     timestamptz not null default service_now(),
  last_paid_at    timestamptz,
  version         integer not null default 1 check (version > 0),
  created_at      timestamptz not null default service_now(),
  updated_at      timestamptz not null default service_now(),
  deleted_at      timestamptz,
  check ((kind = 'bank') = (result is not null)),
  check ((result is null) = (checked_at is null) and (result is null) = (source is null)),
  check (suggested_name is null or result = 'CLOSE_MATCH')
);
create unique index recipients_once on recipients (user_id, kind, fingerprint) where deleted_at is null;
create index recipients_in_use on recipients (serial desc) where deleted_at is null;
create index recipients_of_user on recipients (user_id, serial desc) where deleted_at is null;
create index recipients_of_client on recipients (client_id, serial desc) where deleted_at is null;
create index recipients_by_kind on recipients (kind, serial desc) where deleted_at is null;
create index recipients_of_user_by_kind on recipients (user_id, kind, serial desc) where deleted_at is null;
create index recipients_of_client_by_kind on recipients (client_id, kind, serial desc) where deleted_at is null;
