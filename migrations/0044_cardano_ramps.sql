-- A pull from a card that a flow waits for: what it brings is set aside in the wallet for that flow.
alter table card_transactions add column flow text check (length(flow) between 1 and 100);
create unique index card_transactions_one_of_flow on card_transactions (flow)
  where flow is not null and state <> 'FAILED';
create index card_transactions_by_flow on card_transactions (flow, id) where flow is not null;

-- A way from a currency to USDC on Cardano, and where it was asked for on to another one.
create table cardano_orders (
  order_id       uuid primary key,
  -- The request that asked for it, so that its repetition finds it. Null once it came to nothing for a
  -- reason that is not the caller's: a repetition may then try anew.
  operation      uuid constraint cardano_orders_operation unique,
  user_id        integer not null references users,
  client_id      integer not null references clients,
  source         text not null check (source in ('CARD', 'WALLET')),
  target         text not null check (target in ('WALLET', 'BANK', 'ADDRESS')),
  -- What pays; of a card's money the wallet in which it is set aside, and to which it comes back.
  wallet_from_id integer not null references fiat_wallets,
  wallet_to_id   integer references fiat_wallets,
  to_address     text check (length(to_address) between 1 and 150),
  currency_from  text not null check (currency_from in ('USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND')),
  currency_to    text check (currency_to in ('USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND')),
  -- Of currency_from.
  fiat_amount    numeric(38, 0) not null check (fiat_amount > 0),
  onramp_fee     numeric(38, 0) not null check (onramp_fee >= 0 and onramp_fee < fiat_amount),
  usdc           numeric(38, 0) not null check (usdc > 0),
  -- Of currency_to: what arrives, and what the platform has kept of it.
  payout         numeric(38, 0) check (payout > 0),
  offramp_fee    numeric(38, 0) check (offramp_fee >= 0),
  rate_in        text not null,
  rate_out       text not null,
  rates_source   text not null,
  rates_at       timestamptz not null,
  -- Fiat legs settled at their word, as in mock mode.
  simulated      boolean not null,
  bank_code      text check (length(bank_code) between 1 and 40),
  account_number text check (length(account_number) between 1 and 40),
  account_name   text check (length(account_name) between 1 and 200),
  status         text not null default 'OPEN' check (status in ('OPEN', 'PAYING', 'DONE', 'FAILED')),
  failure        text check (length(failure) between 1 and 60),
  -- Where the money went back to.
  given_back     text check (given_back in ('WALLET', 'CARD')),
  card_reference text,
  mint_hash      text check (mint_hash ~ '^[0-9a-f]{64}$'),
  burn_hash      text check (burn_hash ~ '^[0-9a-f]{64}$'),
  -- Lovelace that the treasury has paid for it.
  network_cost   numeric(38, 0) not null default 0 check (network_cost >= 0),
  paid_out_at    timestamptz,
  created_at     timestamptz not null default service_now(),
  updated_at     timestamptz not null default service_now(),

  constraint cardano_orders_failed_says_why check ((status = 'FAILED') = (failure is not null)),
  constraint cardano_orders_target check (
    (target = 'WALLET') = (wallet_to_id is not null) and (target = 'ADDRESS') = (to_address is not null)
    and num_nulls(currency_to, payout, offramp_fee) = case target when 'ADDRESS' then 3 else 0 end)
);
create index cardano_orders_by_mint on cardano_orders (mint_hash) where mint_hash is not null;
create index cardano_orders_by_burn on cardano_orders (burn_hash) where burn_hash is not null;
create index cardano_orders_paid_out on cardano_orders (paid_out_at, order_id)
  where paid_out_at is not null;

-- What of it has happened, each once: a line of its user's history.
create table cardano_steps (
  step_id    bigint generated always as identity primary key,
  order_id   uuid not null references cardano_orders,
  user_id    integer not null references users,
  step       text not null check (step in
               ('CARD_IN', 'WALLET_OUT', 'MINT', 'BURN', 'WALLET_IN', 'BANK_OUT', 'RETURN')),
  tx_hash    text,
  status     text not null check (status in ('SUCCESS_RECEIVED', 'PENDING', 'FAILED')),
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now(),

  constraint cardano_steps_once unique (order_id, step)
);
create index cardano_steps_of_user on cardano_steps (user_id, step_id desc);

-- USDC that a user's orders have moved, by day (UTC): kept, so that nobody has to add up a history.
create table cardano_volumes (
  user_id integer not null references users,
  day     date not null,
  units   numeric(38, 0) not null check (units > 0),
  primary key (user_id, day)
);
