-- What shops ask for and no wallet of ours holds.
insert into ledger.assets (asset, scale) values ('EUR', 2), ('GBP', 2), ('JPY', 0)
  on conflict (asset) do nothing;

-- What somebody has asked us to buy for them in a web shop (contract: AI purchase flow).
create table purchase_orders (
  order_id  text primary key check (order_id ~ '^MCP-[0-9]{13}-[0-9A-F]{8}$'),
  -- The request that made it: a repetition of that is answered with the same order.
  operation uuid not null constraint purchase_orders_operation unique,
  user_id   integer not null references users,
  client_id integer not null references clients,
  version   text not null check (version in ('v1', 'v2')),
  -- CREATED: may be confirmed until it expires. PAYING: from then on it happens or fails. PAID: the USDC
  -- is ours on chain. REFUNDING: it could not be recorded, and the USDC goes back.
  status    text not null default 'CREATED' check (status in
    ('CREATED', 'PAYING', 'PAID', 'COMPLETED', 'REFUNDING', 'REFUNDED', 'FAILED', 'EXPIRED')),
  chain_id       text not null constraint purchase_orders_chain references chains,
  wallet_address text not null,
  -- As it was shown when the order was made: contracts, and where the chain is looked at.
  chain_info  jsonb not null,
  product     jsonb not null,
  recipient   jsonb not null,
  price_asset text not null references ledger.assets,
  price_units numeric(38, 0) not null check (price_units > 0),
  -- Millionths of a USDC.
  usdc_units  numeric(38, 0) not null check (usdc_units > 0),
  -- USDC for one of the price's currency.
  rate        text not null,
  rates_source text not null,
  rates_at    timestamptz not null,
  payment_tx_hash text,
  record_tx_hash  text,
  refund_tx_hash  text,
  failure     text,
  is_receipt_sent boolean not null default false,
  created_at  timestamptz not null default service_now(),
  updated_at  timestamptz not null default service_now(),
  expires_at  timestamptz not null,
  constraint purchase_orders_expiry check (expires_at > created_at),
  constraint purchase_orders_paid check (
    (payment_tx_hash is not null) = (status in ('PAID', 'COMPLETED', 'REFUNDING', 'REFUNDED'))),
  constraint purchase_orders_recorded check ((record_tx_hash is not null) = (status = 'COMPLETED')),
  constraint purchase_orders_refunded check ((refund_tx_hash is not null) = (status = 'REFUNDED')),
  constraint purchase_orders_failed check (
    (failure is not null) = (status in ('FAILED', 'REFUNDING', 'REFUNDED'))),
  constraint purchase_orders_receipt check (status = 'COMPLETED' or not is_receipt_sent)
);
create trigger purchase_orders_form
  before insert or update of
    chain_id, wallet_address, payment_tx_hash, record_tx_hash, refund_tx_hash
  on purchase_orders for each row
  execute function refuse_other_forms(
    'chain_id', 'address', 'wallet_address', 'transaction', 'payment_tx_hash',
    'transaction', 'record_tx_hash', 'transaction', 'refund_tx_hash');

create index purchase_orders_of_user on purchase_orders (user_id, created_at desc);
-- What nobody has confirmed lapses, and is forgotten later.
create index purchase_orders_due on purchase_orders (expires_at) where status = 'CREATED';
create index purchase_orders_lapsed on purchase_orders (expires_at) where status = 'EXPIRED';
