-- Conversions between two wallets of a user, each by one quote.
create table currency_conversions (
  serial         bigint generated always as identity primary key,
  conversion_id  uuid not null unique,
  -- As callers see it.
  object_id      text not null unique,
  operation      uuid not null unique,
  client_id      integer not null references clients,
  user_id        integer not null references users,
  quote_id       uuid not null unique references quotes (quote_id),
  from_wallet_id integer not null references fiat_wallets,
  to_wallet_id   integer not null references fiat_wallets,
  from_currency  text not null references ledger.assets,
  from_units     numeric(38, 0) not null check (from_units > 0),
  to_currency    text not null references ledger.assets,
  to_units       numeric(38, 0) not null check (to_units > 0),
  -- In the first currency, on top of what is sold.
  fee            numeric(38, 0) not null check (fee >= 0),
  status         text not null check (status in ('COMPLETED')),
  status_times   jsonb not null,
  failure        jsonb,
  version        integer not null default 1,
  created_at     timestamptz not null default service_now(),
  updated_at     timestamptz not null default service_now(),
  check (from_wallet_id <> to_wallet_id)
);
create index currency_conversions_of_user on currency_conversions (user_id, serial desc);
create index currency_conversions_of_client on currency_conversions (client_id, serial desc);

create view payment_of_currency_conversions as
select c.object_id as object_key, 'payment' as object_type, c.object_id, c.client_id, c.user_id,
  c.from_wallet_id as wallet_id, 'fx' as rail, 'conversion' as kind, 'internal' as direction,
  c.from_currency as currency, s.scale::smallint as scale, c.from_units as amount, c.fee, 0::numeric as refunded,
  'SUCCEEDED' as status, null::text as counterparty_name, null::text as counterparty_detail, c.object_id as our_reference,
  null::text as provider_reference, null::text as failure_code, null::text as failure_message, null::text as work_id,
  c.created_at, c.updated_at
from currency_conversions c join ledger.assets s on s.asset = c.from_currency;
