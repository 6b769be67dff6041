-- Banks are paid in other currencies than rupiah, too, by the bank host: each pay-out has its own.
alter table payouts
  add column asset text not null default 'IDR' references ledger.assets,
  add constraint payouts_asset check (asset in ('IDR', 'SGD', 'AUD', 'INR', 'USD', 'VND'));
comment on column payouts.units is 'What arrives, in units of the asset.';

-- The bank host's booked entries are compared in this order: transfers, and what came back.
create index payouts_by_host on payouts (paid_at, reference) where asset <> 'IDR' and paid_at is not null;
create index payouts_back_by_host on payouts (updated_at, reference) where asset <> 'IDR' and state = 'RETURNED';

-- The sums explain the gateway's balance, which is in rupiah.
create or replace function sum_new_payouts() returns trigger language plpgsql as $$
begin
  perform sum_payouts(coalesce(sum(units) filter (where state = 'ASKED'), 0),
    coalesce(sum(units) filter (where state = 'SENT'), 0)) from fresh where asset = 'IDR';
  return null;
end $$;
create or replace function sum_changed_payouts() returns trigger language plpgsql as $$
begin
  perform sum_payouts(
    coalesce(sum(n.units) filter (where n.state = 'ASKED'), 0)
      - coalesce(sum(o.units) filter (where o.state = 'ASKED'), 0),
    coalesce(sum(n.units) filter (where n.state = 'SENT'), 0)
      - coalesce(sum(o.units) filter (where o.state = 'SENT'), 0))
  from fresh n join stale o using (reference) where n.asset = 'IDR';
  return null;
end $$;
