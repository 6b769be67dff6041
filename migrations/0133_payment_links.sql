-- Addresses by which people make invoices for themselves (docs/design/payments.md).

create table payment_links (
  serial        bigint generated always as identity primary key,
  link_id       uuid not null unique,
  object_id     text not null unique,
  -- The request that has made it: a repetition finds it.
  operation     text not null unique,
  client_id     integer not null references clients,
  user_id       integer not null references users,
  wallet_id     integer not null references fiat_wallets,
  -- Of the key in its address, which is kept nowhere.
  key_digest    bytea not null unique check (length(key_digest) = 32),
  title         text not null check (length(title) between 1 and 100),
  currency      text not null references ledger.assets,
  -- Fixed, or what the payer names between the two.
  amount        numeric(38, 0) check (amount > 0),
  least         numeric(38, 0) check (least > 0),
  most          numeric(38, 0) check (most >= least),
  usage         text not null check (usage in ('once', 'many')),
  max_payments  integer check (max_payments > 0),
  -- Invoices that are open or paid: each has a place until it ends unpaid.
  taken         integer not null default 0 check (taken >= 0),
  paid          integer not null default 0,
  expires_at    timestamptz,
  methods       text[],
  return_url    text check (return_url ~ '^https://' and length(return_url) <= 2000),
  status        text not null check (status in ('ACTIVE', 'PAUSED', 'EXHAUSTED', 'EXPIRED')),
  status_times  jsonb not null,
  failure       jsonb,
  version       integer not null default 1 check (version > 0),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now(),
  constraint payment_links_amount check ((amount is null) = (least is not null) and (least is null) = (most is null)),
  constraint payment_links_once check (usage <> 'once' or max_payments = 1),
  -- Of many presses of the button at once no more are let through.
  constraint payment_links_within check (taken <= max_payments),
  constraint payment_links_paid check (paid between 0 and taken)
);
create index payment_links_of_user on payment_links (user_id, serial desc);
create index payment_links_of_client on payment_links (client_id, serial desc);
create index payment_links_to_expire on payment_links (expires_at) where status in ('ACTIVE', 'PAUSED');

alter table invoices add link_id uuid references payment_links (link_id);
create index invoices_of_link on invoices (link_id, serial desc)
  where status in ('OPEN', 'PROCESSING', 'PARTIALLY_PAID') and link_id is not null;
