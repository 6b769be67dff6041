-- What issued cards pay: a payment with its running sums, each message of the network that changes them, and the decisions
-- that were asked of us (docs/design/issued-cards.md).
create table card_payments (
  payment_id        uuid primary key,
  serial            bigint generated always as identity unique,
  object_id         text not null unique,
  card_id           uuid not null references issued_cards,
  client_id         integer not null references clients,
  user_id           integer not null references users,
  wallet_id         integer not null references fiat_wallets,
  account_id        bigint not null,
  currency          text not null references ledger.assets,
  merchant_id       text,
  merchant_name     text not null,
  mcc               text check (mcc ~ '^\d{4}$'),
  merchant_city     text,
  merchant_country  text check (merchant_country ~ '^[A-Z]{2}$'),
  -- As the shop has it, where it sells in another currency.
  merchant_amount   text,
  merchant_currency text,
  -- Of a purchase in another currency, in hundredths of a percent: of the moment at which it began.
  markup_bps        integer not null default 0 check (markup_bps between 0 and 2000),
  -- Sums of the elements. They only grow.
  authorized        numeric(38, 0) not null default 0 check (authorized >= 0),
  incremented       numeric(38, 0) not null default 0 check (incremented >= 0),
  reversed          numeric(38, 0) not null default 0 check (reversed >= 0),
  expired           numeric(38, 0) not null default 0 check (expired >= 0),
  settled           numeric(38, 0) not null default 0 check (settled >= 0),
  refund_authorized numeric(38, 0) not null default 0 check (refund_authorized >= 0),
  refunded          numeric(38, 0) not null default 0 check (refunded >= 0),
  -- Nothing is held for it any more: its last settlement came, or its time was over.
  is_closed         boolean not null default false,
  -- A check of the card, of no amount.
  is_check          boolean not null default false,
  -- Worked out of the sums by `derive_card_payment`.
  held              numeric(38, 0) not null default 0,
  held_markup       numeric(38, 0) not null default 0,
  markup            numeric(38, 0) not null default 0,
  markup_returned   numeric(38, 0) not null default 0,
  net               numeric(38, 0) not null default 0,
  -- What the ledger holds of that: less, where somebody else has said yes and the wallet had less.
  holding           numeric(38, 0) not null default 0 check (holding >= 0),
  -- More than a fifth above what was held was settled, which is looked at by a person.
  is_flagged        boolean not null default false,
  holds_until       timestamptz not null,
  status            text not null default 'DECLINED'
    check (status in ('DECLINED', 'AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REVERSED', 'EXPIRED', 'REFUNDED')),
  status_times      jsonb not null default '{}',
  failure           jsonb,
  version           integer not null default 0,
  created_at        timestamptz not null default service_now(),
  updated_at        timestamptz not null default service_now(),
  constraint card_payments_held check (held = case when is_closed then 0
    else greatest(authorized + incremented - reversed - expired - settled, 0) end),
  constraint card_payments_net check (net = settled + markup - markup_returned - refunded),
  constraint card_payments_markup_returned check (markup_returned between 0 and markup),
  constraint card_payments_holding check (holding <= held + held_markup)
);
create index card_payments_of_card on card_payments (card_id, serial desc);
create index card_payments_of_user on card_payments (user_id, serial desc);
create index card_payments_of_client on card_payments (client_id, serial desc);
-- Whether a card for one payment has made one.
create index card_payments_made on card_payments (card_id)
  where status in ('AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED') and not is_check;
create index card_payments_to_expire on card_payments (holds_until) where held > 0;

-- Parts of the markup are rounded up while it is charged, and what is returned is rounded down until all is returned.
create function derive_card_payment() returns trigger language plpgsql as $$
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
      or new.refunded < old.refunded or (old.is_closed and not new.is_closed)
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
create trigger card_payments_derived before insert or update on card_payments
  for each row execute function derive_card_payment();

-- What each card has paid, or promised, in a day, a week, a month and in all, in the time zone of its client: in every shop,
-- and in those of each category. Kept with the payments, so that a limit reads a few rows however much the card has paid.
create table card_spending (
  card_id uuid not null references issued_cards,
  period  text not null check (period in ('day', 'week', 'month', 'all_time')),
  starts  date not null,
  -- Empty for all.
  mcc     text not null,
  amount  numeric(38, 0) not null,
  primary key (card_id, period, starts, mcc)
);

create function start_of_period(period text, at timestamptz, time_zone text) returns date language sql stable
return case period when 'all_time' then date '2000-01-01' else date_trunc(period, at at time zone time_zone)::date end;

create function keep_card_spending() returns trigger language plpgsql as $$
declare
  more numeric := new.held + new.settled;
begin
  if tg_op = 'UPDATE' then
    more := more - old.held - old.settled;
  end if;
  if more <> 0 then
    insert into card_spending as s (card_id, period, starts, mcc, amount)
    select new.card_id, p.period, start_of_period(p.period, new.created_at, c.time_zone), m.mcc, more
      from clients c, unnest(array['all_time', 'day', 'month', 'week']) p (period), unnest(array['', new.mcc]) m (mcc)
     where c.client_id = new.client_id and m.mcc is not null
    on conflict (card_id, period, starts, mcc) do update set amount = s.amount + excluded.amount;
  end if;
  return null;
end $$;
create trigger card_payments_spent after insert or update on card_payments
  for each row execute function keep_card_spending();

-- By what messages of the network name a payment of a card.
create table card_payment_names (
  card_id    uuid not null references issued_cards,
  name       text not null check (length(name) between 1 and 120),
  payment_id uuid not null references card_payments,
  primary key (card_id, name)
);
create index card_payment_names_of_payment on card_payment_names (payment_id);

create table card_decisions (
  decision_id       uuid primary key,
  serial            bigint generated always as identity unique,
  card_id           uuid not null references issued_cards,
  client_id         integer not null references clients,
  user_id           integer not null references users,
  -- Written after it, in the same transaction.
  payment_id        uuid references card_payments deferrable initially deferred,
  type              text not null check (type in ('authorization', 'balance_inquiry')),
  -- As the network names what it asks: the same again gets the same answer.
  network_reference text not null,
  kind              text not null check (kind in ('authorization', 'increment', 'verification', 'balance')),
  sequence          text not null,
  -- Of the processor.
  transaction_token text not null,
  status            text not null check (status in ('PENDING', 'RESPONDED', 'TIMED_OUT')),
  decision          text check (decision in ('approve', 'decline')),
  asked             numeric(38, 0) not null check (asked >= 0),
  amount            numeric(38, 0) not null check (amount >= 0),
  currency          text not null references ledger.assets,
  reason            text,
  decided_by        text check (decided_by in ('rules', 'client', 'stand_in')),
  -- What the client's own webhook came to, where it was asked.
  client_answer     text check (client_answer in ('approve', 'decline', 'late', 'broken', 'busy')),
  received_at       timestamptz not null,
  timeout_at        timestamptz not null,
  responded_at      timestamptz,
  ms                integer check (ms >= 0),
  -- A yes that the processor has not confirmed is looked up from then on.
  confirm_after     timestamptz,
  unique (card_id, network_reference, kind, sequence),
  check ((status = 'PENDING') = (decision is null)),
  check ((status = 'PENDING') = (responded_at is null)),
  check (amount <= asked),
  check (status <> 'TIMED_OUT' or decision = 'decline'),
  check ((decision = 'decline') = (reason is not null))
);
create index card_decisions_of_payment on card_decisions (payment_id, serial);
create index card_decisions_of_transaction on card_decisions (card_id, transaction_token);
create index card_decisions_to_confirm on card_decisions (confirm_after) where confirm_after is not null;
create index card_decisions_pending on card_decisions (timeout_at) where status = 'PENDING';

create table card_elements (
  element_id        bigint generated always as identity primary key,
  payment_id        uuid not null references card_payments,
  card_id           uuid not null references issued_cards,
  type              text not null check (type in ('authorization', 'decline', 'increment', 'reversal', 'expiration', 'settlement',
    'refund_authorization', 'refund', 'validation', 'balance_inquiry', 'advice', 'chargeback', 'representment')),
  amount            numeric(38, 0) not null check (amount >= 0),
  -- A message counts once by these.
  network_reference text not null,
  sequence          text not null,
  transaction_token text,
  decision_id       uuid references card_decisions,
  -- The last settlement of the payment, or the end of its time.
  is_final          boolean not null default false,
  at                timestamptz not null,
  booked_at         timestamptz not null default service_now(),
  unique (card_id, network_reference, type, sequence)
);
create index card_elements_of_payment on card_elements (payment_id, element_id);
-- What both sides' books have.
create index card_elements_settled on card_elements (at, element_id) where type in ('settlement', 'refund');

create function check_card_element() returns trigger language plpgsql as $$
begin
  raise exception 'elements of card payments stay' using errcode = 'check_violation', constraint = 'card_elements_stay';
end $$;
create trigger card_elements_stay before update or delete on card_elements
  for each row execute function check_card_element();

-- At the end of a transaction the sums of a payment are those of its elements.
create function check_card_payment_sums() returns trigger language plpgsql as $$
begin
  if exists (
    select from card_payments p cross join lateral (
      select coalesce(sum(amount) filter (where type in ('authorization', 'advice')), 0) as authorized,
        coalesce(sum(amount) filter (where type = 'increment'), 0) as incremented,
        coalesce(sum(amount) filter (where type = 'reversal'), 0) as reversed,
        coalesce(sum(amount) filter (where type = 'expiration'), 0) as expired,
        coalesce(sum(amount) filter (where type = 'settlement'), 0) as settled,
        coalesce(sum(amount) filter (where type = 'refund_authorization'), 0) as refund_authorized,
        coalesce(sum(amount) filter (where type = 'refund'), 0) as refunded
      from card_elements where payment_id = p.payment_id) e
    where p.payment_id = new.payment_id and (p.authorized, p.incremented, p.reversed, p.expired, p.settled,
      p.refund_authorized, p.refunded) is distinct from (e.authorized, e.incremented, e.reversed, e.expired, e.settled,
      e.refund_authorized, e.refunded))
  then
    raise exception 'sums of card payment % are not those of its elements', new.payment_id
      using errcode = 'check_violation', constraint = 'card_payments_sums';
  end if;
  return null;
end $$;
create constraint trigger card_payments_sums after insert or update on card_payments deferrable initially deferred
  for each row execute function check_card_payment_sums();
create constraint trigger card_elements_sums after insert on card_elements deferrable initially deferred
  for each row execute function check_card_payment_sums();

create view payment_of_card_payments as
select p.object_id as object_key, 'payment' as object_type, p.object_id, p.client_id, p.user_id, p.wallet_id,
  'issued_card' as rail, 'card_purchase' as kind, case when p.settled = 0 and p.refunded > 0 then 'in' else 'out' end as direction,
  p.currency, a.scale::smallint as scale,
  case when p.settled = 0 and p.refunded > 0 then p.refunded
    else greatest(p.settled + p.held, p.authorized + p.incremented - p.reversed, 0) end as amount,
  p.held_markup + p.markup - p.markup_returned as fee,
  case when p.settled = 0 then 0 else least(p.refunded, p.settled) end as refunded,
  case p.status
    when 'DECLINED' then 'FAILED'
    when 'AUTHORIZED' then 'PENDING'
    when 'PARTIALLY_SETTLED' then 'PENDING'
    when 'SETTLED' then case when p.refunded > 0 then 'PARTIALLY_REFUNDED' else 'SUCCEEDED' end
    when 'REFUNDED' then case when p.settled = 0 then 'SUCCEEDED' else 'REFUNDED' end
    else 'CANCELLED'
  end as status,
  p.merchant_name as counterparty_name, '•••• ' || c.last4 as counterparty_detail, p.object_id as our_reference,
  null::text as provider_reference, p.failure ->> 'code' as failure_code, p.failure ->> 'message' as failure_message,
  null::text as work_id, p.created_at, p.updated_at
from card_payments p join issued_cards c using (card_id) join ledger.assets a on a.asset = p.currency;

-- Of purchases in another currency than the card's.
insert into fee_rows (client_id, rail, method, currency, flat, bps)
select null, 'issued_card', 'markup', asset, 0, 100 from ledger.assets where asset in ('USD', 'SGD', 'AUD', 'INR', 'IDR', 'VND');
