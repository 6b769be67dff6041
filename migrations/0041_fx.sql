-- Every conversion that moved money: at which rates, whose, and of when.
create table fx_conversions (
  conversion_id integer generated always as identity primary key,
  -- What it was for, as the feature names it in the ledger.
  reference   text not null constraint fx_conversions_once unique,
  user_id     integer not null references users,
  from_asset  text not null,
  from_units  numeric(38, 0) not null check (from_units > 0),
  usdc_units  numeric(38, 0) not null check (usdc_units > 0),
  to_asset    text not null,
  to_units    numeric(38, 0) not null check (to_units >= 0),
  -- USDC for one of the first, and what one USDC buys of the last.
  rate_in     text not null,
  rate_out    text not null,
  source      text not null,
  rates_at    timestamptz not null,
  created_at  timestamptz not null default service_now()
);
create index fx_conversions_of_user on fx_conversions (user_id, conversion_id);
