-- Invoices are paid by the gateway too, in one go or in parts; what pays none waits for a person
-- (docs/design/payments.md).

alter table invoices
  add allow_partial boolean not null default false,
  -- Payments of it whose money may still come: until they have ended it does not.
  add open_tries integer not null default 0 check (open_tries >= 0),
  drop constraint invoices_check,
  drop constraint invoices_status_check,
  add constraint invoices_paid_within check (paid between 0 and amount),
  add constraint invoices_status_check
    check (status in ('OPEN', 'PROCESSING', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'CANCELLED'));
drop index invoices_to_expire;
create index invoices_to_expire on invoices (expires_at)
  where status in ('OPEN', 'PARTIALLY_PAID') and open_tries = 0;

-- The gateway's payer is not a person of the platform. Its payment is known there by the object's id.
alter table invoice_payments
  alter payer_user_id drop not null,
  alter payer_wallet_id drop not null,
  alter payer_account_id drop not null,
  add provider_reference text check (length(provider_reference) <= 200),
  add payment_url text check (length(payment_url) <= 2000),
  add expires_at timestamptz,
  drop constraint invoice_payments_method_check,
  drop constraint invoice_payments_status_check,
  add constraint invoice_payments_method_check check (method in ('wallet', 'qris', 'va', 'ewallet')),
  add constraint invoice_payments_payer check ((method = 'wallet') = (payer_account_id is not null)),
  add constraint invoice_payments_status_check
    check (status in ('REQUIRES_ACTION', 'PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'));
drop index invoice_payments_once;
-- One try is open for a method.
create unique index invoice_payments_open on invoice_payments (invoice_id, method)
  where status in ('REQUIRES_ACTION', 'PENDING');

create function count_open_tries() returns trigger language plpgsql as $$
declare
  change integer := (new.status in ('REQUIRES_ACTION', 'PENDING'))::integer
    - (tg_op = 'UPDATE' and old.status in ('REQUIRES_ACTION', 'PENDING'))::integer;
begin
  if change <> 0 then
    update invoices set open_tries = open_tries + change where invoice_id = new.invoice_id;
  end if;
  return null;
end $$;
create trigger invoice_payments_counted after insert or update of status on invoice_payments
  for each row execute function count_open_tries();

create or replace function check_invoice() returns trigger language plpgsql as $$
begin
  if old.status in ('PAID', 'EXPIRED', 'CANCELLED') and new.status <> old.status or new.refunded < old.refunded
    -- Parts of an invoice that ends unpaid are owed to their payers again.
    or new.paid < old.paid and (new.paid <> 0 or new.status not in ('EXPIRED', 'CANCELLED'))
  then
    raise exception 'invoice % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'invoices_onward';
  end if;
  if (old.user_id, old.wallet_id, old.account_id, old.currency, old.amount, old.fee_bearer, old.allow_partial)
    is distinct from
    (new.user_id, new.wallet_id, new.account_id, new.currency, new.amount, new.fee_bearer, new.allow_partial)
  then
    raise exception 'invoice % stays what was asked', old.object_id
      using errcode = 'check_violation', constraint = 'invoices_stay';
  end if;
  return new;
end $$;

-- Money that has come in at the gateway for a payment, each by its own line there, booked once.
create table invoice_receipts (
  serial       bigint generated always as identity primary key,
  payment_id   uuid not null references invoice_payments (payment_id),
  client_id    integer not null references clients,
  receipt      text not null check (length(receipt) between 1 and 200),
  line         text not null check (length(line) between 1 and 200),
  units        numeric(38, 0) not null check (units > 0),
  received_at  timestamptz not null,
  booked_at    timestamptz not null default service_now(),
  unique (payment_id, receipt)
);
create index invoice_receipts_by_time on invoice_receipts (booked_at, serial);

-- What has come in and pays no invoice.
create table invoice_unmatched (
  serial               bigint generated always as identity primary key,
  unmatched_id         uuid not null unique,
  object_id            text not null unique,
  client_id            integer not null references clients,
  -- The merchant that it was meant for.
  user_id              integer not null references users,
  invoice_id           uuid not null references invoices (invoice_id),
  payment_id           uuid not null references invoice_payments (payment_id),
  -- One for a receipt at most: all of it, or what was too much.
  receipt              text not null,
  currency             text not null references ledger.assets,
  amount               numeric(38, 0) not null check (amount > 0),
  owed                 numeric(38, 0) not null,
  reason               text not null check (reason in ('LATE', 'UNDERPAID', 'OVERPAID', 'DUPLICATE')),
  assigned_invoice_id  uuid references invoices (invoice_id),
  settled_by           integer references users,
  settled_note         text check (length(settled_note) between 1 and 500),
  status               text not null check (status in ('OPEN', 'ASSIGNED', 'REFUNDED', 'WRITTEN_OFF')),
  status_times         jsonb not null,
  failure              jsonb,
  version              integer not null default 1 check (version > 0),
  created_at           timestamptz not null default service_now(),
  updated_at           timestamptz not null default service_now(),
  unique (payment_id, receipt),
  constraint invoice_unmatched_owed check (owed between 0 and amount),
  constraint invoice_unmatched_settled check ((status = 'OPEN') = (owed > 0))
);
create index invoice_unmatched_of_client on invoice_unmatched (client_id, serial desc);
create index invoice_unmatched_by_status on invoice_unmatched (client_id, status, serial desc);
create index invoice_unmatched_of_status on invoice_unmatched (status, serial desc);
create index invoice_unmatched_of_invoice on invoice_unmatched (invoice_id);

create function check_invoice_unmatched() returns trigger language plpgsql as $$
begin
  if new.owed > old.owed or old.status <> 'OPEN' and new.status <> old.status
    or (old.client_id, old.user_id, old.payment_id, old.receipt, old.currency, old.amount, old.reason)
      is distinct from
      (new.client_id, new.user_id, new.payment_id, new.receipt, new.currency, new.amount, new.reason)
  then
    raise exception 'payment % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'invoice_unmatched_onward';
  end if;
  return new;
end $$;
create trigger invoice_unmatched_checked before update on invoice_unmatched
  for each row execute function check_invoice_unmatched();

create or replace view payment_of_invoice_payments as
select p.object_id as object_key, 'payment' as object_type, p.object_id, p.client_id, p.user_id, i.wallet_id,
  'invoice' as rail, p.method as kind, case p.method when 'wallet' then 'internal' else 'in' end as direction,
  p.currency, s.scale::smallint as scale, p.amount, p.fee, p.refunded,
  case
    when p.status in ('REQUIRES_ACTION', 'PENDING') then 'PENDING'
    when p.refunded = 0 then p.status
    when p.refunded >= case i.fee_bearer when 'customer' then p.net else p.amount end then 'REFUNDED'
    else 'PARTIALLY_REFUNDED' end as status,
  coalesce(left(payer.username, 1) || '•••', i.customer ->> 'name') as counterparty_name,
  null::text as counterparty_detail,
  i.object_id as our_reference, p.provider_reference, p.failure ->> 'code' as failure_code,
  p.failure ->> 'message' as failure_message,
  case when p.method <> 'wallet' then p.object_id end as work_id, p.created_at, p.updated_at
from invoice_payments p
join invoices i using (invoice_id)
join ledger.assets s on s.asset = p.currency
left join users payer on payer.user_id = p.payer_user_id;

create or replace view payment_of_invoice_payers as
select p.object_id as object_key, 'invoice_payer' as object_type, p.object_id, p.client_id, p.payer_user_id as user_id,
  p.payer_wallet_id as wallet_id, 'invoice' as rail, p.method as kind, 'internal' as direction, p.currency,
  s.scale::smallint as scale, p.amount, 0::numeric as fee, p.refunded,
  case
    when p.refunded = 0 then p.status
    when p.refunded >= case i.fee_bearer when 'customer' then p.net else p.amount end then 'REFUNDED'
    else 'PARTIALLY_REFUNDED' end as status,
  left(merchant.username, 1) || '•••' as counterparty_name, null::text as counterparty_detail,
  i.object_id as our_reference, null::text as provider_reference, p.failure ->> 'code' as failure_code,
  p.failure ->> 'message' as failure_message, null::text as work_id, p.created_at, p.updated_at
from invoice_payments p
join invoices i using (invoice_id)
join ledger.assets s on s.asset = p.currency
join users merchant on merchant.user_id = p.user_id;
