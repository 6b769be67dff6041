-- Bank transfers that the gateway was asked for, whoever asked: so that news of one find it, and that
-- what is on its way is a sum that is kept.
create table payouts (
  -- Ours, by which the gateway knows it too.
  reference   text primary key check (length(reference) between 1 and 100),
  -- The feature whose pay-out it is.
  payer       text not null check (payer ~ '^[a-z][a-z0-9-]{0,39}$'),
  client_id   integer not null references clients,
  -- What arrives, in units of IDR.
  units       numeric(38, 0) not null check (units > 0),
  -- ASKED: the gateway may have it. SENT: it has, and has set the money aside.
  state       text not null default 'ASKED'
    check (state in ('ASKED', 'SENT', 'PAID', 'FAILED', 'RETURNED')),
  -- A failure was told of before we had booked how it ended: it is asked again then.
  failed_told boolean not null default false,
  -- The gateway's own name of it.
  gateway_id  text check (length(gateway_id) between 1 and 200),
  failure     text check (length(failure) between 1 and 200),
  asked_at    timestamptz not null default service_now(),
  paid_at     timestamptz,
  updated_at  timestamptz not null default service_now(),
  constraint payouts_paid check ((paid_at is not null) = (state in ('PAID', 'RETURNED')))
) with (fillfactor = 80);
create index payouts_by_gateway on payouts (gateway_id) where gateway_id is not null;
-- What is looked at one by one where sums do not explain the gateway's balance.
create index payouts_open on payouts (state, asked_at) where state in ('ASKED', 'SENT');
-- The gateway's statement is compared in this order.
create index payouts_by_payment on payouts (payer, paid_at, reference) where state = 'PAID';

-- What is asked for and what is sent, in units: the sum over all stripes. Whoever changes it has a stripe of
-- their own connection, so that pay-outs do not queue for one row.
create table payout_sums (
  stripe smallint primary key check (stripe between 0 and 15),
  asked  numeric(38, 0) not null default 0,
  sent   numeric(38, 0) not null default 0
);
insert into payout_sums (stripe) select generate_series(0, 15);

create function sum_payouts(asked numeric, sent numeric) returns void language sql as $$
  update payout_sums s set asked = s.asked + $1, sent = s.sent + $2
   where s.stripe = pg_backend_pid() % 16 and ($1 <> 0 or $2 <> 0)
$$;
create function sum_new_payouts() returns trigger language plpgsql as $$
begin
  perform sum_payouts(coalesce(sum(units) filter (where state = 'ASKED'), 0),
    coalesce(sum(units) filter (where state = 'SENT'), 0)) from fresh;
  return null;
end $$;
create function sum_changed_payouts() returns trigger language plpgsql as $$
begin
  perform sum_payouts(
    coalesce(sum(n.units) filter (where n.state = 'ASKED'), 0)
      - coalesce(sum(o.units) filter (where o.state = 'ASKED'), 0),
    coalesce(sum(n.units) filter (where n.state = 'SENT'), 0)
      - coalesce(sum(o.units) filter (where o.state = 'SENT'), 0))
  from fresh n join stale o using (reference);
  return null;
end $$;
create trigger payouts_new after insert on payouts
  referencing new table as fresh for each statement execute function sum_new_payouts();
create trigger payouts_changed after update on payouts
  referencing new table as fresh old table as stale
  for each statement execute function sum_changed_payouts();

-- Payments that may have been made are no longer summed up: the gateway's statement tells which were.
drop index idr_mints_pending;

-- Those that were asked for before. What is told twice of one is as it was told first.
insert into payouts (reference, payer, client_id, units, state, gateway_id, failure, asked_at, paid_at)
select r.reference_id, 'idr-token', r.client_id, r.net_amount_idr,
  case when r.status = 'PENDING' then 'ASKED' when r.status = 'PROCESSING' then 'SENT'
    when r.status = 'COMPLETED' then 'PAID' when r.returned_at is not null then 'RETURNED'
    else 'FAILED' end,
  r.gateway_payout_id, r.failure, r.created_at, r.paid_out_at
from idr_redeems r left join sagas s on s.id = r.reference_id
where r.status <> 'PENDING' or s.state = 'send';

insert into payouts (reference, payer, client_id, units, state, gateway_id, failure, asked_at, paid_at)
select reference_id, 'conversions', client_id, amount,
  case when paid_out_at is null and status = 'FAILED' then 'FAILED'
    when paid_out_at is null and disbursed_at is null then 'ASKED'
    when paid_out_at is null then 'SENT'
    when status = 'FAILED' then 'RETURNED' else 'PAID' end,
  nullif(disbursement_id, ''), nullif(reason, ''), created_at, paid_out_at
from conversion_jobs;

insert into payouts (reference, payer, client_id, units, state, asked_at, paid_at)
select t.operation || '-payout', 'xrpl', (s.data ->> 'client_id')::integer,
  (s.data #>> '{conversion,result,units}')::numeric,
  case s.state when 'payout' then 'ASKED' when 'wait' then 'SENT' when 'ask' then 'SENT'
    when 'paid' then 'PAID' else 'FAILED' end,
  t.created_at, case s.state when 'paid' then t.updated_at end
from xrpl_transactions t join sagas s on s.id = t.operation
where t.tx_type = 'OFFRAMP_FIAT' and s.data #> '{fiat,bank}' is not null
  and s.state in ('payout', 'wait', 'ask', 'paid', 'reissue', 'returned');

insert into payouts (reference, payer, client_id, units, state, failure, asked_at, paid_at)
select 'CARDANO-OUT-' || o.order_id, 'cardano', o.client_id, o.payout,
  case when o.paid_out_at is not null then 'PAID' when o.status = 'FAILED' then 'FAILED'
    when s.state = 'payout' then 'ASKED' else 'SENT' end,
  o.failure, o.created_at, o.paid_out_at
from cardano_orders o left join sagas s on s.id = 'cardano-' || o.order_id
where o.target = 'BANK' and not o.simulated
  and (o.status = 'PAYING' or o.paid_out_at is not null or o.failure = 'PAYOUT');
