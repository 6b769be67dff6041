-- What disputes bring back is a sum of the payment, beside what its shop gives back: of one payment nothing comes back twice,
-- whichever way it takes, and in whichever order (docs/design/issued-cards.md).
alter table card_payments
  -- Of disputes that are credited now, and of those that are won: their whole amounts.
  add column claimed numeric(38, 0) not null default 0,
  add column won     numeric(38, 0) not null default 0,
  -- Worked out of the sums by `derive_card_payment`: what the wallet has of what is claimed, and what the network has paid of
  -- what the shop has given back too, which is the house's until it goes back.
  add column credit  numeric(38, 0) not null default 0,
  add column surplus numeric(38, 0) not null default 0;

alter table card_disputes
  -- When the network decided for its holder, by its own time.
  add column won_at     timestamptz,
  -- What was taken back: the shop may have given back a part of the credit itself.
  add column taken_back numeric(38, 0) check (taken_back between 0 and amount);

alter table card_disputes disable trigger card_disputes_checked;
update card_disputes d set
  won_at = case when d.status = 'WON' then coalesce(
    (select max(e.at) from card_dispute_events e where e.dispute_id = d.dispute_id), d.updated_at) end,
  taken_back = case when d.taken_back_at is not null then d.amount end
where d.status = 'WON' or d.taken_back_at is not null;
alter table card_disputes enable trigger card_disputes_checked;
alter table card_disputes
  add check ((status = 'WON') = (won_at is not null)),
  add check ((taken_back_at is null) = (taken_back is null));
-- All of a payment, the elder first.
drop index card_disputes_of_payment;
create index card_disputes_of_payment on card_disputes (payment_id, serial);
create index card_disputes_won_at on card_disputes (won_at, serial) where won_at is not null;

create or replace function derive_card_payment() returns trigger language plpgsql as $$
declare
  kept numeric;
begin
  if tg_op = 'UPDATE' then
    if (old.card_id, old.client_id, old.user_id, old.wallet_id, old.account_id, old.currency, old.markup_bps, old.object_id)
      is distinct from (new.card_id, new.client_id, new.user_id, new.wallet_id, new.account_id, new.currency, new.markup_bps, new.object_id)
    then
      raise exception 'card payment % stays what it pays from', old.object_id
        using errcode = 'check_violation', constraint = 'card_payments_stay';
    end if;
    if new.authorized < old.authorized or new.incremented < old.incremented or new.reversed < old.reversed
      or new.expired < old.expired or new.settled < old.settled or new.refund_authorized < old.refund_authorized
      or new.refunded < old.refunded or new.won < old.won or (old.is_closed and not new.is_closed)
    then
      raise exception 'sums of card payment % only grow', old.object_id
        using errcode = 'check_violation', constraint = 'card_payments_onward';
    end if;
    -- What the ledger holds is no change that others see.
    if new.holding <> old.holding and row_to_json(new)::jsonb - 'holding' = row_to_json(old)::jsonb - 'holding' then
      return new;
    end if;
  end if;
  new.held := case when new.is_closed then 0
    else greatest(new.authorized + new.incremented - new.reversed - new.expired - new.settled, 0) end;
  new.markup := ceil(new.settled * new.markup_bps / 10000);
  -- Of both together: what is settled out of a hold leaves what the rest needs.
  new.held_markup := case when new.held = 0 then 0 else ceil((new.held + new.settled) * new.markup_bps / 10000) - new.markup end;
  new.markup_returned := case when new.refunded >= new.settled then new.markup
    else floor(new.markup * new.refunded / new.settled) end;
  new.net := new.settled + new.markup - new.markup_returned - new.refunded;
  -- The shop's own word counts first: what it has given back is not brought back by a dispute as well.
  kept := greatest(new.settled - new.refunded, 0);
  new.credit := least(new.claimed, kept);
  new.surplus := new.won - least(new.won, kept);
  new.is_flagged := new.is_flagged or new.surplus > 0;
  new.status := case
    when new.refunded > 0 and new.refunded >= new.settled then 'REFUNDED'
    when new.settled > 0 then case when new.held > 0 then 'PARTIALLY_SETTLED' else 'SETTLED' end
    when new.held > 0 then 'AUTHORIZED'
    when new.expired > 0 then 'EXPIRED'
    when new.reversed > 0 then 'REVERSED'
    when new.refund_authorized > 0 then 'AUTHORIZED'
    when new.is_check then 'SETTLED'
    else 'DECLINED' end;
  new.version := new.version + 1;
  new.updated_at := service_now();
  new.status_times := jsonb_build_object(lower(new.status) || '_at',
    to_char(service_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || new.status_times;
  return new;
end $$;

alter table card_payments disable trigger card_payments_derived;
update card_payments p set claimed = d.claimed, won = d.won,
  credit = least(d.claimed, greatest(p.settled - p.refunded, 0)),
  surplus = d.won - least(d.won, greatest(p.settled - p.refunded, 0))
from (
  select payment_id, sum(amount) as claimed, coalesce(sum(amount) filter (where status = 'WON'), 0) as won
  from card_disputes where credited_at is not null and taken_back_at is null group by payment_id) d
where p.payment_id = d.payment_id;
alter table card_payments enable trigger card_payments_derived;

alter table card_payments
  add constraint card_payments_claimed check (won between 0 and claimed),
  add constraint card_payments_once check (credit + refunded <= greatest(settled, refunded) and credit between 0 and claimed),
  add constraint card_payments_surplus check (surplus between 0 and won);

-- At the end of a transaction what is claimed of a payment is what its disputes say.
create function check_card_claims() returns trigger language plpgsql as $$
begin
  if exists (
    select from card_payments p cross join lateral (
      select coalesce(sum(amount), 0) as claimed, coalesce(sum(amount) filter (where status = 'WON'), 0) as won
      from card_disputes where payment_id = p.payment_id and credited_at is not null and taken_back_at is null) d
    where p.payment_id = new.payment_id and (p.claimed, p.won) is distinct from (d.claimed, d.won))
  then
    raise exception 'what is claimed of card payment % is not what its disputes say', new.payment_id
      using errcode = 'check_violation', constraint = 'card_payments_claims';
  end if;
  return null;
end $$;
create constraint trigger card_payments_claims after update of claimed, won on card_payments deferrable initially deferred
  for each row execute function check_card_claims();
create constraint trigger card_disputes_claims after insert or update on card_disputes deferrable initially deferred
  for each row execute function check_card_claims();
