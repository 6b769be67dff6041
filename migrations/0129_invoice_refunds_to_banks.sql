-- Money that has come in by the gateway goes back to a bank account, which the merchant or its payer names
-- (docs/design/payments.md).

-- What is on its way back counts against what was paid, as what is back does.
alter table invoices
  add refunding numeric(38, 0) not null default 0,
  drop constraint invoices_refunds_within,
  add constraint invoices_refunds_within
    check (refunded >= 0 and refunding >= 0 and refunded + refunding <= paid);
alter table invoice_payments
  add refunding numeric(38, 0) not null default 0,
  drop constraint invoice_payments_refunds_within,
  add constraint invoice_payments_refunds_within
    check (refunded >= 0 and refunding >= 0 and refunded + refunding <= amount);

create or replace function check_invoice() returns trigger language plpgsql as $$
begin
  if old.status in ('PAID', 'EXPIRED', 'CANCELLED') and new.status <> old.status
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

alter table invoice_refunds
  -- Of money that pays no invoice, in place of a payment's.
  add unmatched_id uuid references invoice_unmatched (unmatched_id),
  add way text not null default 'wallet' check (way in ('wallet', 'bank')),
  add recipient_id uuid references recipients (recipient_id),
  -- The account as it was named, and what of it is shown.
  add sealed_payee text,
  add payee_name text check (length(payee_name) between 1 and 200),
  add payee_detail text check (length(payee_detail) between 1 and 200),
  add claim_digest bytea unique,
  add claim_expires_at timestamptz,
  add provider_reference text check (length(provider_reference) <= 200),
  drop constraint invoice_refunds_status_check,
  add constraint invoice_refunds_status_check
    check (status in ('PENDING', 'AWAITING_PAYER', 'SUCCEEDED', 'FAILED')),
  add constraint invoice_refunds_way check (way = 'bank' or status = 'SUCCEEDED' and unmatched_id is null),
  -- Whoever waits for its payer has a link, whoever is paid has an account.
  add constraint invoice_refunds_claim check ((claim_digest is null) = (claim_expires_at is null)),
  add constraint invoice_refunds_payee check (
    (sealed_payee is null) = (payee_name is null) and (sealed_payee is null) = (payee_detail is null)
    and (sealed_payee is null or way = 'bank')
    and (way = 'wallet' or case status
      when 'AWAITING_PAYER' then sealed_payee is null and claim_digest is not null
      when 'FAILED' then true
      else sealed_payee is not null end));
create index invoice_refunds_to_claim on invoice_refunds (claim_expires_at) where status = 'AWAITING_PAYER';
-- One way back at a time.
create unique index invoice_refunds_of_unmatched on invoice_refunds (unmatched_id)
  where status in ('PENDING', 'AWAITING_PAYER');

create function check_invoice_refund() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and (old.status, new.status) not in (
    ('AWAITING_PAYER', 'PENDING'), ('AWAITING_PAYER', 'FAILED'), ('PENDING', 'SUCCEEDED'), ('PENDING', 'FAILED'),
    -- The bank has sent it back.
    ('SUCCEEDED', 'FAILED'))
    or (old.invoice_id, old.payment_id, old.unmatched_id, old.currency, old.amount, old.way)
      is distinct from
      (new.invoice_id, new.payment_id, new.unmatched_id, new.currency, new.amount, new.way)
    or old.sealed_payee is distinct from new.sealed_payee and old.sealed_payee is not null
  then
    raise exception 'refund % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'invoice_refunds_onward';
  end if;
  return new;
end $$;
create trigger invoice_refunds_checked before update on invoice_refunds
  for each row execute function check_invoice_refund();

alter table invoice_unmatched
  drop constraint invoice_unmatched_status_check,
  add constraint invoice_unmatched_status_check
    check (status in ('OPEN', 'ASSIGNED', 'REFUNDING', 'REFUNDED', 'WRITTEN_OFF')),
  drop constraint invoice_unmatched_settled,
  add constraint invoice_unmatched_settled check ((status in ('OPEN', 'REFUNDING')) = (owed > 0));

create or replace function check_invoice_unmatched() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and (old.status, new.status) not in (
    ('OPEN', 'ASSIGNED'), ('OPEN', 'REFUNDED'), ('OPEN', 'WRITTEN_OFF'), ('OPEN', 'REFUNDING'),
    ('REFUNDING', 'REFUNDED'), ('REFUNDING', 'OPEN'),
    -- The bank has sent it back.
    ('REFUNDED', 'OPEN'))
    or new.owed > old.owed and (old.status, new.status) <> ('REFUNDED', 'OPEN')
    or (old.client_id, old.user_id, old.payment_id, old.receipt, old.currency, old.amount, old.reason)
      is distinct from
      (new.client_id, new.user_id, new.payment_id, new.receipt, new.currency, new.amount, new.reason)
  then
    raise exception 'payment % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'invoice_unmatched_onward';
  end if;
  return new;
end $$;

create or replace view payment_of_invoice_refunds as
select r.object_id as object_key, 'refund' as object_type, r.object_id, r.client_id, r.user_id, i.wallet_id,
  'invoice' as rail, 'refund' as kind, case r.way when 'wallet' then 'internal' else 'out' end as direction, r.currency,
  s.scale::smallint as scale, r.amount, 0::numeric as fee, 0::numeric as refunded,
  case
    when r.status in ('PENDING', 'AWAITING_PAYER') then 'PENDING'
    when r.status = 'FAILED' and r.status_times ? 'succeeded_at' then 'RETURNED'
    else r.status end as status,
  case r.way when 'wallet' then left(payer.username, 1) || '•••' else r.payee_name end as counterparty_name,
  r.payee_detail as counterparty_detail, i.object_id as our_reference, r.provider_reference,
  r.failure ->> 'code' as failure_code, r.failure ->> 'message' as failure_message,
  case r.way when 'bank' then r.object_id end as work_id, r.created_at, r.updated_at
from invoice_refunds r
join invoices i using (invoice_id)
join invoice_payments p using (payment_id)
join ledger.assets s on s.asset = r.currency
left join users payer on payer.user_id = p.payer_user_id
where r.unmatched_id is null;
