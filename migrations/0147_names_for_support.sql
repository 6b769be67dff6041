-- Names by which people ask for help: a number of a phone, a client's name, an approval code, a difference's reference.
create index users_by_any_phone on users (phone) where phone is not null;
create index clients_by_alias on clients (lower(client_alias));
create index clients_by_phone on clients (phone);
create index card_transactions_by_approval on card_transactions (approval_code) where approval_code is not null;
create index reconciliation_breaks_by_reference on reconciliation_breaks (reference, break_id desc);

create or replace view payment_of_card_transactions as
select t.reference_id as object_key, t.id, t.rrn, t.transaction_identifier,
  case t.type when 'TOPUP' then 'payment' when 'REFUND' then 'refund' else 'payout' end as object_type,
  t.reference_id as object_id, t.client_id, t.user_id, t.wallet_id, 'card' as rail,
  case t.type when 'TOPUP' then 'top_up' when 'REFUND' then 'refund' else 'payout' end as kind,
  case t.type when 'TOPUP' then 'in' else 'out' end as direction, t.currency, 2::smallint as scale, t.amount,
  -- A refund gives back its part of the fee.
  case t.type when 'REFUND' then -t.platform_fee else t.platform_fee end as fee,
  case when t.type = 'TOPUP' then given.back else 0 end as refunded,
  case
    when t.state = 'PENDING' then 'PENDING'
    when t.state = 'FAILED' then 'FAILED'
    when t.type <> 'TOPUP' then case when r.charged_back + r.reversed > 0 then 'RETURNED' else 'SUCCEEDED' end
    when r.reversed > 0 then 'RETURNED'
    when r.charged_back > 0 or t.status ~ 'DISPUTE' and t.status !~ 'WON' then 'DISPUTED'
    when given.back >= t.amount then 'REFUNDED'
    when given.back > 0 then 'PARTIALLY_REFUNDED'
    else 'SUCCEEDED'
  end as status,
  t.recipient_name as counterparty_name, '**** ' || t.card_last4 as counterparty_detail, t.reference_id as our_reference,
  coalesce(t.transaction_identifier, t.rrn) as provider_reference, t.failure as failure_code, null::text as failure_message,
  t.reference_id as work_id, t.created_at, t.updated_at, t.approval_code
from card_transactions t
left join ledger.returns r on r.payment = 'card:' || t.reference_id
-- A refund in flight has claimed its amount, and has not given it back yet.
cross join lateral (select case when r.refunded > 0 then r.refunded - coalesce((
  select f.amount from card_transactions f where f.original_id = t.id and f.state = 'PENDING'), 0) else 0 end as back) given;
