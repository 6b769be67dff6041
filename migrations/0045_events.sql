-- What has happened, for whoever wants to know (docs/decisions/0046). A transaction adds what it means to
-- the outbox, last of all; what has committed is moved on to the log, and only there gets its place.
create schema events;

-- Written by kernel/events/emit.ts, emptied by events.move.
create table events.outbox (
  outbox_id      bigint generated always as identity primary key,
  -- Whose it is; what belongs to no client is the operator's.
  client_id      integer not null,
  -- The one person it is about, who may read it, too.
  user_id        integer,
  type           text not null,
  schema_version smallint not null,
  object_type    text not null,
  object_id      text not null,
  -- Not jsonb: whoever reads it gets the same bytes.
  data           json not null,
  at             timestamptz not null,
  request_id     text,
  idempotency_key text,
  actor          text not null,
  operation      text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- The last position that was given, and the first that is kept.
create table events.head (
  one      boolean primary key default true check (one),
  position bigint not null default 0,
  oldest   bigint not null default 1
);
insert into events.head default values;

-- The last number of each client.
create table events.client_head (
  client_id integer primary key,
  seq       bigint not null
);

-- In the order of what led to what, without a gap: over all in position, and of each client in seq.
create table events.log (
  position       bigint primary key,
  event_id       uuid not null,
  client_id      integer not null,
  seq            bigint not null,
  user_id        integer,
  type           text not null,
  schema_version smallint not null,
  object_type    text not null,
  object_id      text not null,
  data           json not null,
  at             timestamptz not null,
  request_id     text,
  idempotency_key text,
  actor          text not null,
  operation      text
) partition by range (position);
create index log_of_client on events.log (client_id, seq);
create index log_of_client_in_order on events.log (client_id, position);
create index log_of_object on events.log (object_type, object_id, position);
create index log_of_user on events.log (user_id, position) where user_id is not null;
create index log_by_id on events.log (event_id);

-- Where each minute begins, so that a time leads to a position; and how old the oldest was that came in
-- it, since what waited for a move comes late.
create table events.minutes (
  minute   timestamptz primary key,
  position bigint not null,
  oldest   timestamptz not null
);

create function events.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'The log of events only grows';
end $$;
create trigger log_only_grows before update or delete or truncate on events.log
  for each statement execute function events.refuse_change();

-- Partitions of a million positions, made before they are needed. Attached, not created in place, so
-- that nobody who reads has to wait.
create function events.provide(first bigint, last bigint) returns void language plpgsql as $$
declare
  size constant bigint := 1000000;
begin
  for part in first / size .. last / size loop
    if to_regclass('events.log_' || part) is null then
      execute format('create table events.log_%s (like events.log including all)', part);
      execute format('alter table events.log attach partition events.log_%s for values from (%s) to (%s)',
        part, part * size, (part + 1) * size);
    end if;
  end loop;
end $$;
select events.provide(0, 0);

-- UUIDv7 of a moment: in the order of time, and not to be guessed.
create function events.new_id(at timestamptz) returns uuid language sql volatile
return (
  substr(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 1, 8) || '-' ||
  substr(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 9, 4) || '-7' ||
  substr(gen_random_uuid()::text, 16))::uuid;

-- Moves up to so many of what has committed, of those above a floor below which there is nothing.
-- `moved` is null while another session is at it, which may not have seen everything that we know of.
--
-- The order of the outbox is that of causes: a transaction gets its numbers last, so that one which saw
-- what another had done has larger ones, and cannot be seen here without that other.
create function events.move(above bigint, most integer, out moved integer, out head bigint)
language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7242008) then
    return;
  end if;
  moved := 0;
  if not exists (select from events.outbox where outbox_id > above) then
    return;
  end if;
  perform events.provide(h.position + 1, h.position + most + 100000) from events.head h;
  with taken as (
    delete from events.outbox where outbox_id = any (array(
      select o.outbox_id from events.outbox o where o.outbox_id > above order by o.outbox_id limit most))
    returning *
  ), total as (
    select count(*) as n, min(at) as oldest from taken
  ), given as (
    update events.head h set position = h.position + total.n from total where total.n > 0
    returning h.position - total.n as base
  ), counts as (
    select client_id, count(*) as n from taken group by client_id
  ), clients as (
    insert into events.client_head as c (client_id, seq)
    select client_id, n from counts order by client_id
    on conflict (client_id) do update set seq = c.seq + excluded.seq
    returning c.client_id, c.seq
  ), logged as (
    insert into events.log (position, event_id, client_id, seq, user_id, type, schema_version,
      object_type, object_id, data, at, request_id, idempotency_key, actor, operation)
    select given.base + row_number() over (order by t.outbox_id), events.new_id(t.at), t.client_id,
      clients.seq - counts.n + row_number() over (partition by t.client_id order by t.outbox_id),
      t.user_id, t.type, t.schema_version, t.object_type, t.object_id, t.data, t.at,
      t.request_id, t.idempotency_key, t.actor, t.operation
    from taken t cross join given join counts using (client_id) join clients using (client_id)
    order by t.outbox_id
  ), timed as (
    insert into events.minutes as m (minute, position, oldest)
    select date_trunc('minute', service_now()), given.base + 1, total.oldest from given cross join total
    on conflict (minute) do update set oldest = least(m.oldest, excluded.oldest)
  )
  select total.n, given.base + total.n into moved, head from total left join given on true;
  if moved > 0 then
    perform pg_notify('events', head::text);
  end if;
end $$;

-- Drops the partitions whose youngest event is older than that; answers how many. The one in use stays.
create function events.forget(before timestamptz) returns integer language plpgsql as $$
declare
  part record;
  youngest timestamptz;
  dropped integer := 0;
begin
  for part in
    select c.oid::regclass as name, substr(c.relname, 5)::bigint as number
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events.log'::regclass order by 2
  loop
    exit when (select h.position from events.head h) < (part.number + 1) * 1000000;
    execute format('select at from %s order by position desc limit 1', part.name) into youngest;
    exit when youngest >= before;
    execute format('drop table %s', part.name);
    update events.head set oldest = (part.number + 1) * 1000000;
    dropped := dropped + 1;
  end loop;
  delete from events.minutes where dropped > 0 and position < (select oldest from events.head);
  return dropped;
end $$;

-- What an entry of the ledger means to the wallet that it is of, for emit.ts: one statement tells of all
-- that a transaction has posted, whoever it did so for.
create view events.wallet_entries as
select e.transfer_id, u.client_id, w.user_id, w.wallet_id,
  case when e.amount > 0 then 'wallet.credited' when e.amount < 0 then 'wallet.debited'
    when e.held_delta > 0 then 'wallet.hold_placed' else 'wallet.hold_released' end as type,
  json_build_object(
    'wallet_id', w.wallet_id, 'user_id', w.user_id, 'currency', w.currency,
    'amount', round(e.amount / power(10::numeric, s.scale), s.scale)::text,
    'held', round(e.held_delta / power(10::numeric, s.scale), s.scale)::text,
    'balance_after', round(e.posted_after / power(10::numeric, s.scale), s.scale)::text,
    'held_after', round(e.held_after / power(10::numeric, s.scale), s.scale)::text,
    'seq', e.seq, 'reference', t.operation_key, 'type', t.kind) as data
from ledger.entries e
join fiat_wallets w using (account_id)
join users u using (user_id)
join ledger.assets s on s.asset = w.currency
join ledger.transfers t using (transfer_id);
