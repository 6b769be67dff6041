-- Where users want their USDC: addresses of their own outside, one per network.
create table exchange_wallets (
  bw_id          integer generated always as identity primary key,
  user_id        integer not null references users,
  -- The contract's code in capitals: `chain_id` is the same in small letters.
  network        text not null check (network in ('ERC20', 'TRC20', 'BEP20', 'POLYGON', 'SOLANA')),
  -- As its network writes it, so that equal addresses are equal texts.
  wallet_address text not null check (length(wallet_address) between 26 and 64),
  is_primary     boolean not null default false,
  status         text not null default 'ACTIVE' check (status in ('ACTIVE', 'DELETED')),
  created_at     timestamptz not null default service_now(),
  updated_at     timestamptz not null default service_now(),
  constraint exchange_wallets_primary_is_active check (status = 'ACTIVE' or not is_primary)
);
create unique index exchange_wallets_once on exchange_wallets (user_id, network)
  where status = 'ACTIVE';
create unique index exchange_wallets_one_primary on exchange_wallets (user_id) where is_primary;
