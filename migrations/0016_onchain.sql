-- What a client's sends cost. An update deactivates the record in force and adds a new one.
create table fee_settings (
  id                  integer generated always as identity primary key,
  client_id           integer not null references clients,
  -- Parts per million of the amount: 0.5 % is 5000.
  fee_ppm             integer not null check (fee_ppm between 0 and 100000),
  minimum_micro_usd   bigint not null check (minimum_micro_usd > 0),
  -- Basis points of the node's gas price: 1.2 times is 12000.
  gas_points          integer not null check (gas_points between 10000 and 30000),
  is_active           boolean not null default true,
  updated_by_admin_id integer not null references users,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now()
);
create unique index fee_settings_one_active on fee_settings (client_id) where is_active;

-- A send that was asked for, written before anything is signed. The journal knows its transactions as
-- `onchain:<operation>` and `onchain-fee:<operation>`.
create table onchain_sends (
  operation         uuid primary key,
  user_id           integer not null references users,
  client_id         integer not null references clients,
  -- Held until neither the transfer nor its fee needs the key: until then the wallet stays.
  address_id        integer references wallet_addresses,
  bw_id             integer not null,
  wallet_name       text not null,
  wallet_label      text not null,
  wallet_address    text not null,
  chain_id          text not null check (chain_id in ('sepolia', 'amoy', 'neon')),
  token_symbol      text not null,
  token_contract    text not null,
  destination       text not null,
  units             numeric(38, 0) not null check (units > 0),
  fee_units         numeric(38, 0) not null check (fee_units >= 0),
  treasury          text not null,
  gas_points        integer not null,
  status            text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'FAILED')),
  failure           text,
  -- DUE: to be taken once the transfer is confirmed. UNPAID: the wallet could not pay it in time.
  fee_status        text not null default 'DUE' check (fee_status in ('DUE', 'PAID', 'UNPAID', 'NONE')),
  fee_tx_hash       text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint onchain_sends_key check (
    (address_id is not null) = (status = 'PENDING' or (status = 'CONFIRMED' and fee_status = 'DUE'))
  ),
  constraint onchain_sends_failure check ((status = 'FAILED') = (failure is not null))
);
create index onchain_sends_open on onchain_sends (address_id) where address_id is not null;

-- What left a wallet, ours or reported by its owner. It outlives the wallet.
create table onchain_transactions (
  id                 integer generated always as identity primary key,
  user_id            integer not null references users,
  client_id          integer not null references clients,
  bw_id              integer not null,
  wallet_name        text not null,
  wallet_label       text not null,
  tx_type            text not null default 'ONCHAIN_SEND' check (tx_type = 'ONCHAIN_SEND'),
  tx_flow            text not null default 'OUT' check (tx_flow = 'OUT'),
  -- Tokens have any number of decimals, so amounts are exact decimal text.
  amount             text not null check (amount ~ '^\d+(\.\d+)?$'),
  tx_hash            text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  status             text not null default 'CONFIRMED' check (status = 'CONFIRMED'),
  destination_wallet text not null,
  token_symbol       text not null,
  chain_id           text not null check (chain_id in ('sepolia', 'amoy', 'neon')),
  token_contract     text not null,
  gas_fee            text not null check (gas_fee ~ '^\d+(\.\d+)?$'),
  platform_fee       text not null check (platform_fee ~ '^\d+(\.\d+)?$'),
  -- The send of ours that it was; null for what was reported.
  operation          uuid references onchain_sends,
  created_at         timestamptz not null default now(),
  constraint onchain_transactions_once unique (user_id, chain_id, tx_hash),
  constraint onchain_transactions_operation unique (operation)
);
create index onchain_transactions_newest on onchain_transactions (user_id, created_at desc, id desc);
create index onchain_transactions_hash on onchain_transactions (tx_hash);
