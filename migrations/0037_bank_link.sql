-- Bank accounts that users have linked to their wallets, and what was taken from them by ACH.

-- Which wallet a user's latest link token is for: what the user brings from it is linked to that one.
create table bank_link_tokens (
  user_id   integer primary key references users,
  wallet_id integer not null references fiat_wallets,
  made_at   timestamptz not null default service_now()
);

create table bank_connections (
  connection_id    uuid primary key,
  wallet_id        integer not null references fiat_wallets,
  user_id          integer not null references users,
  -- REMOVING is not the wallet's any more, and still to be removed at the provider.
  state            text not null check (state in ('CONNECTED', 'REMOVING', 'REMOVED')),
  item_id          text not null check (length(item_id) between 1 and 200),
  -- Opens the bank account to whoever has it, so sealed; gone with the connection.
  sealed_token     text,
  -- A keyed fingerprint, to find the connection of a token by.
  token_print      bytea not null check (length(token_print) = 32),
  -- The one that the user chose, where that was told.
  account_id       text check (length(account_id) between 1 and 200),
  institution_id   text check (length(institution_id) between 1 and 200),
  institution_name text check (length(institution_name) between 1 and 200),
  created_at       timestamptz not null default service_now(),
  updated_at       timestamptz not null default service_now(),

  constraint bank_connections_sealed check ((state = 'REMOVED') = (sealed_token is null)),
  constraint bank_connections_token unique (token_print)
);
create unique index bank_connections_once on bank_connections (wallet_id) where state = 'CONNECTED';
create index bank_connections_by_user on bank_connections (user_id) where state = 'CONNECTED';

create table bank_top_ups (
  -- The operation of the request, so that its repetition finds it; our reference at the provider.
  top_up_id     uuid primary key,
  wallet_id     integer not null references fiat_wallets,
  user_id       integer not null references users,
  connection_id uuid not null references bank_connections,
  -- The ledger account of the wallet.
  account_id    bigint not null,
  amount        numeric(38, 0) not null check (amount > 0),
  status        text not null check (status in ('PENDING', 'SUCCESS_RECEIVED', 'FAILED', 'RETURNED')),
  -- Settled in mock mode, without the provider.
  simulated     boolean not null,
  -- The provider's name of it.
  transfer_id   text constraint bank_top_ups_transfer unique check (length(transfer_id) between 1 and 200),
  failure       text check (length(failure) between 1 and 60),
  -- When the provider settled it and took it back, by its own events.
  settled_at    timestamptz,
  returned_at   timestamptz,
  -- What of a return the wallet could not give back yet.
  owed          numeric(38, 0) not null default 0 check (owed >= 0),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now(),

  constraint bank_top_ups_settled check (
    (status in ('SUCCESS_RECEIVED', 'RETURNED')) = (settled_at is not null)),
  constraint bank_top_ups_returned check ((status = 'RETURNED') = (returned_at is not null)),
  constraint bank_top_ups_owed check (owed = 0 or status = 'RETURNED'),
  constraint bank_top_ups_failed_says_why check ((status = 'FAILED') = (failure is not null)),
  constraint bank_top_ups_known check (
    simulated or status in ('PENDING', 'FAILED') or transfer_id is not null)
);
create index bank_top_ups_pending on bank_top_ups (wallet_id) where status = 'PENDING';
create index bank_top_ups_made on bank_top_ups (created_at) where not simulated;
create index bank_top_ups_settled_at on bank_top_ups (settled_at)
  where not simulated and settled_at is not null;
create index bank_top_ups_returned_at on bank_top_ups (returned_at) where returned_at is not null;
create index bank_top_ups_owing on bank_top_ups (top_up_id) where owed > 0;

-- What the provider says of transfers, each once, in whatever order it came.
create table bank_transfer_events (
  event_id    bigint primary key,
  transfer_id text not null check (length(transfer_id) between 1 and 200),
  event_type  text not null check (length(event_type) between 1 and 60),
  -- In cents, where it was told.
  amount      numeric(38, 0),
  happened_at timestamptz not null,
  received_at timestamptz not null default service_now()
);
create index bank_transfer_events_of on bank_transfer_events (transfer_id, event_id);
create index bank_transfer_events_age on bank_transfer_events (received_at);

-- How far they have been read.
create table bank_transfer_cursor (
  is_only boolean primary key default true check (is_only),
  last_id bigint not null check (last_id >= 0)
);
insert into bank_transfer_cursor (last_id) values (0);
