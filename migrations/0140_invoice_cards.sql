-- Cards pay invoices on their pages, and what they pay goes back to them (docs/design/payments.md).

alter table invoice_methods
  drop constraint invoice_methods_method_check,
  drop constraint invoice_methods_rupiah,
  add constraint invoice_methods_method_check check (method in ('wallet', 'qris', 'va', 'ewallet', 'card')),
  add constraint invoice_methods_rupiah check (method in ('wallet', 'card') or currency = 'IDR');
insert into invoice_methods (method, currency, least, most, refunds, settles) values
  ('card', 'USD', 50, 1000000, 'once', 'at_once'),
  ('card', 'SGD', 50, 1000000, 'once', 'at_once'),
  ('card', 'AUD', 50, 1000000, 'once', 'at_once'),
  ('card', 'INR', 5000, 100000000, 'once', 'at_once'),
  ('card', 'IDR', 1000000, 20000000000, 'once', 'at_once'),
  ('card', 'VND', 10000, 250000000, 'once', 'at_once');

alter table invoice_payments
  drop constraint invoice_payments_method_check,
  drop constraint invoice_payments_status_check,
  add constraint invoice_payments_method_check check (method in ('wallet', 'qris', 'va', 'ewallet', 'card')),
  -- What the card network has taken back of it by now.
  add disputed numeric(38, 0) not null default 0 check (disputed between 0 and amount),
  add constraint invoice_payments_status_check
    check (status in ('REQUIRES_ACTION', 'PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'DISPUTED')),
  add constraint invoice_payments_disputed check (status <> 'DISPUTED' or disputed > 0 and method = 'card');

alter table invoice_refunds
  drop constraint invoice_refunds_way_check,
  drop constraint invoice_refunds_way,
  drop constraint invoice_refunds_payee,
  add constraint invoice_refunds_way_check check (way in ('wallet', 'bank', 'card')),
  add constraint invoice_refunds_way check (way <> 'wallet' or status = 'SUCCEEDED' and unmatched_id is null),
  -- A card is stored nowhere: its payer brings it again.
  add constraint invoice_refunds_payee check (
    (sealed_payee is null) = (payee_name is null) and (sealed_payee is null) = (payee_detail is null)
    and (sealed_payee is null or way = 'bank')
    and case way when 'wallet' then true when 'card' then claim_digest is not null else case status
      when 'AWAITING_PAYER' then sealed_payee is null and claim_digest is not null
      when 'FAILED' then true
      else sealed_payee is not null end end);

create or replace view payment_of_invoice_payments as
select p.object_id as object_key, 'payment' as object_type, p.object_id, p.client_id, p.user_id, i.wallet_id,
  'invoice' as rail, p.method as kind, case p.method when 'wallet' then 'internal' else 'in' end as direction,
  p.currency, s.scale::smallint as scale, p.amount, p.fee, p.refunded,
  case
    when p.status in ('REQUIRES_ACTION', 'PENDING') then 'PENDING'
    when p.status = 'DISPUTED' then 'DISPUTED'
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
  case when r.way in ('bank', 'card') then r.object_id end as work_id, r.created_at, r.updated_at
from invoice_refunds r
join invoices i using (invoice_id)
join invoice_payments p using (payment_id)
join ledger.assets s on s.asset = r.currency
left join users payer on payer.user_id = p.payer_user_id
where r.unmatched_id is null;
