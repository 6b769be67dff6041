-- Money that a payer sets aside for somebody, who takes it in parts (docs/design/banking.md).

create table fiat_holds (
  serial       bigint generated always as identity primary key,
  hold_id      uuid not null unique,
  object_id    text not null unique,
  operation    text not null unique,
  client_id    integer not null references clients,
  -- The payer, and the wallet that pays.
  user_id      integer not null references users,
  wallet_id    integer not null references fiat_wallets,
  account_id   bigint not null,
  currency     text not null references ledger.assets,
  to_user_id   integer not null references users,
  to_wallet_id integer not null references fiat_wallets,
  to_account_id bigint not null,
  amount       numeric(38, 0) not null check (amount > 0),
  -- What is charged on top where all of it is taken; of a part that part.
  fee          numeric(38, 0) not null check (fee >= 0),
  fee_terms    jsonb,
  captured     numeric(38, 0) not null default 0 check (captured between 0 and amount),
  fee_captured numeric(38, 0) not null default 0 check (fee_captured between 0 and fee),
  captures     integer not null default 0 check (captures >= 0),
  note         text check (length(note) between 1 and 140),
  status       text not null check (status in ('OPEN', 'PARTIALLY_CAPTURED', 'CAPTURED', 'VOIDED', 'EXPIRED')),
  status_times jsonb not null,
  failure      jsonb,
  version      integer not null default 1 check (version > 0),
  created_at   timestamptz not null default service_now(),
  updated_at   timestamptz not null default service_now(),
  expires_at   timestamptz not null,
  -- The same while there is something to take.
  lapses_at    timestamptz generated always as
    (case when status in ('OPEN', 'PARTIALLY_CAPTURED') then expires_at end) stored,
  check (object_id = object_id_of('hld', hold_id)),
  check (account_id <> to_account_id),
  check ((captured = 0) = (captures = 0))
);
create index fiat_holds_of_payer on fiat_holds (user_id, serial desc);
create index fiat_holds_of_payee on fiat_holds (to_user_id, serial desc) where to_user_id <> user_id;
create index fiat_holds_to_expire on fiat_holds (lapses_at) where lapses_at is not null;

-- What has ended stays so, what was taken is not given back, and what is paid is not changed.
create function check_fiat_hold() returns trigger language plpgsql as $$
begin
  if old.status in ('CAPTURED', 'VOIDED', 'EXPIRED') or new.captured < old.captured or new.status = 'OPEN' then
    raise exception 'hold % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'fiat_holds_onward';
  end if;
  if (old.user_id, old.account_id, old.to_account_id, old.amount, old.fee, old.expires_at)
    is distinct from (new.user_id, new.account_id, new.to_account_id, new.amount, new.fee, new.expires_at)
  then
    raise exception 'hold % stays what was agreed', old.object_id
      using errcode = 'check_violation', constraint = 'fiat_holds_stay';
  end if;
  return new;
end $$;
create trigger fiat_holds_checked before update on fiat_holds for each row execute function check_fiat_hold();

create view payment_of_fiat_holds as
select h.object_id as object_key, 'wallet_hold' as object_type, h.object_id, h.client_id, h.user_id, h.wallet_id,
  'wallet' as rail, 'hold' as kind, 'internal' as direction, h.currency, s.scale::smallint as scale,
  case when h.status in ('OPEN', 'PARTIALLY_CAPTURED') or h.captured = 0 then h.amount else h.captured end as amount,
  case when h.status in ('OPEN', 'PARTIALLY_CAPTURED') or h.captured = 0 then h.fee else h.fee_captured end as fee,
  0::numeric as refunded,
  case when h.status in ('OPEN', 'PARTIALLY_CAPTURED') then 'PENDING' when h.captured > 0 then 'SUCCEEDED'
    else 'CANCELLED' end as status,
  name_masked(u.username) as counterparty_name, null::text as counterparty_detail, h.object_id as our_reference,
  null::text as provider_reference, null::text as failure_code, null::text as failure_message, null::text as work_id,
  h.created_at, h.updated_at
from fiat_holds h join ledger.assets s on s.asset = h.currency join users u on u.user_id = h.to_user_id;

-- What its payee has taken so far.
create view payment_of_fiat_hold_captures as
select h.object_id as object_key, 'wallet_hold_capture' as object_type, h.object_id || ':in' as object_id, h.client_id,
  h.to_user_id as user_id, h.to_wallet_id as wallet_id, 'wallet' as rail, 'hold' as kind, 'internal' as direction,
  h.currency, s.scale::smallint as scale, h.captured as amount, 0::numeric as fee, 0::numeric as refunded,
  'SUCCEEDED' as status, name_masked(u.username) as counterparty_name, null::text as counterparty_detail,
  h.object_id as our_reference, null::text as provider_reference, null::text as failure_code,
  null::text as failure_message, null::text as work_id, h.created_at, h.updated_at
from fiat_holds h join ledger.assets s on s.asset = h.currency join users u on u.user_id = h.user_id
where h.captured > 0;
