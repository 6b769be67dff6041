-- How far the followers of contracts' events have read each chain (chains/evm/following).
create table chain_followers (
  follower     text not null check (follower ~ '^[a-z][a-z0-9-]{0,39}$'),
  chain_id     text not null references chains,
  -- Another contract is followed anew.
  contract     text not null check (contract ~ '^0x[0-9a-fA-F]{40}$'),
  -- The last block that was read, with all before it. One less than the first where none was.
  block_number bigint not null check (block_number >= -1),
  block_hash   text check (block_hash ~ '^0x[0-9a-f]{64}$'),
  -- Service time at which everything up to the newest block of that moment had been read.
  caught_up_at timestamptz,
  primary key (follower, chain_id, contract)
);
-- Blocks that it has read up to, by which it finds where a reorganisation began.
create table chain_follower_marks (
  follower     text not null,
  chain_id     text not null,
  contract     text not null,
  block_number bigint not null,
  block_hash   text not null check (block_hash ~ '^0x[0-9a-f]{64}$'),
  primary key (follower, chain_id, contract, block_number),
  foreign key (follower, chain_id, contract) references chain_followers on delete cascade
);

-- Goods of the marketplaces, ordered for USDC. Amounts in USD are cents, in IDR hundredths, in USDC millionths.
create table marketplace_orders (
  serial            bigint generated always as identity primary key,
  order_id          text not null constraint marketplace_orders_id unique
                    check (order_id ~ '^MKT-[0-9]{13,16}-[a-z0-9]{8}$'),
  -- The request that asked for it, so that its repetition finds it.
  operation         uuid not null constraint marketplace_orders_operation unique,
  user_id           integer not null references users,
  client_id         integer not null references clients,
  -- The how manieth of its user: a page is found by it, however deep.
  ordinal           bigint not null check (ordinal > 0),
  source            text not null check (source in ('marketplace_1', 'marketplace_2')),
  product           jsonb not null,
  vendor            jsonb not null,
  recipient         jsonb not null,
  -- In mock mode a product that no catalogue knows has the price that the caller says.
  is_known          boolean not null,
  original_units    numeric(38, 0) not null check (original_units > 0),
  original_currency text not null check (original_currency in ('USD', 'IDR')),
  usd_units         numeric(38, 0) not null check (usd_units > 0),
  shipping_units    numeric(38, 0) not null check (shipping_units >= 0),
  total_units       numeric(38, 0) not null,
  fx_rate           text check (fx_rate ~ '^[0-9]+(\.[0-9]+)?$'),
  fx_at             timestamptz,
  -- What is to be paid, of which token, where to.
  units             numeric(38, 0) not null check (units > 0),
  chain_id          text not null references chains,
  wallet_address    text not null,
  contract_address  text not null,
  token_address     text not null,
  -- Whoever has the link sees what there is to pay, and nothing else.
  page_key          text not null check (length(page_key) between 20 and 64),
  payment_status    text not null default 'PENDING'
    check (payment_status in ('PENDING', 'PAID', 'COMPLETED', 'FAILED', 'CANCELLED')),
  blockchain_tx_hash text,
  -- The payment from the user's own managed wallet: which attempt, and whether one is under way.
  pay_attempt       integer not null default 1 check (pay_attempt > 0),
  is_paying         boolean not null default false,
  -- Under which number the vendor has our order; or why there is none.
  vendor_reference  text check (length(vendor_reference) between 1 and 200),
  failure           text check (length(failure) between 1 and 500),
  expires_at        timestamptz not null,
  created_at        timestamptz not null,
  paid_at           timestamptz,
  completed_at      timestamptz,
  constraint marketplace_orders_ordinal unique (user_id, ordinal),
  constraint marketplace_orders_adds_up check (
    total_units = usd_units + shipping_units and units = total_units * 10000),
  constraint marketplace_orders_converted check (
    (original_currency = 'USD') = (fx_rate is null) and (fx_rate is null) = (fx_at is null)),
  constraint marketplace_orders_paid check (
    (payment_status in ('PAID', 'COMPLETED', 'FAILED')) = (paid_at is not null)
    and (paid_at is null) = (blockchain_tx_hash is null)),
  constraint marketplace_orders_completed check (
    (payment_status = 'COMPLETED') = (completed_at is not null)
    and (completed_at is null) = (vendor_reference is null)),
  constraint marketplace_orders_failed_says_why check ((payment_status = 'FAILED') = (failure is not null))
);
create trigger marketplace_orders_form
  before insert or update of chain_id, wallet_address, contract_address, blockchain_tx_hash
  on marketplace_orders for each row
  execute function refuse_other_forms('chain_id', 'address', 'wallet_address',
    'address', 'contract_address', 'transaction', 'blockchain_tx_hash');
create index marketplace_orders_by_status on marketplace_orders (user_id, payment_status, ordinal desc);
create index marketplace_orders_expiring on marketplace_orders (expires_at, serial)
  where payment_status = 'PENDING';
-- Which order a plain transfer is for: the oldest that waits for it.
create index marketplace_orders_awaiting
  on marketplace_orders (chain_id, wallet_address, units, serial) where payment_status = 'PENDING';
create index marketplace_orders_open_by_chain
  on marketplace_orders (chain_id, contract_address, created_at) where payment_status = 'PENDING';
create index marketplace_orders_to_buy on marketplace_orders (serial) where payment_status = 'PAID';

-- How many orders a user has made, and how many of them are in each status: a page's total reads no history.
create table marketplace_customers (
  user_id integer primary key references users,
  orders  bigint not null check (orders > 0)
);
create table marketplace_counts (
  user_id integer not null references users,
  status  text not null,
  n       bigint not null check (n >= 0),
  primary key (user_id, status)
);
create function count_marketplace_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.payment_status = old.payment_status then return null; end if;
    update marketplace_counts set n = n - 1
     where user_id = old.user_id and status = old.payment_status;
  end if;
  insert into marketplace_counts (user_id, status, n) values (new.user_id, new.payment_status, 1)
  on conflict (user_id, status) do update set n = marketplace_counts.n + 1;
  return null;
end $$;
create trigger marketplace_orders_counted after insert or update of payment_status on marketplace_orders
  for each row execute function count_marketplace_order();

-- What the chains say that was paid to our payment contracts, whether it fits an order or not.
create table marketplace_payments (
  payment_id    integer generated always as identity primary key,
  chain_id      text not null references chains,
  contract      text not null,
  -- CONTRACT names its order; TRANSFER only says from whom.
  kind          text not null check (kind in ('CONTRACT', 'TRANSFER')),
  tx_hash       text not null,
  -- Which of its transaction's payments of that kind: stays when the transaction gets into another block.
  place         integer not null check (place >= 0),
  log_index     integer not null check (log_index >= 0),
  block_number  bigint not null,
  block_hash    text not null,
  payer         text not null,
  token         text not null,
  units         numeric(78, 0) not null check (units >= 0),
  -- The order that it names, where that has the form of one of ours.
  order_id      text check (order_id ~ '^MKT-[0-9]{13,16}-[a-z0-9]{8}$'),
  -- SEEN: not deep enough. COUNTED: booked. GONE: the chain has dropped it for good.
  state         text not null default 'SEEN' check (state in ('SEEN', 'COUNTED', 'GONE')),
  -- A reorganisation has taken its block away; if it has not come back by that block, it is gone.
  adrift_until  bigint,
  -- Counts the bookings, each of which has a name of its own in the ledger.
  round         integer not null default 0 check (round >= 0),
  -- What went to an order, and what is owed to whoever paid.
  order_serial  bigint references marketplace_orders,
  applied_units numeric(78, 0) not null default 0 check (applied_units >= 0),
  owed_units    numeric(78, 0) not null default 0 check (owed_units >= 0),
  reason        text check (reason in ('WRONG_ORDER', 'WRONG_TOKEN', 'WRONG_CHAIN', 'UNDERPAID', 'OVERPAID',
    'PAID_ALREADY', 'LATE', 'NO_ORDER', 'AMBIGUOUS', 'NOT_DELIVERED')),
  -- How it stands with what is owed.
  refund        text not null default 'NONE' check (refund in ('NONE', 'OWED', 'SENDING', 'SENT')),
  -- What of it has gone back already.
  sent_units    numeric(78, 0) not null default 0 check (sent_units >= 0),
  refund_attempt integer not null default 1,
  refund_tx_hash text,
  refunded_by   integer references users,
  seen_at       timestamptz not null,
  counted_at    timestamptz,
  constraint marketplace_payments_once unique (chain_id, tx_hash, kind, place),
  constraint marketplace_payments_adds_up check (
    state <> 'COUNTED' or applied_units + owed_units = units),
  constraint marketplace_payments_of_order check ((applied_units > 0) <= (order_serial is not null)),
  constraint marketplace_payments_owed_says_why check ((owed_units > 0) = (reason is not null)),
  constraint marketplace_payments_refund check ((refund = 'NONE') = (owed_units = 0)),
  constraint marketplace_payments_sent check (
    sent_units <= owed_units and (refund = 'SENT') = (owed_units > 0 and sent_units = owed_units)
    and (sent_units > 0) = (refund_tx_hash is not null)),
  constraint marketplace_payments_counted check ((state = 'SEEN') = (counted_at is null) or state = 'GONE')
);
create trigger marketplace_payments_form before insert or update of chain_id, payer, tx_hash
  on marketplace_payments for each row
  execute function refuse_other_forms(
    'chain_id', 'address', 'payer', 'transaction', 'tx_hash');
-- An order is paid once.
create unique index marketplace_payments_one_for_order on marketplace_payments (order_serial)
  where state = 'COUNTED' and applied_units > 0;
create index marketplace_payments_seen on marketplace_payments (chain_id, contract, block_number)
  where state = 'SEEN';
create index marketplace_payments_by_block on marketplace_payments (chain_id, contract, block_number);
create index marketplace_payments_adrift on marketplace_payments (chain_id, contract, adrift_until)
  where adrift_until is not null;
-- What the operator has to look at.
create index marketplace_payments_owed on marketplace_payments (payment_id)
  where refund in ('OWED', 'SENDING');

-- Plain transfers lie at the contract until they are swept to the treasury: one sweep at a time for each.
create table marketplace_sweeps (
  sweep_id   integer generated always as identity primary key,
  chain_id   text not null references chains,
  contract   text not null,
  token      text not null,
  tx_hash    text,
  failure    text,
  created_at timestamptz not null,
  ended_at   timestamptz,
  constraint marketplace_sweeps_ended check ((ended_at is null) <= (tx_hash is null and failure is null))
);
create unique index marketplace_sweeps_open on marketplace_sweeps (chain_id, contract, token)
  where ended_at is null;
