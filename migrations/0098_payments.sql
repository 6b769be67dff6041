-- Every movement of money over every rail in one list (docs/design/payments.md, 79). A view for each thing that moves money
-- says what it is as a payment; the transaction that changes the thing copies its row from there, and so does the filling
-- of older ones. Another rail brings another view with the same columns.

-- An account number or address with its ends, so that its owner knows it and nobody else learns it.
create function payment_masked(detail text) returns text language sql immutable parallel safe
return case when length(detail) > 20 then left(detail, 6) || '…' || right(detail, 4) else '****' || right(detail, 4) end;

-- The id of a payment, a UUID of version 7: the same whoever writes it, and in the order of their times.
create function payment_id_of(created_at timestamptz, object text) returns uuid language sql immutable parallel safe
return overlay(overlay(overlay(md5(object)
  placing lpad(to_hex(floor(extract(epoch from created_at) * 1000)::bigint), 12, '0') from 1)
  placing '7' from 13) placing '8' from 17)::uuid;

-- What an effect is called by the payment behind it: a flow's number of the step and the attempt's number are left out.
create function effect_work_id(kind text, id text) returns text language sql immutable parallel safe
return case when id ~ '^[0-9]+$' then kind || ' ' || id else regexp_replace(id, ':[0-9]+$', '') end;
create index effects_by_work on effects (effect_work_id(kind, id)) where state = 'OPEN';

create table payments (
  payment_id          uuid primary key,
  -- The thing behind it, as its events name it.
  object_type         text not null,
  object_id           text not null,
  client_id           integer not null,
  user_id             integer,
  wallet_id           integer,
  rail                text not null,
  kind                text not null,
  direction           text not null check (direction in ('in', 'out', 'internal')),
  currency            text not null,
  scale               smallint not null,
  amount              numeric(78, 0) not null check (amount >= 0),
  -- Below zero where the platform gives back its share of one.
  fee                 numeric(78, 0) not null,
  refunded            numeric(78, 0) not null check (refunded >= 0),
  status              text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'RETURNED',
    'REFUNDED', 'PARTIALLY_REFUNDED', 'DISPUTED')),
  -- The first time of each status: {"succeeded_at": …}.
  status_times        jsonb not null,
  counterparty_name   text,
  counterparty_detail text,
  our_reference       text not null,
  provider_reference  text,
  failure_code        text,
  failure_message     text,
  -- By which the calls and flows behind it are known, see the view `work`.
  work_id             text,
  delayed_at          timestamptz,
  version             integer not null default 1,
  created_at          timestamptz not null,
  updated_at          timestamptz not null
) with (fillfactor = 90);
create unique index payments_of_object on payments (object_id, object_type);
create index payments_of_client on payments (client_id, payment_id);
create index payments_of_user on payments (user_id, payment_id) where user_id is not null;
-- Most have succeeded: those are found on the way, the others by these.
create index payments_by_status on payments (status, payment_id) where status <> 'SUCCEEDED';
create index payments_of_client_by_status on payments (client_id, status, payment_id) where status <> 'SUCCEEDED';
create index payments_of_user_by_status on payments (user_id, status, payment_id) where status <> 'SUCCEEDED';
create index payments_at_work on payments (work_id) where status = 'PENDING' and work_id is not null;
create index payments_to_watch on payments (payment_id) where status = 'PENDING' and delayed_at is null;
create index payments_by_reference on payments (our_reference) where our_reference <> object_id;

-- How long payments take by rail, from the latest that have succeeded; written by a schedule.
create table payment_speeds (
  rail        text primary key,
  p50_s       double precision not null,
  p95_s       double precision not null,
  p99_s       double precision not null,
  payments    integer not null,
  last_succeeded_at timestamptz not null,
  measured_at timestamptz not null
);

create view payment_of_card_transactions as
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
  t.reference_id as work_id, t.created_at, t.updated_at
from card_transactions t
left join ledger.returns r on r.payment = 'card:' || t.reference_id
-- A refund in flight has claimed its amount, and has not given it back yet.
cross join lateral (select case when r.refunded > 0 then r.refunded - coalesce((
  select f.amount from card_transactions f where f.original_id = t.id and f.state = 'PENDING'), 0) else 0 end as back) given;

create view payment_of_bank_top_ups as
select t.top_up_id as object_key, t.transfer_id, 'payment' as object_type, t.top_up_id::text as object_id, u.client_id, t.user_id,
  t.wallet_id, 'bank' as rail, 'top_up' as kind, 'in' as direction, 'USD' as currency, 2::smallint as scale, t.amount,
  0::numeric as fee, case t.status when 'RETURNED' then t.amount else 0 end as refunded,
  case t.status when 'SUCCESS_RECEIVED' then 'SUCCEEDED' else t.status end as status,
  c.institution_name as counterparty_name, null::text as counterparty_detail, t.top_up_id::text as our_reference,
  t.transfer_id as provider_reference, t.failure as failure_code, null::text as failure_message, 'bank-top-up:' || t.top_up_id as work_id,
  t.created_at, t.updated_at
from bank_top_ups t join users u using (user_id) left join bank_connections c using (connection_id);

create view payment_of_idr_mints as
select m.reference_id as object_key, m.mint_id, m.gateway_payment_id, m.paid_receipt, m.mint_tx_hash,
  'payment' as object_type, m.reference_id as object_id, m.client_id, m.user_id, null::integer as wallet_id,
  'idr_token' as rail, 'purchase' as kind, 'in' as direction, 'IDR' as currency, 2::smallint as scale,
  m.amount_idr as amount, m.fee_amount as fee, case m.payment_status when 'REFUNDED' then m.amount_idr else 0 end as refunded,
  case
    when m.payment_status = 'REFUNDED' then 'REFUNDED'
    when m.status = 'SUCCESS' then 'SUCCEEDED'
    when m.status in ('PAID', 'MINTED') then 'PENDING'
    else m.status
  end as status,
  m.payment_method as counterparty_name, payment_masked(m.wallet_address) as counterparty_detail,
  m.reference_id as our_reference, coalesce(m.gateway_payment_id, m.mint_tx_hash) as provider_reference,
  m.failure as failure_code, null::text as failure_message, m.reference_id as work_id, m.created_at, m.updated_at
from idr_mints m;

create view payment_of_idr_redeems as
select r.reference_id as object_key, r.redeem_id, r.gateway_payout_id, r.burn_tx_hash, 'payout' as object_type,
  r.reference_id as object_id, r.client_id, r.user_id, null::integer as wallet_id, 'idr_token' as rail,
  'redemption' as kind, 'out' as direction, 'IDR' as currency, 2::smallint as scale, r.amount_idr as amount,
  r.fee_amount as fee, case r.bank_transfer_status when 'REFUNDED' then r.amount_idr else 0 end as refunded,
  case
    when r.status = 'COMPLETED' then 'SUCCEEDED'
    when r.returned_at is not null then 'RETURNED'
    when r.status = 'PROCESSING' then 'PENDING'
    else r.status
  end as status,
  b.bank_account_name as counterparty_name, b.bank_name || ' ' || payment_masked(b.bank_account_number) as counterparty_detail,
  r.reference_id as our_reference, coalesce(r.gateway_payout_id, r.burn_tx_hash) as provider_reference,
  r.failure as failure_code, null::text as failure_message, r.reference_id as work_id, r.created_at, r.updated_at
from idr_redeems r join idr_bank_accounts b using (token_bank_id);

create view payment_of_idr_refunds as
select r.reference_id as object_key, r.take_back_hash, 'refund' as object_type, r.reference_id as object_id, r.client_id,
  r.user_id, null::integer as wallet_id, 'idr_token' as rail, 'refund' as kind, 'in' as direction, 'IDR' as currency,
  2::smallint as scale, r.amount_idr as amount, r.refund_fee as fee, 0::numeric as refunded,
  case r.state when 'TAKING_BACK' then 'PENDING' when 'DONE' then 'SUCCEEDED' else r.state end as status,
  null::text as counterparty_name, null::text as counterparty_detail, r.reference_id as our_reference,
  r.take_back_hash as provider_reference, r.failure as failure_code, null::text as failure_message,
  'idr-take-back ' || r.refund_id as work_id, r.created_at, r.updated_at
from idr_refunds r;

create view payment_of_idr_unmatched_payments as
select p.payment_id as object_key, p.receipt, 'idr_payment' as object_type, p.payment_id::text as object_id, p.client_id,
  p.user_id, null::integer as wallet_id, 'idr_token' as rail, 'unmatched' as kind, 'in' as direction, 'IDR' as currency,
  2::smallint as scale, p.units as amount, 0::numeric as fee, p.sent_units as refunded,
  case when p.sent_units >= p.units then 'REFUNDED' when p.sent_units > 0 then 'PARTIALLY_REFUNDED' else 'SUCCEEDED' end
    as status,
  null::text as counterparty_name, null::text as counterparty_detail, 'idr-unmatched:' || p.payment_id as our_reference,
  p.receipt as provider_reference, null::text as failure_code, null::text as failure_message, null::text as work_id,
  p.booked_at as created_at, p.booked_at as updated_at
from idr_unmatched_payments p;

create view payment_of_conversion_jobs as
select j.job_id as object_key, j.disbursement_id, j.deposit_id, 'conversion' as object_type, j.job_id::text as object_id,
  j.client_id, j.user_id, w.wallet_id, 'conversion' as rail, 'conversion' as kind, 'out' as direction, 'IDR' as currency,
  2::smallint as scale, j.amount, j.fee_idr as fee, j.returned as refunded,
  case
    when j.status = 'COMPLETED' then 'SUCCEEDED'
    when j.status <> 'FAILED' then 'PENDING'
    when j.paid_out_at is not null then 'RETURNED'
    else 'FAILED'
  end as status,
  null::text as counterparty_name, null::text as counterparty_detail, j.reference_id as our_reference,
  j.disbursement_id as provider_reference, case j.status when 'FAILED' then j.reason end as failure_code,
  case j.status when 'FAILED' then j.reason_message end as failure_message,
  coalesce(
    (select reference from conversion_orders o where o.job_id = j.job_id and o.state = 'OPEN' limit 1),
    (select reference from conversion_withdrawals o where o.job_id = j.job_id and o.state = 'OPEN' limit 1),
    'conversion-payout ' || j.job_id) as work_id, j.created_at, j.updated_at
from conversion_jobs j left join fiat_wallets w using (account_id);

create view payment_of_cardano_orders as
select o.order_id as object_key, o.mint_hash, o.burn_hash, 'cardano_order' as object_type, o.order_id::text as object_id,
  o.client_id, o.user_id, o.wallet_from_id as wallet_id, 'cardano' as rail, lower(o.source) || '_to_' || lower(o.target) as kind,
  case o.target when 'WALLET' then 'internal' else 'out' end as direction, o.currency_from as currency, 2::smallint as scale,
  o.fiat_amount as amount, o.onramp_fee + o.network_fee as fee, 0::numeric as refunded,
  case
    when o.status in ('OPEN', 'PAYING') then 'PENDING'
    when o.status = 'DONE' then 'SUCCEEDED'
    when o.failure = 'RETURNED' then 'RETURNED'
    else 'FAILED'
  end as status,
  o.account_name as counterparty_name,
  coalesce(o.bank_code || ' ' || payment_masked(o.account_number), payment_masked(o.to_address)) as counterparty_detail,
  o.order_id::text as our_reference, coalesce(o.burn_hash, o.mint_hash) as provider_reference, o.failure as failure_code,
  null::text as failure_message, 'cardano-' || o.order_id as work_id, o.created_at, o.updated_at
from cardano_orders o;

create view payment_of_xrpl_transactions as
select t.id as object_key, t.tx_hash, 'xrpl_transaction' as object_type, t.id::text as object_id, u.client_id, t.user_id,
  null::integer as wallet_id, 'xrpl' as rail, lower(t.tx_type) as kind,
  case t.tx_type when 'ONRAMP' then 'in' else 'out' end as direction, 'USDC' as currency, 6::smallint as scale,
  t.units as amount, 0::numeric as fee, 0::numeric as refunded,
  case
    when t.status = 'PENDING' then 'PENDING'
    when t.status <> 'FAILED' then 'SUCCEEDED'
    -- The flow that a bank's return begins.
    when exists (select from sagas s where s.id = t.operation || '-returned') then 'RETURNED'
    else 'FAILED'
  end as status,
  null::text as counterparty_name,
  payment_masked(case t.tx_type when 'ONRAMP' then t.source_address else t.destination_address end) as counterparty_detail,
  t.operation as our_reference, t.tx_hash as provider_reference,
  case t.status when 'FAILED' then 'NOT_SENT' end as failure_code, null::text as failure_message, t.operation as work_id,
  t.created_at, t.updated_at
from xrpl_transactions t join users u using (user_id);

create view payment_of_onchain_sends as
select s.operation as object_key, o.tx_hash, 'transfer' as object_type, s.operation::text as object_id, s.client_id, s.user_id,
  null::integer as wallet_id, 'chain' as rail, 'send' as kind, 'out' as direction, s.token_symbol as currency,
  coalesce(a.scale, 18)::smallint as scale, s.units as amount, s.fee_units as fee, 0::numeric as refunded,
  case s.status when 'CONFIRMED' then 'SUCCEEDED' else s.status end as status,
  null::text as counterparty_name, s.chain_id || ' ' || payment_masked(s.destination) as counterparty_detail,
  s.operation::text as our_reference, o.tx_hash as provider_reference,
  case when s.failure is not null then 'NOT_SENT' end as failure_code, s.failure as failure_message, s.operation::text as work_id,
  s.created_at, s.updated_at
from onchain_sends s
left join onchain_transactions o on o.operation = s.operation
left join ledger.assets a on a.asset = s.token_symbol;

create view payment_of_crosschain_transfers as
select t.log_id as object_key, t.burn_tx_hash, t.mint_tx_hash, 'crosschain_transfer' as object_type, t.log_id::text as object_id,
  t.client_id, t.user_id, null::integer as wallet_id, 'crosschain' as rail, 'transfer' as kind, 'out' as direction,
  t.token as currency, coalesce(a.scale, 6)::smallint as scale, t.units as amount, t.platform_fee as fee,
  0::numeric as refunded,
  case t.status when 'MINTED' then 'SUCCEEDED' when 'FAILED' then 'FAILED' else 'PENDING' end as status,
  null::text as counterparty_name, t.to_chain || ' ' || payment_masked(t.recipient_address) as counterparty_detail,
  t.log_id::text as our_reference, coalesce(t.mint_tx_hash, t.burn_tx_hash) as provider_reference,
  case t.status when 'FAILED' then 'NOT_BURNT' end as failure_code, null::text as failure_message, t.log_id::text as work_id,
  t.created_at, t.updated_at
from crosschain_transfers t left join ledger.assets a on a.asset = t.token;

create view payment_of_purchase_orders as
select o.order_id as object_key, o.payment_tx_hash, o.record_tx_hash, o.refund_tx_hash, 'purchase' as object_type,
  o.order_id as object_id, o.client_id, o.user_id, null::integer as wallet_id, 'purchase' as rail, 'purchase' as kind,
  'out' as direction, 'USDC' as currency, 6::smallint as scale, o.usdc_units as amount, 0::numeric as fee,
  case o.status when 'REFUNDED' then o.usdc_units else 0 end as refunded,
  case
    when o.status = 'COMPLETED' then 'SUCCEEDED'
    when o.status in ('REFUNDED', 'FAILED') then o.status
    when o.status = 'EXPIRED' then 'CANCELLED'
    else 'PENDING'
  end as status,
  o.product ->> 'site' as counterparty_name, null::text as counterparty_detail, o.order_id as our_reference,
  o.payment_tx_hash as provider_reference, case when o.failure is not null then 'NOT_COMPLETED' end as failure_code,
  o.failure as failure_message, 'purchase-' || o.order_id as work_id, o.created_at, o.updated_at
from purchase_orders o;

create view payment_of_marketplace_orders as
select o.order_id as object_key, o.blockchain_tx_hash, o.vendor_reference, 'marketplace_order' as object_type,
  o.order_id as object_id, o.client_id, o.user_id, null::integer as wallet_id, 'marketplace' as rail, 'order' as kind,
  'out' as direction, 'USDC' as currency, 6::smallint as scale, o.units as amount, 0::numeric as fee, 0::numeric as refunded,
  case o.payment_status when 'COMPLETED' then 'SUCCEEDED' when 'PAID' then 'PENDING' else o.payment_status end as status,
  o.vendor ->> 'name' as counterparty_name, null::text as counterparty_detail, o.order_id as our_reference,
  o.blockchain_tx_hash as provider_reference, case when o.failure is not null then 'NOT_DELIVERED' end as failure_code,
  o.failure as failure_message, o.order_id as work_id, o.created_at,
  greatest(o.created_at, o.paid_at, o.completed_at) as updated_at
from marketplace_orders o;

-- Anybody may pay for anything on chain: such a payment is the operator's.
create view payment_of_marketplace_payments as
select p.payment_id as object_key, p.tx_hash, p.refund_tx_hash, 'marketplace_payment' as object_type,
  p.payment_id::text as object_id, 1 as client_id, null::integer as user_id, null::integer as wallet_id,
  'marketplace' as rail, 'unmatched' as kind, 'in' as direction, case when p.reason = 'WRONG_TOKEN' then 'OTHER' else 'USDC' end as currency,
  case when p.reason = 'WRONG_TOKEN' then 0 else 6 end::smallint as scale, p.units as amount, 0::numeric as fee, p.sent_units as refunded,
  case
    when p.state = 'GONE' then 'FAILED'
    when p.state = 'SEEN' then 'PENDING'
    when p.sent_units > 0 and p.sent_units >= p.units then 'REFUNDED'
    when p.sent_units > 0 then 'PARTIALLY_REFUNDED'
    else 'SUCCEEDED'
  end as status,
  null::text as counterparty_name, p.chain_id || ' ' || payment_masked(p.payer) as counterparty_detail,
  'marketplace-payment:' || p.payment_id as our_reference, p.tx_hash as provider_reference,
  case p.state when 'GONE' then 'DROPPED' end as failure_code, null::text as failure_message,
  'marketplace-refund ' || p.payment_id as work_id, p.seen_at as created_at, coalesce(p.counted_at, p.seen_at) as updated_at
from marketplace_payments p;

-- Those who propose a correction are the operator's staff, and its owner hears of it once it is booked.
create view payment_of_adjustments as
select a.adjustment_id as object_key, 'adjustment' as object_type, a.adjustment_id::text as object_id,
  case when a.status = 'BOOKED' then coalesce(u.client_id, 1) else 1 end as client_id,
  case when a.status = 'BOOKED' then a.user_id end as user_id,
  case when a.status = 'BOOKED' then a.wallet_id end as wallet_id, 'operator' as rail, a.kind,
  case a.direction when 'credit' then 'in' when 'debit' then 'out' else 'internal' end as direction, a.asset as currency,
  s.scale::smallint as scale, a.units as amount, 0::numeric as fee, 0::numeric as refunded,
  case a.status when 'PROPOSED' then 'PENDING' when 'BOOKED' then 'SUCCEEDED' else 'CANCELLED' end as status,
  null::text as counterparty_name, null::text as counterparty_detail, 'adjustment:' || a.adjustment_id as our_reference,
  a.of_reference as provider_reference, null::text as failure_code, null::text as failure_message, null::text as work_id,
  a.created_at, coalesce(a.decided_at, a.created_at) as updated_at
from adjustments a left join users u using (user_id) join ledger.assets s on s.asset = a.asset;

-- What somebody may hold in hand of a payment and no index led to.
create index idr_mints_by_hash on idr_mints (mint_tx_hash) where mint_tx_hash is not null;
create index idr_mints_by_receipt on idr_mints (paid_receipt) where paid_receipt is not null;
create index idr_redeems_by_hash on idr_redeems (burn_tx_hash);
create index idr_refunds_by_hash on idr_refunds (take_back_hash) where take_back_hash is not null;
create index idr_unmatched_payments_by_receipt on idr_unmatched_payments (receipt);
create index conversion_jobs_by_disbursement on conversion_jobs (disbursement_id) where disbursement_id is not null;
create index crosschain_transfers_by_mint on crosschain_transfers (mint_tx_hash) where mint_tx_hash is not null;
create index purchase_orders_by_payment on purchase_orders (payment_tx_hash) where payment_tx_hash is not null;
create index purchase_orders_by_refund on purchase_orders (refund_tx_hash) where refund_tx_hash is not null;
create index marketplace_orders_by_hash on marketplace_orders (blockchain_tx_hash) where blockchain_tx_hash is not null;
create index marketplace_payments_by_hash on marketplace_payments (tx_hash);
create index marketplace_payments_by_refund on marketplace_payments (refund_tx_hash) where refund_tx_hash is not null;
