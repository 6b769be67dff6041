-- Prices that hold for a time and are used once, by whatever moves money, and what the platform may owe by them
-- (docs/design/fx.md).

create table quotes (
  serial        bigint generated always as identity primary key,
  quote_id      uuid not null unique,
  kind          text not null default 'fx' check (kind in ('fx')),
  client_id     integer not null references clients,
  user_id       integer not null references users,
  -- Which of the two amounts was asked for; the other one was worked out.
  fixed_side    text not null check (fixed_side in ('from', 'to')),
  from_currency text not null references ledger.assets,
  -- Sums of open quotes are counted in 64 bits.
  from_units    numeric(38, 0) not null check (from_units between 1 and 100000000000000000),
  usdc_units    numeric(38, 0) not null check (usdc_units > 0),
  to_currency   text not null references ledger.assets,
  to_units      numeric(38, 0) not null check (to_units between 1 and 100000000000000000),
  -- USDC for one of the first, and what one USDC buys of the last, at the middle of the market.
  rate_in       text not null,
  rate_out      text not null,
  spread_bps    integer not null check (spread_bps between 0 and 1000),
  valid_for     text not null check (valid_for in ('30s', '5m', '1h', '24h')),
  source        text not null,
  rates_at      timestamptz not null,
  route         text not null,
  -- What rounding leaves to the platform, in the currency whose amount was rounded.
  residue       text not null,
  -- What a conversion by it is charged beside: [{rail, currency, units}].
  fees          jsonb not null default '[]' check (jsonb_typeof(fees) = 'array'),
  status        text not null default 'OPEN' check (status in ('OPEN', 'USED', 'EXPIRED', 'CANCELLED')),
  -- The id of the one thing that was made by it.
  used_by       text check (length(used_by) between 1 and 100),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now(),
  expires_at    timestamptz not null,
  check (from_currency <> to_currency),
  check ((status = 'USED') = (used_by is not null)),
  check (expires_at > created_at)
);
create index quotes_of_user on quotes (user_id, serial desc);
create index quotes_of_user_by_status on quotes (user_id, status, serial desc);
create index quotes_open_of_user on quotes (user_id, expires_at) where status = 'OPEN';
create index quotes_to_expire on quotes (expires_at) where status = 'OPEN';

-- What was promised stays as it was promised, and what was used or has ended stays so.
create function check_quote() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' then
    raise exception 'quote % does not go back', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_onward';
  end if;
  if (old.user_id, old.client_id, old.kind, old.fixed_side, old.from_currency, old.from_units, old.to_currency, old.to_units,
      old.expires_at, old.fees)
    is distinct from (new.user_id, new.client_id, new.kind, new.fixed_side, new.from_currency, new.from_units,
      new.to_currency, new.to_units, new.expires_at, new.fees)
  then
    raise exception 'quote % stays as it was promised', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_stay';
  end if;
  return new;
end $$;
create trigger quotes_checked before update on quotes for each row execute function check_quote();

-- How much of each currency open quotes would bring in and pay out.
create function tally_quote() returns trigger language plpgsql as $$
declare
  sign integer := 0;
begin
  if tg_op = 'INSERT' and new.status = 'OPEN' then sign := 1; end if;
  if tg_op = 'UPDATE' and old.status = 'OPEN' and new.status <> 'OPEN' then sign := -1; end if;
  if sign <> 0 then
    perform tally('open quotes', 'in ' || new.from_currency, sign * new.from_units::bigint);
    perform tally('open quotes', 'out ' || new.to_currency, sign * new.to_units::bigint);
  end if;
  return null;
end $$;
create trigger quotes_tallied after insert or update of status on quotes for each row execute function tally_quote();

-- A conversion by a quote names it.
alter table fx_conversions add column quote_id uuid references quotes (quote_id);
create unique index fx_conversions_by_quote on fx_conversions (quote_id) where quote_id is not null;

-- What is taken off the middle of the market, for each time that a price holds. Of a client's row and the operator's
-- the higher one counts.
create table fx_spreads (
  fx_spread_id  bigint generated always as identity primary key,
  -- Nothing of the operator's rows.
  client_id     integer references clients,
  -- Both empty for every pair that has no row of its own.
  from_currency text not null default '',
  to_currency   text not null default '',
  valid_for     text not null check (valid_for in ('30s', '5m', '1h', '24h')),
  bps           integer not null check (bps between 0 and 1000),
  check ((from_currency = '') = (to_currency = '')),
  check (from_currency = '' or from_currency <> to_currency),
  unique nulls not distinct (client_id, from_currency, to_currency, valid_for)
);
create table fx_spread_versions (
  fx_spread_version_id bigint generated always as identity primary key,
  client_id  integer references clients,
  version    integer not null check (version > 0),
  edited_by  integer references users,
  updated_at timestamptz not null default service_now(),
  unique nulls not distinct (client_id)
);
insert into fx_spreads (valid_for, bps) values ('30s', 50), ('5m', 60), ('1h', 100), ('24h', 200);
insert into fx_spread_versions (version) values (1);

-- How much of a currency the platform may have bought or sold, open quotes counted. Who makes a quote locks its rows, so
-- that quotes at once do not pass them together.
create table fx_limits (
  currency     text primary key references ledger.assets,
  -- In cents of a US dollar, at the middle of the market.
  max_open_usd numeric(38, 0) not null check (max_open_usd between 0 and 1000000000000)
);
insert into fx_limits (currency, max_open_usd)
  select asset, 100000000 from ledger.assets where asset in ('USD', 'SGD', 'AUD', 'INR', 'IDR', 'VND', 'USDC');
create table fx_limit_versions (
  is_current boolean primary key default true check (is_current),
  version    integer not null check (version > 0),
  edited_by  integer references users,
  updated_at timestamptz not null default service_now()
);
insert into fx_limit_versions (version) values (1);
