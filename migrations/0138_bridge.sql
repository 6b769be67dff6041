-- The bridge: one call moves USDC from a chain to a person on another one (docs/design/cross-chain.md, 113).

create table bridge_routes (
  route_id    text primary key check (route_id = from_chain || '-' || to_chain),
  from_chain  text not null references chains,
  to_chain    text not null references chains,
  -- Takes nothing new while it is stopped; what is under way goes on, since it is owed.
  is_stopped  boolean not null default false,
  stop_reason text check (length(stop_reason) between 1 and 500),
  -- Units that may be begun on a UTC day, of all users.
  daily_cap   numeric(38, 0) not null check (daily_cap >= 0),
  version     integer not null default 1 check (version > 0),
  updated_at  timestamptz not null default service_now(),
  check (from_chain <> to_chain),
  check (is_stopped = (stop_reason is not null))
);
create table bridge_modes (
  route_id  text not null references bridge_routes,
  mode      text not null check (mode in ('fast', 'standard')),
  -- In basis points, and at least so many units.
  fee_bps   integer not null check (fee_bps between 0 and 1000),
  fee_least numeric(38, 0) not null check (fee_least >= 0),
  least     numeric(38, 0) not null check (least > 0),
  most      numeric(38, 0) not null check (most >= least),
  primary key (route_id, mode)
);
create table bridge_route_days (
  route_id text not null references bridge_routes,
  day      date not null,
  units    numeric(38, 0) not null check (units >= 0),
  primary key (route_id, day)
);
insert into bridge_routes (route_id, from_chain, to_chain, daily_cap)
select f || '-' || t, f, t, 1000000000000
from unnest(array['sepolia', 'amoy', 'neon']) f, unnest(array['sepolia', 'amoy', 'neon']) t where f <> t;
insert into bridge_modes (route_id, mode, fee_bps, fee_least, least, most)
select route_id, 'standard', 10, 100000, 1000000, 10000000000 from bridge_routes;

-- A transfer between two EVM chains may be the leg of a bridge transfer, to an address of the platform: its owner then
-- sees the bridge transfer, and it stands in none of the lists of transfers.
alter table crosschain_transfers
  add column bridge_transfer text unique check (bridge_transfer ~ '^brt_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  drop constraint crosschain_transfers_units_check,
  add constraint crosschain_transfers_units_check
    check (units between case when bridge_transfer is null then 1000000 else 1 end and 10000000000),
  alter column ordinal drop not null,
  alter column movement drop not null,
  add constraint crosschain_transfers_listed
    check ((ordinal is null) = (bridge_transfer is not null) and (movement is null) = (bridge_transfer is not null));
drop trigger crosschain_transfers_numbered on crosschain_transfers;
drop trigger crosschain_transfers_counted on crosschain_transfers;
drop trigger crosschain_transfers_counted_as_movement on crosschain_transfers;
create trigger crosschain_transfers_numbered before insert on crosschain_transfers
  for each row when (new.bridge_transfer is null)
  execute function number_in_lists('crosschain', 'ordinal', 'movements', 'movement');
create trigger crosschain_transfers_counted
  after insert or update of from_chain, to_chain, status on crosschain_transfers
  for each row when (new.bridge_transfer is null)
  execute function count_in_list('crosschain', 'from_chain', 'to_chain', 'status');
create trigger crosschain_transfers_uncounted after delete on crosschain_transfers
  for each row when (old.bridge_transfer is null)
  execute function count_in_list('crosschain', 'from_chain', 'to_chain', 'status');
create trigger crosschain_transfers_counted_as_movement
  after insert or update of status on crosschain_transfers
  for each row when (new.bridge_transfer is null) execute function count_in_list('movements', 'status');
create trigger crosschain_transfers_uncounted_as_movement after delete on crosschain_transfers
  for each row when (old.bridge_transfer is null) execute function count_in_list('movements', 'status');

create or replace view payment_of_crosschain_transfers as
select t.log_id as object_key, t.burn_tx_hash, t.mint_tx_hash, 'crosschain_transfer' as object_type, t.log_id::text as object_id,
  t.client_id, t.user_id, null::integer as wallet_id, 'crosschain' as rail, 'transfer' as kind, 'out' as direction,
  t.token as currency, coalesce(a.scale, 6)::smallint as scale, t.units as amount, t.platform_fee as fee,
  0::numeric as refunded,
  case t.status when 'MINTED' then 'SUCCEEDED' when 'FAILED' then 'FAILED' else 'PENDING' end as status,
  null::text as counterparty_name, t.to_chain || ' ' || payment_masked(t.recipient_address) as counterparty_detail,
  t.log_id::text as our_reference, coalesce(t.mint_tx_hash, t.burn_tx_hash) as provider_reference,
  case t.status when 'FAILED' then 'NOT_BURNT' end as failure_code, null::text as failure_message, t.log_id::text as work_id,
  t.created_at, t.updated_at
from crosschain_transfers t left join ledger.assets a on a.asset = t.token
where t.bridge_transfer is null;

-- Quotes of the bridge: the same currency on both sides, and where it goes.
alter table quotes drop constraint quotes_kind_check, add constraint quotes_kind_check check (kind in ('fx', 'bridge'));
alter table quotes drop constraint quotes_valid_for_check,
  add constraint quotes_valid_for_check check (valid_for in ('30s', '60s', '5m', '1h', '24h'));
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'quotes'::regclass and contype = 'c'
    and (pg_get_constraintdef(oid) like '%from_currency <> to_currency%'
      or pg_get_constraintdef(oid) = $c$CHECK (((status <> 'OPEN'::text) OR is_promised))$c$)
  loop
    execute format('alter table quotes drop constraint %I', name);
  end loop;
end $$;
alter table quotes
  add column bridge jsonb,
  add constraint quotes_two_currencies check ((kind = 'bridge') = (from_currency = to_currency)),
  -- What goes over a bridge changes no position.
  add constraint quotes_promised check (case kind when 'bridge' then not is_promised else status <> 'OPEN' or is_promised end),
  add constraint quotes_over_bridge check ((kind = 'bridge') = (bridge is not null));

create or replace function check_quote() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' and (new.status, new.used_by) is distinct from (old.status, old.used_by)
    or new.is_promised and not old.is_promised
  then
    raise exception 'quote % does not go back', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_onward';
  end if;
  if (old.user_id, old.client_id, old.kind, old.fixed_side, old.from_currency, old.from_units, old.to_currency, old.to_units,
      old.expires_at, old.fees, old.reverses, old.bridge)
    is distinct from (new.user_id, new.client_id, new.kind, new.fixed_side, new.from_currency, new.from_units,
      new.to_currency, new.to_units, new.expires_at, new.fees, new.reverses, new.bridge)
  then
    raise exception 'quote % stays as it was promised', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_stay';
  end if;
  return new;
end $$;

create table bridge_transfers (
  serial            bigint generated always as identity primary key,
  bridge_transfer_id uuid not null unique,
  object_id         text not null unique check (object_id ~ '^brt_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- Of the request, which may be repeated.
  operation         uuid not null unique,
  client_id         integer not null references clients,
  user_id           integer not null references users,
  quote_id          uuid not null unique references quotes (quote_id),
  route_id          text not null references bridge_routes,
  mode              text not null,
  -- Of the route's limit.
  limit_day         date not null,
  from_chain        text not null references chains,
  to_chain          text not null references chains,
  source_address    text not null,
  recipient_address text not null,
  -- Units of USDC: of `amount` the two fees are taken, and the rest arrives.
  amount            numeric(38, 0) not null check (amount > 0),
  platform_fee      numeric(38, 0) not null check (platform_fee >= 0),
  network_fee       numeric(38, 0) not null check (network_fee >= 0),
  -- The transfer between the two chains that carries it.
  leg_id            uuid not null unique references crosschain_transfers (log_id),
  is_burn_final     boolean not null default false,
  is_minted         boolean not null default false,
  send_attempt      integer not null default 1 check (send_attempt > 0),
  -- Where it stood when it was called stalled.
  stalled_in        text check (stalled_in in ('BURNED', 'ATTESTED', 'MINTING', 'SENDING')),
  advance_reason    text check (length(advance_reason) between 1 and 500),
  advance_by        integer references users,
  advanced_by       integer references users,
  advance_attempt   integer not null default 1 check (advance_attempt > 0),
  status            text not null check (status in ('AWAITING_FUNDS', 'BURNING', 'BURNED', 'ATTESTED', 'MINTING', 'SENDING',
    'COMPLETED', 'STALLED', 'ADVANCED', 'FAILED', 'CANCELLED')),
  status_times      jsonb not null,
  failure           jsonb,
  version           integer not null default 1 check (version > 0),
  created_at        timestamptz not null default service_now(),
  updated_at        timestamptz not null default service_now(),
  completed_at      timestamptz,
  check (amount > platform_fee + network_fee),
  check ((status = 'COMPLETED') = (completed_at is not null)),
  check ((status = 'FAILED') = (failure is not null)),
  check ((status = 'STALLED') <= (stalled_in is not null)),
  check ((advance_by is null) = (advance_reason is null)),
  -- Two people, and only where the burn is final and nothing was sent to the recipient.
  check ((status = 'ADVANCED') = (advanced_by is not null)),
  check (advanced_by is null or advance_by is not null and advance_by <> advanced_by
    and is_burn_final and stalled_in <> 'SENDING')
) with (fillfactor = 80);
create index bridge_transfers_of_user on bridge_transfers (user_id, serial desc);
create index bridge_transfers_of_client on bridge_transfers (client_id, serial desc);
create index bridge_transfers_measured on bridge_transfers (route_id, mode, completed_at desc) where completed_at is not null;
create index bridge_transfers_by_status on bridge_transfers (status, created_at);
create index bridge_transfers_stalled on bridge_transfers (route_id) where status = 'STALLED';

-- What was done on each chain, in order.
create table bridge_steps (
  bridge_transfer_id uuid not null references bridge_transfers (bridge_transfer_id),
  name          text not null check (name in ('burn', 'attest', 'mint', 'send', 'advance')),
  chain         text not null,
  hash          text,
  block         bigint,
  confirmations integer not null default 0 check (confirmations >= 0),
  state         text not null check (state in ('PENDING', 'DONE', 'FAILED')),
  at            timestamptz not null default service_now(),
  primary key (bridge_transfer_id, name)
);

-- Terms stay, and a transfer goes only where the design says: what was burnt ends as COMPLETED or as ADVANCED, never both.
create function check_bridge_transfer() returns trigger language plpgsql as $$
begin
  if (old.user_id, old.client_id, old.quote_id, old.route_id, old.amount, old.platform_fee, old.network_fee, old.leg_id,
      old.source_address, old.recipient_address)
    is distinct from (new.user_id, new.client_id, new.quote_id, new.route_id, new.amount, new.platform_fee, new.network_fee,
      new.leg_id, new.source_address, new.recipient_address)
  then
    raise exception 'bridge transfer % stays as it was asked for', old.object_id
      using errcode = 'check_violation', constraint = 'bridge_transfers_stay';
  end if;
  if old.status <> new.status and (old.status || '>' || new.status) not in (
    'AWAITING_FUNDS>BURNING', 'AWAITING_FUNDS>BURNED', 'AWAITING_FUNDS>CANCELLED',
    'BURNING>BURNED', 'BURNING>FAILED',
    'BURNED>BURNING', 'BURNED>ATTESTED', 'BURNED>STALLED', 'ATTESTED>MINTING', 'ATTESTED>STALLED',
    'MINTING>SENDING', 'MINTING>STALLED', 'SENDING>COMPLETED', 'SENDING>STALLED',
    'STALLED>BURNING', 'STALLED>ATTESTED', 'STALLED>MINTING', 'STALLED>SENDING', 'STALLED>COMPLETED', 'STALLED>ADVANCED')
  then
    raise exception 'bridge transfer % does not go from % to %', old.object_id, old.status, new.status
      using errcode = 'check_violation', constraint = 'bridge_transfers_onward';
  end if;
  return new;
end $$;
create trigger bridge_transfers_checked before update on bridge_transfers
  for each row execute function check_bridge_transfer();

-- How many are in each status.
create function tally_bridge_transfer() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = new.status then return null; end if;
  if tg_op = 'UPDATE' then perform tally('bridge transfers', old.status, -1); end if;
  perform tally('bridge transfers', new.status, 1);
  return null;
end $$;
create trigger bridge_transfers_tallied after insert or update of status on bridge_transfers
  for each row execute function tally_bridge_transfer();

create view payment_of_bridge_transfers as
select t.object_id as object_key, b.hash as burn_hash, s.hash as send_hash, 'bridge_transfer' as object_type, t.object_id,
  t.client_id, t.user_id, null::integer as wallet_id, 'bridge' as rail, 'transfer' as kind, 'out' as direction,
  'USDC' as currency, 6::smallint as scale, t.amount, t.platform_fee + t.network_fee as fee,
  case t.status when 'ADVANCED' then t.amount - t.platform_fee - t.network_fee else 0 end as refunded,
  case t.status
    when 'COMPLETED' then 'SUCCEEDED'
    when 'ADVANCED' then 'RETURNED'
    when 'FAILED' then 'FAILED'
    when 'CANCELLED' then 'CANCELLED'
    else 'PENDING'
  end as status,
  null::text as counterparty_name, t.to_chain || ' ' || payment_masked(t.recipient_address) as counterparty_detail,
  t.object_id as our_reference, coalesce(s.hash, b.hash) as provider_reference,
  t.failure ->> 'code' as failure_code, t.failure ->> 'message' as failure_message, t.object_id as work_id,
  t.created_at, t.updated_at
from bridge_transfers t
left join bridge_steps b on b.bridge_transfer_id = t.bridge_transfer_id and b.name = 'burn'
left join bridge_steps s on s.bridge_transfer_id = t.bridge_transfer_id and s.name = 'send';
create index bridge_steps_by_hash on bridge_steps (hash, name);
