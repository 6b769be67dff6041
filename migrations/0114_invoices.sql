-- What merchants ask money for, each try to pay it, and what is given back (docs/design/payments.md).

create table invoices (
  serial        bigint generated always as identity primary key,
  invoice_id    uuid not null unique,
  -- As callers and events name it.
  object_id     text not null unique,
  -- The request that has made it: a repetition finds it.
  operation     text not null unique,
  client_id     integer not null references clients,
  user_id       integer not null references users,
  wallet_id     integer not null references fiat_wallets,
  account_id    bigint not null,
  currency      text not null references ledger.assets,
  amount        numeric(38, 0) not null check (amount > 0),
  description   text not null check (length(description) between 1 and 250),
  customer      jsonb,
  items         jsonb not null default '[]',
  fee_bearer    text not null check (fee_bearer in ('merchant', 'customer')),
  paid          numeric(38, 0) not null default 0,
  paid_at       timestamptz,
  refunded      numeric(38, 0) not null default 0,
  expires_at    timestamptz not null,
  status        text not null check (status in ('OPEN', 'PAID', 'EXPIRED', 'CANCELLED')),
  status_times  jsonb not null,
  failure       jsonb,
  version       integer not null default 1 check (version > 0),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now(),
  check (paid in (0, amount)),
  check ((status = 'PAID') = (paid = amount)),
  check ((status = 'PAID') = (paid_at is not null)),
  constraint invoices_refunds_within check (refunded between 0 and paid)
);
create index invoices_of_user on invoices (user_id, serial desc);
create index invoices_of_client on invoices (client_id, serial desc);
create index invoices_to_expire on invoices (expires_at) where status = 'OPEN';

-- Who else gets a part of what is paid, in the posting that pays it.
create table invoice_splits (
  invoice_id  uuid not null references invoices (invoice_id),
  position    smallint not null check (position between 0 and 9),
  wallet_id   integer not null references fiat_wallets,
  account_id  bigint not null,
  amount      numeric(38, 0) not null check (amount > 0),
  -- Hundredths of a percent of the invoice, where the part was given so.
  bps         integer check (bps between 1 and 10000),
  reference   text not null check (length(reference) between 1 and 100),
  primary key (invoice_id, position),
  unique (invoice_id, wallet_id)
);

create table invoice_payments (
  serial            bigint generated always as identity primary key,
  payment_id        uuid not null unique,
  object_id         text not null unique,
  operation         text not null unique,
  invoice_id        uuid not null references invoices (invoice_id),
  client_id         integer not null references clients,
  -- Whom it pays, and who has paid.
  user_id           integer not null references users,
  payer_user_id     integer not null references users,
  payer_wallet_id   integer not null references fiat_wallets,
  payer_account_id  bigint not null,
  method            text not null check (method = 'wallet'),
  currency          text not null references ledger.assets,
  -- What the payer pays; of it the fee is taken, and the rest arrives.
  amount            numeric(38, 0) not null check (amount > 0),
  fee               numeric(38, 0) not null check (fee >= 0),
  net               numeric(38, 0) not null check (net >= 0),
  fee_terms         jsonb,
  refunded          numeric(38, 0) not null default 0,
  status            text not null check (status = 'SUCCEEDED'),
  status_times      jsonb not null,
  failure           jsonb,
  version           integer not null default 1 check (version > 0),
  created_at        timestamptz not null default service_now(),
  updated_at        timestamptz not null default service_now(),
  check (amount = fee + net),
  constraint invoice_payments_refunds_within check (refunded between 0 and amount)
);
create index invoice_payments_of_invoice on invoice_payments (invoice_id, serial);
-- An invoice is paid once.
create unique index invoice_payments_once on invoice_payments (invoice_id) where status = 'SUCCEEDED';

create table invoice_refunds (
  serial        bigint generated always as identity primary key,
  refund_id     uuid not null unique,
  object_id     text not null unique,
  operation     text not null unique,
  invoice_id    uuid not null references invoices (invoice_id),
  payment_id    uuid not null references invoice_payments (payment_id),
  client_id     integer not null references clients,
  user_id       integer not null references users,
  currency      text not null references ledger.assets,
  amount        numeric(38, 0) not null check (amount > 0),
  reason        text not null check (length(reason) between 1 and 250),
  status        text not null check (status = 'SUCCEEDED'),
  status_times  jsonb not null,
  failure       jsonb,
  version       integer not null default 1 check (version > 0),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now()
);
create index invoice_refunds_of_invoice on invoice_refunds (invoice_id, serial desc);
create index invoice_refunds_of_payment on invoice_refunds (payment_id);

-- What is asked stays, what has ended stays as it ended, and what was given back is not taken back.
create function check_invoice() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' and new.status <> old.status or new.refunded < old.refunded then
    raise exception 'invoice % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'invoices_onward';
  end if;
  if (old.user_id, old.wallet_id, old.account_id, old.currency, old.amount, old.fee_bearer)
    is distinct from (new.user_id, new.wallet_id, new.account_id, new.currency, new.amount, new.fee_bearer)
  then
    raise exception 'invoice % stays what was asked', old.object_id
      using errcode = 'check_violation', constraint = 'invoices_stay';
  end if;
  return new;
end $$;
create trigger invoices_checked before update on invoices for each row execute function check_invoice();

create view payment_of_invoice_payments as
select p.object_id as object_key, 'payment' as object_type, p.object_id, p.client_id, p.user_id, i.wallet_id,
  'invoice' as rail, p.method as kind, 'internal' as direction, p.currency, s.scale::smallint as scale, p.amount, p.fee,
  p.refunded,
  case when p.refunded = 0 then p.status when p.refunded = i.amount then 'REFUNDED' else 'PARTIALLY_REFUNDED' end as status,
  left(payer.username, 1) || '•••' as counterparty_name, null::text as counterparty_detail,
  i.object_id as our_reference, null::text as provider_reference, p.failure ->> 'code' as failure_code,
  p.failure ->> 'message' as failure_message, null::text as work_id, p.created_at, p.updated_at
from invoice_payments p
join invoices i using (invoice_id)
join ledger.assets s on s.asset = p.currency
join users payer on payer.user_id = p.payer_user_id;

-- The same for the person who has paid.
create view payment_of_invoice_payers as
select p.object_id as object_key, 'invoice_payer' as object_type, p.object_id, p.client_id, p.payer_user_id as user_id,
  p.payer_wallet_id as wallet_id, 'invoice' as rail, p.method as kind, 'internal' as direction, p.currency,
  s.scale::smallint as scale, p.amount, 0::numeric as fee, p.refunded,
  case when p.refunded = 0 then p.status when p.refunded = i.amount then 'REFUNDED' else 'PARTIALLY_REFUNDED' end as status,
  left(merchant.username, 1) || '•••' as counterparty_name, null::text as counterparty_detail,
  i.object_id as our_reference, null::text as provider_reference, p.failure ->> 'code' as failure_code,
  p.failure ->> 'message' as failure_message, null::text as work_id, p.created_at, p.updated_at
from invoice_payments p
join invoices i using (invoice_id)
join ledger.assets s on s.asset = p.currency
join users merchant on merchant.user_id = p.user_id;

create view payment_of_invoice_refunds as
select r.object_id as object_key, 'refund' as object_type, r.object_id, r.client_id, r.user_id, i.wallet_id,
  'invoice' as rail, 'refund' as kind, 'internal' as direction, r.currency, s.scale::smallint as scale, r.amount,
  0::numeric as fee, 0::numeric as refunded, r.status, left(payer.username, 1) || '•••' as counterparty_name,
  null::text as counterparty_detail, i.object_id as our_reference, null::text as provider_reference,
  r.failure ->> 'code' as failure_code, r.failure ->> 'message' as failure_message, null::text as work_id,
  r.created_at, r.updated_at
from invoice_refunds r
join invoices i using (invoice_id)
join invoice_payments p using (payment_id)
join ledger.assets s on s.asset = r.currency
join users payer on payer.user_id = p.payer_user_id;
