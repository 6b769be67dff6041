-- Money out of wallets to banks (docs/design/banking.md, 90).
create table withdrawals (
  serial             bigint generated always as identity primary key,
  withdrawal_id      uuid not null unique,
  -- Its id in answers, by which the providers know it too.
  our_reference      text not null unique check (our_reference ~ '^wdr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- Of the request, which may be repeated.
  operation          uuid not null unique,
  client_id          integer not null references clients,
  user_id            integer not null references users,
  wallet_id          integer not null references fiat_wallets,
  account_id         bigint not null,
  recipient_id       uuid not null references recipients (recipient_id),
  -- The account of the moment of the request: what the bank is asked for never changes.
  fingerprint        bytea not null,
  sealed_payee       text not null,
  payee_name         text not null,
  payee_detail       text not null,
  rail               text not null check (rail in ('gateway', 'bank-host')),
  currency           text not null references ledger.assets,
  amount             numeric(38, 0) not null check (amount > 0),
  fee                numeric(38, 0) not null check (fee >= 0),
  fee_terms          jsonb,
  note               text check (length(note) between 1 and 140),
  execute_at         timestamptz,
  -- By a policy, or since the account was changed.
  held_until         timestamptz,
  due_at             timestamptz not null,
  status             text not null check (status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED',
    'CANCELLED', 'RETURNED')),
  status_times       jsonb not null,
  failure            jsonb,
  returned           jsonb,
  provider_reference text,
  version            integer not null default 1 check (version > 0),
  created_at         timestamptz not null default service_now(),
  updated_at         timestamptz not null default service_now(),
  check ((status = 'RETURNED') = (returned is not null)),
  check (status <> 'FAILED' or failure is not null)
) with (fillfactor = 90);
create index withdrawals_of_wallet on withdrawals (wallet_id, serial desc);
create index withdrawals_due on withdrawals (due_at) where status = 'PENDING';
create index withdrawals_to_recipient on withdrawals (recipient_id)
  where status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING');
create index withdrawals_by_provider_reference on withdrawals (provider_reference) where provider_reference is not null;

-- Onward only, and what was asked for stays.
create function check_withdrawal() returns trigger language plpgsql as $$
begin
  if (old.amount, old.fee, old.currency, old.account_id, old.sealed_payee, old.our_reference)
    is distinct from (new.amount, new.fee, new.currency, new.account_id, new.sealed_payee, new.our_reference)
  then
    raise exception 'withdrawal % stays as it was asked for', old.our_reference
      using errcode = 'check_violation', constraint = 'withdrawals_stay';
  end if;
  if old.status <> new.status and (old.status || '>' || new.status) not in ('PENDING_APPROVAL>PENDING',
    'PENDING_APPROVAL>CANCELLED', 'PENDING>PROCESSING', 'PENDING>CANCELLED', 'PENDING>FAILED', 'PROCESSING>COMPLETED',
    'PROCESSING>FAILED', 'COMPLETED>RETURNED')
  then
    raise exception 'withdrawal % does not go from % to %', old.our_reference, old.status, new.status
      using errcode = 'check_violation', constraint = 'withdrawals_onward';
  end if;
  return new;
end $$;
create trigger withdrawals_checked before update on withdrawals for each row execute function check_withdrawal();

create view payment_of_withdrawals as
select w.our_reference as object_key, w.provider_reference as bank_reference, 'payout' as object_type,
  w.our_reference as object_id, w.client_id, w.user_id, w.wallet_id, 'withdrawal' as rail, 'withdrawal' as kind,
  'out' as direction, w.currency, a.scale::smallint as scale, w.amount, w.fee,
  case w.status when 'RETURNED' then w.amount else 0 end as refunded,
  case w.status
    when 'COMPLETED' then 'SUCCEEDED'
    when 'PENDING_APPROVAL' then 'PENDING'
    when 'PROCESSING' then 'PENDING'
    else w.status
  end as status,
  w.payee_name as counterparty_name, w.payee_detail as counterparty_detail, w.our_reference,
  w.provider_reference, coalesce(w.failure ->> 'code', w.returned ->> 'reason_code') as failure_code,
  w.failure ->> 'message' as failure_message, w.our_reference as work_id, w.created_at, w.updated_at
from withdrawals w join ledger.assets a on a.asset = w.currency;
