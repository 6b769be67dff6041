-- The rupiah token: bought through the gateway, burnt for a bank transfer. Amounts are units of 1/100.

-- Where a user's rupiah may go. A deletion only ends its use: what was paid there still names it.
create table idr_bank_accounts (
  token_bank_id       integer generated always as identity primary key,
  user_id             integer not null references users,
  bank_name           text not null check (length(bank_name) between 1 and 100),
  bank_code           text not null check (bank_code ~ '^[A-Z0-9_]{2,30}$'),
  bank_account_number text not null check (bank_account_number ~ '^[0-9]{5,30}$'),
  bank_account_name   text not null check (length(bank_account_name) between 1 and 200),
  is_primary          boolean not null default false,
  status              text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE')),
  created_at          timestamptz not null default service_now(),
  constraint idr_bank_accounts_primary_is_active check (status = 'ACTIVE' or not is_primary)
);
create index idr_bank_accounts_of_user on idr_bank_accounts (user_id, token_bank_id)
  where status = 'ACTIVE';
create unique index idr_bank_accounts_one_primary on idr_bank_accounts (user_id) where is_primary;
create unique index idr_bank_accounts_once
  on idr_bank_accounts (user_id, bank_code, bank_account_number) where status = 'ACTIVE';

-- The milliseconds that a user's references of one kind have reached: no two are the same.
create table idr_references (
  kind    text not null check (kind in ('MINT', 'REDEEM')),
  user_id integer not null references users,
  last_ms bigint not null check (last_ms > 0),
  primary key (kind, user_id)
);

-- Rupiah paid in, tokens out.
create table idr_mints (
  mint_id            integer generated always as identity primary key,
  reference_id       text not null constraint idr_mints_reference unique
                     check (reference_id ~ '^MINT-[0-9]+-[0-9]+$'),
  -- The request that asked for it, so that its repetition finds it.
  operation          uuid not null constraint idr_mints_operation unique,
  user_id            integer not null references users,
  client_id          integer not null references clients,
  amount_idr         numeric(38, 0) not null check (amount_idr between 2000000 and 10000000000),
  amount_token       numeric(38, 0) not null check (amount_token > 0),
  fee_amount         numeric(38, 0) not null check (fee_amount >= 0),
  total_amount_idr   numeric(38, 0) not null,
  -- What the payer has paid: the total, unless the gateway issues the token and sets its own price.
  paid_amount_idr    numeric(38, 0) check (paid_amount_idr >= amount_idr),
  payment_method     text not null check (payment_method in ('QRIS', 'VA', 'EWALLET')),
  chain_id           text not null references chains,
  wallet_address     text not null,
  status             text not null default 'PENDING'
    check (status in ('PENDING', 'PAID', 'MINTED', 'SUCCESS', 'FAILED', 'CANCELLED')),
  payment_status     text not null default 'PENDING'
    check (payment_status in ('PENDING', 'PAID', 'EXPIRED', 'FAILED', 'REFUNDED')),
  -- The gateway's name of the payment, and the page on which a person pays it.
  gateway_payment_id text check (length(gateway_payment_id) between 1 and 200),
  payment_url        text check (length(payment_url) between 1 and 2000),
  mint_tx_hash       text,
  -- Why it came to nothing.
  failure            text check (length(failure) between 1 and 200),
  paid_at            timestamptz,
  expired_at         timestamptz not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  constraint idr_mints_adds_up check (total_amount_idr = amount_idr + fee_amount),
  constraint idr_mints_one_for_one check (amount_token = amount_idr),
  constraint idr_mints_minted_is_known check (
    status not in ('MINTED', 'SUCCESS') or mint_tx_hash is not null),
  constraint idr_mints_paid check (
    (paid_at is not null) = (payment_status in ('PAID', 'REFUNDED'))
    and (paid_at is null) = (paid_amount_idr is null)
    and (status not in ('PAID', 'MINTED', 'SUCCESS') or payment_status = 'PAID')
    and (status <> 'CANCELLED' or payment_status = 'EXPIRED')),
  constraint idr_mints_failed_says_why check ((status = 'FAILED') = (failure is not null))
);
create trigger idr_mints_form before insert or update of chain_id, wallet_address, mint_tx_hash
  on idr_mints for each row
  execute function refuse_other_forms(
    'chain_id', 'address', 'wallet_address', 'transaction', 'mint_tx_hash');
create index idr_mints_of_user on idr_mints (user_id, mint_id desc);
create index idr_mints_of_user_by_status on idr_mints (user_id, status, mint_id desc);
-- A gateway may call back by its own name alone.
create index idr_mints_by_gateway on idr_mints (gateway_payment_id)
  where gateway_payment_id is not null;
create index idr_mints_owed on idr_mints (chain_id) where status = 'PAID';
-- The gateway's statement is compared in this order.
create index idr_mints_by_payment on idr_mints (paid_at, mint_id) where paid_at is not null;

-- Tokens burnt, rupiah out.
create table idr_redeems (
  redeem_id            integer generated always as identity primary key,
  reference_id         text not null constraint idr_redeems_reference unique
                       check (reference_id ~ '^REDEEM-[0-9]+-[0-9]+$'),
  operation            uuid not null constraint idr_redeems_operation unique,
  user_id              integer not null references users,
  client_id            integer not null references clients,
  token_bank_id        integer not null references idr_bank_accounts,
  amount_token         numeric(38, 0) not null check (amount_token between 2000000 and 100000000000),
  amount_idr           numeric(38, 0) not null,
  fee_amount           numeric(38, 0) not null check (fee_amount >= 0),
  -- Whole rupiah, since banks transfer nothing less.
  net_amount_idr       numeric(38, 0) not null check (net_amount_idr > 0 and net_amount_idr % 100 = 0),
  chain_id             text not null references chains,
  wallet_address       text not null,
  burn_tx_hash         text not null,
  status               text not null default 'PENDING'
    check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  bank_transfer_status text not null default 'PENDING'
    check (bank_transfer_status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'RETURNED', 'REFUNDED')),
  gateway_payout_id    text check (length(gateway_payout_id) between 1 and 200),
  failure              text check (length(failure) between 1 and 200),
  -- When the gateway's money left, and when it came back from the bank.
  paid_out_at          timestamptz,
  returned_at          timestamptz,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  -- A burn pays out once.
  constraint idr_redeems_burn_once unique (chain_id, burn_tx_hash),
  constraint idr_redeems_one_for_one check (amount_token = amount_idr),
  constraint idr_redeems_adds_up check (amount_idr = fee_amount + net_amount_idr),
  constraint idr_redeems_paid_out check (
    (paid_out_at is not null) = (status = 'COMPLETED' or returned_at is not null)
    and (returned_at is null or status = 'FAILED')),
  constraint idr_redeems_failed_says_why check ((status = 'FAILED') = (failure is not null))
);
create trigger idr_redeems_form before insert or update of chain_id, wallet_address, burn_tx_hash
  on idr_redeems for each row
  execute function refuse_other_forms(
    'chain_id', 'address', 'wallet_address', 'transaction', 'burn_tx_hash');
create index idr_redeems_of_user on idr_redeems (user_id, redeem_id desc);
create index idr_redeems_of_user_by_status on idr_redeems (user_id, status, redeem_id desc);
create index idr_redeems_by_gateway on idr_redeems (gateway_payout_id)
  where gateway_payout_id is not null;
create index idr_redeems_open_of_bank on idr_redeems (token_bank_id)
  where status in ('PENDING', 'PROCESSING');
-- What the bank sent back is in nobody's statement any more.
create index idr_redeems_by_payout on idr_redeems (paid_out_at, redeem_id)
  where status = 'COMPLETED';

-- What an admin gave back to a user's wallet: once for each transaction.
create table idr_refunds (
  refund_id        integer generated always as identity primary key,
  reference_id     text not null constraint idr_refunds_reference unique
                   check (reference_id ~ '^REFUND-[0-9]+-[0-9]+$'),
  operation        uuid not null constraint idr_refunds_operation unique,
  transaction_type text not null check (transaction_type in ('MINT', 'REDEEM')),
  mint_id          integer references idr_mints,
  redeem_id        integer references idr_redeems,
  user_id          integer not null references users,
  client_id        integer not null references clients,
  requested_by     integer not null references users,
  reason           text not null check (length(reason) between 1 and 500),
  amount_idr       numeric(38, 0) not null check (amount_idr > 0),
  refund_fee       numeric(38, 0) not null check (refund_fee >= 0),
  net_refund       numeric(38, 0) not null check (net_refund > 0),
  -- Where the money comes from: paid and not minted, minted, burnt and not paid out, or in mock mode the
  -- platform's own, where minted tokens could not be taken back.
  source           text not null check (source in ('OWED', 'RESERVE', 'REDEMPTIONS', 'FEES')),
  -- TAKING_BACK: the tokens are being burnt on chain. FAILED: they could not be.
  state            text not null check (state in ('TAKING_BACK', 'DONE', 'FAILED')),
  take_back_hash   text check (take_back_hash ~ '^0x[0-9a-f]{64}$'),
  failure          text check (length(failure) between 1 and 200),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  constraint idr_refunds_adds_up check (amount_idr = refund_fee + net_refund),
  constraint idr_refunds_of_one check (
    (mint_id is not null) = (transaction_type = 'MINT')
    and (redeem_id is not null) = (transaction_type = 'REDEEM')),
  constraint idr_refunds_failed_says_why check ((state = 'FAILED') = (failure is not null))
);
create unique index idr_refunds_mint_once on idr_refunds (mint_id) where state <> 'FAILED';
create index idr_refunds_taking_back on idr_refunds (mint_id) where state = 'TAKING_BACK';
create unique index idr_refunds_redeem_once on idr_refunds (redeem_id) where state <> 'FAILED';

-- How many transactions of a kind a user has in each status: a page's total reads no history.
create table idr_counts (
  user_id integer not null references users,
  kind    text not null check (kind in ('MINT', 'REDEEM')),
  status  text not null,
  n       bigint not null check (n >= 0),
  primary key (user_id, kind, status)
);
create function count_idr_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.status = old.status then return null; end if;
    update idr_counts set n = n - 1
     where user_id = old.user_id and kind = tg_argv[0] and status = old.status;
  end if;
  insert into idr_counts (user_id, kind, status, n) values (new.user_id, tg_argv[0], new.status, 1)
  on conflict (user_id, kind, status) do update set n = idr_counts.n + 1;
  return null;
end $$;
create trigger idr_mints_counted after insert or update of status on idr_mints
  for each row execute function count_idr_transaction('MINT');
create trigger idr_redeems_counted after insert or update of status on idr_redeems
  for each row execute function count_idr_transaction('REDEEM');

-- What the service has made and taken of the token on each chain, in units, kept with every step; and
-- what the sandbox's faucet has given, counted from the journal up to one of its transactions.
create table idr_supply (
  chain_id      text primary key references chains,
  minted        numeric(38, 0) not null default 0 check (minted >= 0),
  taken_back    numeric(38, 0) not null default 0 check (taken_back >= 0),
  redeemed      numeric(38, 0) not null default 0 check (redeemed >= 0),
  faucet        numeric(38, 0) not null default 0 check (faucet >= 0),
  faucet_upto   bigint not null default 0
);
insert into idr_supply (chain_id) select chain_id from chains where family = 'evm';

-- What of the token nobody has explained yet, each once.
create table idr_breaks (
  break_id   integer generated always as identity primary key,
  -- A chain, or `ledger`.
  subject    text not null,
  least      numeric(38, 0) not null,
  most       numeric(38, 0) not null,
  found      numeric(38, 0) not null,
  found_at   timestamptz not null,
  last_at    timestamptz not null,
  settled_at timestamptz
);
create unique index idr_breaks_open on idr_breaks (subject) where settled_at is null;
