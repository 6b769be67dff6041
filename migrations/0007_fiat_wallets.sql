-- A user's money in one currency. The balance itself is the ledger account's.
create table fiat_wallets (
  wallet_id  integer generated always as identity primary key,
  user_id    integer not null references users,
  currency   text not null check (currency in ('USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND')),
  account_id bigint not null unique,
  created_at timestamptz not null default now(),
  constraint fiat_wallets_once unique (user_id, currency)
);
