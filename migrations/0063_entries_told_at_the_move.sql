-- What an entry of a wallet costs (docs/decisions/0046): a transaction only notes which transfers it has posted, and what
-- they mean to wallets is worked out by whoever moves events, for many at once. Entries never change, so it is the same.
alter table events.outbox
  add column transfer_id bigint,
  alter column client_id drop not null,
  alter column type drop not null,
  alter column schema_version drop not null,
  alter column object_type drop not null,
  alter column object_id drop not null,
  alter column data drop not null,
  add constraint outbox_tells check (
    num_nonnulls(client_id, type, schema_version, object_type, object_id, data)
      = case when transfer_id is null then 6 else 0 end);

-- What an entry means to the wallet that it is of: as before, and in which order a transfer's entries are told. The version
-- before tells entries by it in its transactions.
create or replace view events.wallet_entries as
select e.transfer_id, u.client_id, w.user_id, w.wallet_id,
  case when e.amount > 0 then 'wallet.credited' when e.amount < 0 then 'wallet.debited'
    when e.held_delta > 0 then 'wallet.hold_placed' else 'wallet.hold_released' end as type,
  row_to_json(d) as data, e.account_id, e.seq
from ledger.entries e
join fiat_wallets w using (account_id)
join users u using (user_id)
join ledger.transfers t using (transfer_id)
-- 0.01 where there are two decimals. Once for each row: what is not folded into the rest of the query.
cross join lateral (
  select ('1e-' || a.scale)::numeric as unit from ledger.assets a where a.asset = w.currency offset 0) s
cross join lateral (
  select w.wallet_id, w.user_id, w.currency, (e.amount * s.unit)::text as amount, (e.held_delta * s.unit)::text as held,
    (e.posted_after * s.unit)::text as balance_after, (e.held_after * s.unit)::text as held_after, e.seq,
    t.operation_key as reference, t.kind as type) d;

-- An event without its place.
create type events.told as (
  client_id integer, user_id integer, type text, schema_version smallint, object_type text, object_id text, data json,
  at timestamptz, request_id text, idempotency_key text, actor text, operation text
);

-- Moves up to so many rows of what has committed, of those above a floor below which there is nothing.
-- `moved` is null while another session is at it, which may not have seen everything that we know of.
--
-- The order of the outbox is that of causes: a transaction gets its numbers last, so that one which saw
-- what another had done has larger ones, and cannot be seen here without that other.
--
-- A session keeps its plans, and may make them while tables are a few pages. The outbox grows to thousands before it is
-- vacuumed, of rows that others took, and entries to millions: all is to be found by its number, always.
create or replace function events.move(above bigint, most integer, out moved integer, out head bigint)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  ids bigint[];
  since timestamptz;
  told events.told[];
  numbers bigint[];
  base bigint;
  upto bigint;
  veil bigint;
  chance bigint;
  gone integer;
  now_minute timestamptz;
begin
  if not pg_try_advisory_xact_lock(7242008) then
    return;
  end if;
  with taken as materialized (
    select * from events.outbox where outbox_id > above order by outbox_id limit most
  ), parts as (
    select o.outbox_id, 0::bigint as account_id, 0::bigint as seq, row(o.client_id, o.user_id, o.type, o.schema_version,
      o.object_type, o.object_id, o.data, o.at, o.request_id, o.idempotency_key, o.actor, o.operation)::events.told as part
      from taken o where o.transfer_id is null
    union all
    select o.outbox_id, w.account_id, w.seq, row(w.client_id, w.user_id, w.type, 1, 'wallet', w.wallet_id::text, w.data,
      o.at, o.request_id, o.idempotency_key, o.actor, o.operation)::events.told
      from taken o cross join lateral (
        select * from events.wallet_entries e where e.transfer_id = o.transfer_id offset 0) w
      where o.transfer_id is not null
  )
  select (select count(*) from taken), (select array_agg(outbox_id) from taken), (select min(at) from taken),
    (select array_agg(part order by outbox_id, account_id, seq) from parts)
    into moved, ids, since, told;
  if moved = 0 then
    return;
  end if;
  update events.head h
     set position = h.position + coalesce(cardinality(told), 0),
       rest_until = clock_timestamp() + case when moved < most then interval '40 ms' else '0' end
  returning h.position, h.position - coalesce(cardinality(told), 0), h.veil into upto, base, veil;
  head := upto;
  delete from events.outbox where outbox_id = any(ids);
  get diagnostics gone = row_count;
  if gone <> moved then
    raise exception 'Others than events.move take events from the outbox';
  end if;
  -- Transfers between accounts of the house mean nothing to any wallet.
  if told is null then
    return;
  end if;
  if to_regclass('events.log_' || (upto + 100000) / 1000000) is null then
    perform events.provide(base + 1, upto + 100000);
  end if;
  chance := ('x' || substr(md5(gen_random_uuid()::text), 1, 16))::bit(64)::bigint;
  with counted as (
    insert into events.client_head as c (client_id, seq)
    select client_id, count(*) from unnest(told) group by client_id order by client_id
    on conflict (client_id) do update set seq = c.seq + excluded.seq
    returning c.client_id, c.seq
  )
  select array_agg(seq order by client_id) into numbers from counted;
  insert into events.log (position, event_id, client_id, seq, user_id, type, schema_version,
    object_type, object_id, data, at, request_id, idempotency_key, actor, operation)
  select base + p.nth, events.id_at(p.at, base + p.nth, hashint8extended(base + p.nth, chance), veil), p.client_id,
    numbers[dense_rank() over (order by p.client_id)]
      + 1 - row_number() over (partition by p.client_id order by p.nth desc),
    p.user_id, p.type, p.schema_version, p.object_type, p.object_id, p.data, p.at, p.request_id, p.idempotency_key,
    p.actor, p.operation
  from unnest(told) with ordinality as p (client_id, user_id, type, schema_version, object_type, object_id, data,
    at, request_id, idempotency_key, actor, operation, nth)
  order by p.nth;
  now_minute := date_trunc('minute', service_now());
  if not exists (select from events.minutes m where m.minute = now_minute and m.oldest <= since) then
    insert into events.minutes as m (minute, position, oldest) values (now_minute, base + 1, since)
    on conflict (minute) do update set oldest = least(m.oldest, excluded.oldest);
  end if;
  perform events.note_moved(base, upto);
  perform pg_notify('events', upto::text);
end $$;
