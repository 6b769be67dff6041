-- People ask others of the same client for money (docs/design/banking.md).

create table payment_requests (
  serial       bigint generated always as identity primary key,
  request_id   uuid not null unique,
  object_id    text not null unique,
  -- The request to the API that has made it: a repetition finds it.
  operation    text not null unique,
  client_id    integer not null references clients,
  -- Who asks, and the wallet that is to receive.
  user_id      integer not null references users,
  wallet_id    integer not null references fiat_wallets,
  currency     text not null references ledger.assets,
  amount       numeric(38, 0) not null check (amount > 0),
  note         text check (length(note) between 1 and 140),
  -- Who is asked: a person, or an address until its owner answers.
  named_as     text not null check (named_as in ('wallet', 'user', 'email', 'phone')),
  to_user_id   integer references users,
  to_address   text,
  -- The transfer that has paid it, written in the same transaction.
  transfer_id  uuid unique references wallet_transfers (transfer_id) deferrable initially deferred,
  expires_at   timestamptz not null,
  status       text not null check (status in ('OPEN', 'ACCEPTED', 'DECLINED', 'CANCELLED', 'EXPIRED')),
  status_times jsonb not null,
  failure      jsonb,
  version      integer not null default 1 check (version > 0),
  created_at   timestamptz not null default service_now(),
  updated_at   timestamptz not null default service_now(),
  check (object_id = object_id_of('req', request_id)),
  check (to_user_id <> user_id),
  check (to_user_id is not null or to_address is not null),
  check (status not in ('ACCEPTED', 'DECLINED') or to_user_id is not null),
  check ((status = 'ACCEPTED') = (transfer_id is not null))
);
create index payment_requests_of_asker on payment_requests (user_id, serial desc);
create index payment_requests_of_asked on payment_requests (to_user_id, serial desc) where to_user_id is not null;
create index payment_requests_to_address on payment_requests (to_address, serial desc) where to_user_id is null;
create index payment_requests_to_expire on payment_requests (expires_at) where status = 'OPEN';

-- What was answered stays so, and what was asked for is not changed.
create function check_payment_request() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' then
    raise exception 'request % has ended', old.object_id
      using errcode = 'check_violation', constraint = 'payment_requests_onward';
  end if;
  if (old.user_id, old.wallet_id, old.currency, old.amount, old.expires_at, coalesce(old.to_user_id, new.to_user_id))
    is distinct from (new.user_id, new.wallet_id, new.currency, new.amount, new.expires_at, new.to_user_id)
  then
    raise exception 'request % stays what was asked for', old.object_id
      using errcode = 'check_violation', constraint = 'payment_requests_stay';
  end if;
  return new;
end $$;
create trigger payment_requests_checked before update on payment_requests
  for each row execute function check_payment_request();
