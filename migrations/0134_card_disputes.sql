-- Payments of issued cards that their holders dispute with the shop, through the card network (docs/design/issued-cards.md).
create table card_disputes (
  dispute_id        uuid primary key,
  serial            bigint generated always as identity unique,
  object_id         text not null unique,
  -- The request that has made it: a repetition finds it.
  operation         text not null unique,
  payment_id        uuid not null references card_payments,
  card_id           uuid not null references issued_cards,
  client_id         integer not null references clients,
  user_id           integer not null references users,
  account_id        bigint not null,
  currency          text not null references ledger.assets,
  -- The settlement that is disputed, by the processor's number.
  transaction_token text not null,
  reason            text not null check (reason in
    ('FRAUD', 'NOT_RECEIVED', 'NOT_AS_DESCRIBED', 'DUPLICATE', 'WRONG_AMOUNT', 'CANCELLED', 'REFUND_MISSING')),
  amount            numeric(38, 0) not null check (amount > 0),
  -- All that was settled by that transaction.
  is_whole          boolean not null,
  explanation       text not null check (length(explanation) between 1 and 2000),
  -- What its holder has said to the shop's answer.
  response          text check (length(response) between 1 and 2000),
  status            text not null check (status in ('DRAFT', 'SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION', 'WON', 'LOST',
    'WITHDRAWN', 'REJECTED')),
  status_times      jsonb not null,
  failure           jsonb,
  -- The network has it.
  accepted_at       timestamptz,
  respond_by        timestamptz,
  -- The provisional credit, and its end where it was not earned.
  credited_at       timestamptz,
  taken_back_at     timestamptz,
  -- When the processor was last asked about it.
  followed_at       timestamptz not null default service_now(),
  version           integer not null default 1 check (version > 0),
  created_at        timestamptz not null default service_now(),
  updated_at        timestamptz not null default service_now(),
  check (status <> 'DRAFT' or (accepted_at is null and credited_at is null)),
  check (status not in ('PENDING_RESPONSE', 'PREARBITRATION') or accepted_at is not null),
  check (status <> 'PENDING_RESPONSE' or respond_by is not null),
  check (taken_back_at is null or credited_at is not null),
  -- An end has its money: kept where it was won, back where it was not.
  check (status <> 'WON' or (credited_at is not null and taken_back_at is null)),
  check (status not in ('LOST', 'WITHDRAWN', 'REJECTED') or (credited_at is null) = (taken_back_at is null))
);
create index card_disputes_of_user on card_disputes (user_id, serial desc);
create index card_disputes_of_client on card_disputes (client_id, serial desc);
create index card_disputes_of_card on card_disputes (card_id);
create index card_disputes_of_payment on card_disputes (payment_id);
-- One at a time for a payment.
create unique index card_disputes_open on card_disputes (payment_id)
  where status in ('DRAFT', 'SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION');
create index card_disputes_won on card_disputes (payment_id) where status = 'WON';
create index card_disputes_to_respond on card_disputes (respond_by) where status = 'PENDING_RESPONSE';
create index card_disputes_to_follow on card_disputes (followed_at)
  where status in ('SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION');

-- A dispute moves onward only, and what is disputed stays once it was submitted. What the network decides for its holder
-- counts after any other end.
create function check_card_dispute() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (case old.status
      when 'DRAFT' then new.status in ('SUBMITTED', 'WITHDRAWN')
      when 'SUBMITTED' then new.status in ('PENDING_RESPONSE', 'PREARBITRATION', 'WON', 'LOST', 'WITHDRAWN', 'REJECTED')
      when 'PENDING_RESPONSE' then new.status in ('PREARBITRATION', 'WON', 'LOST', 'WITHDRAWN', 'REJECTED')
      when 'PREARBITRATION' then new.status in ('WON', 'LOST', 'WITHDRAWN', 'REJECTED')
      when 'WON' then false
      else new.status = 'WON'
    end)
  then
    raise exception 'dispute % does not go from % to %', old.object_id, old.status, new.status
      using errcode = 'check_violation', constraint = 'card_disputes_onward';
  end if;
  if (old.payment_id, old.card_id, old.client_id, old.user_id, old.account_id, old.currency, old.object_id, old.operation)
    is distinct from (new.payment_id, new.card_id, new.client_id, new.user_id, new.account_id, new.currency, new.object_id,
      new.operation)
    or (old.status <> 'DRAFT' and (old.amount, old.reason, old.explanation, old.transaction_token)
      is distinct from (new.amount, new.reason, new.explanation, new.transaction_token))
  then
    raise exception 'dispute % stays what it is about', old.object_id
      using errcode = 'check_violation', constraint = 'card_disputes_stay';
  end if;
  return new;
end $$;
create trigger card_disputes_checked before update on card_disputes for each row execute function check_card_dispute();

create table card_dispute_files (
  dispute_id uuid not null references card_disputes,
  file_id    uuid not null references files,
  stage      text not null check (stage in ('CLAIM', 'RESPONSE')),
  place      integer not null check (place between 1 and 10),
  primary key (dispute_id, stage, place),
  unique (dispute_id, stage, file_id)
);
create index card_dispute_files_by_file on card_dispute_files (file_id);

-- What the network has said about it, by the processor's numbers.
create table card_dispute_events (
  dispute_id uuid not null references card_disputes,
  token      text not null,
  at         timestamptz not null,
  type       text not null,
  amount     numeric(38, 0) check (amount >= 0),
  text       text,
  primary key (dispute_id, token)
);
create index card_dispute_events_in_order on card_dispute_events (dispute_id, at, token);

-- Its holder disputes it now.
alter table card_payments add column is_disputed boolean not null default false;

create or replace view payment_of_card_payments as
select p.object_id as object_key, 'payment' as object_type, p.object_id, p.client_id, p.user_id, p.wallet_id,
  'issued_card' as rail, 'card_purchase' as kind, case when p.settled = 0 and p.refunded > 0 then 'in' else 'out' end as direction,
  p.currency, a.scale::smallint as scale,
  case when p.settled = 0 and p.refunded > 0 then p.refunded
    else greatest(p.settled + p.held, p.authorized + p.incremented - p.reversed, 0) end as amount,
  p.held_markup + p.markup - p.markup_returned as fee,
  case when p.settled = 0 then 0 else least(p.refunded, p.settled) end as refunded,
  case when p.is_disputed then 'DISPUTED' else case p.status
    when 'DECLINED' then 'FAILED'
    when 'AUTHORIZED' then 'PENDING'
    when 'PARTIALLY_SETTLED' then 'PENDING'
    when 'SETTLED' then case when p.refunded > 0 then 'PARTIALLY_REFUNDED' else 'SUCCEEDED' end
    when 'REFUNDED' then case when p.settled = 0 then 'SUCCEEDED' else 'REFUNDED' end
    else 'CANCELLED'
  end end as status,
  p.merchant_name as counterparty_name, '•••• ' || c.last4 as counterparty_detail, p.object_id as our_reference,
  null::text as provider_reference, p.failure ->> 'code' as failure_code, p.failure ->> 'message' as failure_message,
  null::text as work_id, p.created_at, p.updated_at
from card_payments p join issued_cards c using (card_id) join ledger.assets a on a.asset = p.currency;
