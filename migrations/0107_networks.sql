-- How each network was when it was last looked at, so that its operator hears of a change once, and a network that is away
-- still has its last block.
create table network_states (
  network_id  text primary key,
  status      text not null check (status in ('UP', 'DOWN')),
  -- Looks in a row that got no answer.
  misses      integer not null default 0 check (misses >= 0),
  height      bigint,
  block_hash  text,
  block_at    timestamptz,
  since       timestamptz not null default service_now(),
  looked_at   timestamptz not null default service_now(),
  check ((height is null) = (block_hash is null) and (height is null) = (block_at is null))
);

-- What the faucet has given of test coins, newest first.
create table faucet_gifts (
  gift_id    bigint generated always as identity primary key,
  client_id  integer not null references clients,
  user_id    integer not null references users,
  network_id text not null,
  asset      text not null check (asset in ('native', 'USDC', 'IDRT')),
  address    text not null,
  units      numeric(78, 0) not null check (units > 0),
  status     text not null default 'PENDING' check (status in ('PENDING', 'SENT', 'FAILED')),
  tx_hash    text,
  failure    text,
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now(),
  check (status <> 'SENT' or tx_hash is not null),
  check ((status = 'FAILED') = (failure is not null))
);
create index faucet_gifts_of_user on faucet_gifts (user_id, gift_id desc);
create index faucet_gifts_of_client on faucet_gifts (client_id, gift_id desc);
