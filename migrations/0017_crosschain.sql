-- USDC on its way from one chain to another: burnt there, minted here. The states are the contract's.
create table crosschain_transfers (
  log_id            uuid primary key,
  -- Newest first, whatever the clock says.
  serial            bigint generated always as identity unique,
  nonce             text not null check (nonce <> ''),
  user_id           integer not null references users,
  client_id         integer not null references clients,
  -- As the caller wrote it; `units` is what counts.
  amount            text not null check (amount ~ '^[0-9]+(\.[0-9]+)?$'),
  units             numeric(38, 0) not null check (units between 1000000 and 10000000000),
  platform_fee      numeric(38, 0) not null check (platform_fee >= 100000),
  token             text not null check (token = 'USDC'),
  from_chain        text not null check (from_chain in ('sepolia', 'amoy', 'neon')),
  to_chain          text not null check (to_chain in ('sepolia', 'amoy', 'neon')),
  recipient_address text not null check (recipient_address ~ '^0x[0-9a-fA-F]{40}$'),
  return_address    text check (return_address ~ '^0x[0-9a-fA-F]{40}$'),
  passage           text not null check (passage in ('BRIDGE', 'CCTP')),
  -- The UTC day whose limit it counts against.
  limit_day         date not null,
  status            text not null default 'INITIATED'
    check (status in ('INITIATED', 'BURNED', 'MINTED', 'FAILED')),
  -- Who is burning right now. While it is set nobody else may say how the burn ended.
  lease             uuid,
  lease_until       timestamptz,
  -- Counts the burns that ended on chain without an effect; each is sent under a name of its own.
  burn_attempt      integer not null default 1 check (burn_attempt > 0),
  -- The request that burnt it or gave it up; repeated after a crash it is told so again.
  operation         uuid,
  burn_mode         text
    check (burn_mode in ('backend', 'external_wallet', 'frontend', 'confirm')),
  burn_from         text check (burn_from ~ '^0x[0-9a-fA-F]{40}$'),
  is_sponsored      boolean not null default false,
  burn_tx_hash      text check (burn_tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- CHAIN: seen on the source chain with its confirmations. WORD: the caller's word, in mock mode.
  burn_proof        text check (burn_proof in ('CHAIN', 'WORD')),
  mint_attempt      integer not null default 1 check (mint_attempt > 0),
  -- From then on a mint may be on its way.
  mint_started_at   timestamptz,
  -- The request that began it.
  mint_operation    uuid,
  mint_tx_hash      text check (mint_tx_hash ~ '^0x[0-9a-f]{64}$'),
  fee_tx_hash       text check (fee_tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- When both ends were found on chain as they should be.
  reconciled_at     timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  constraint crosschain_nonce_once unique (nonce),
  constraint crosschain_two_chains check (from_chain <> to_chain),
  constraint crosschain_lease check (
    (lease is null) = (lease_until is null) and (lease is null or status = 'INITIATED')),
  constraint crosschain_state check (
    (burn_tx_hash is not null) = (status in ('BURNED', 'MINTED'))
    and (mint_tx_hash is not null) = (status = 'MINTED')
    and (burn_tx_hash is not null or burn_proof is null)
    and (status <> 'MINTED' or burn_proof is not null)
    and (mint_started_at is null or status in ('BURNED', 'MINTED')))
);
-- One burn never backs two transfers.
create unique index crosschain_burn_once on crosschain_transfers (from_chain, burn_tx_hash);
create index crosschain_by_user on crosschain_transfers (user_id, serial desc);
create index crosschain_burning on crosschain_transfers (lease_until) where lease is not null;
create index crosschain_burned on crosschain_transfers (serial) where status = 'BURNED';
create index crosschain_unreconciled on crosschain_transfers (serial)
  where status = 'MINTED' and reconciled_at is null;

-- What a user has begun on a UTC day, less what failed.
create table crosschain_days (
  user_id integer not null references users,
  day     date not null,
  units   numeric(38, 0) not null,
  primary key (user_id, day),
  constraint crosschain_daily_limit check (units between 0 and 50000000000)
);

-- What the reconciliation found and nobody has explained yet, each once.
create table crosschain_breaks (
  break_id   integer generated always as identity primary key,
  kind       text not null check (kind in ('BURN', 'MINT', 'STUCK', 'SUPPLY')),
  -- The transfer's log_id, or the supply's chain.
  subject    text not null,
  details    jsonb not null,
  found_at   timestamptz not null,
  last_at    timestamptz not null,
  settled_at timestamptz
);
create unique index crosschain_breaks_open on crosschain_breaks (kind, subject)
  where settled_at is null;
