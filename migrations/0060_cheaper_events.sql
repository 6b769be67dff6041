-- What an event costs (docs/decisions/0046): fewer and narrower indexes of the log, fewer and cheaper passes.

-- An event's id says at which position it is, so that it is found without an index of its own. `veil` hides the
-- positions in ids, which would tell every client how much happens at all others. And until when all who move events
-- wait for more of them.
alter table events.head
  add column veil bigint not null default ('x' || substr(md5(gen_random_uuid()::text), 1, 16))::bit(64)::bigint,
  add column rest_until timestamptz not null default '-infinity';

-- Where those are whose ids say nothing; they are forgotten with their partitions.
create table events.earlier_ids (
  event_id uuid primary key,
  position bigint not null
);
insert into events.earlier_ids (event_id, position) select event_id, position from events.log;

-- Of an object, in eight bytes: two may share it, so whoever asks compares the object as well.
create function events.object_key(object_type text, object_id text) returns bigint
language sql immutable parallel safe
return hashtextextended(object_id, hashtext(object_type));
create index log_of_object_key on events.log (events.object_key(object_type, object_id), position);

-- Beside the version before the indexes that only it uses are missed: for as long as both run it reads through the
-- rows of the client, of the person or of all for an event by its id, the events of an object and a place by its number,
-- within the time that a statement may take. Who moves events, and who follows them, uses none of these.
drop index events.log_of_object;
drop index events.log_by_id;
drop index events.log_of_client;

-- UUID of version 8: the moment in 48 bits, the position in 44, veiled by a hash of what is left to chance, 30 bits.
create function events.id_at(at timestamptz, place bigint, chance bigint, veil bigint) returns uuid
language sql stable parallel safe
return encode(
  int8send(((date_part('epoch', at) * 1000000)::bigint / 1000 << 16) | 32768 | (chance & 4095)) ||
  int8send((1::bigint << 63) | ((chance >> 12) & 262143)
    | ((place # (hashint8extended(chance & 1073741823, veil) & 17592186044415)) << 18)), 'hex')::uuid;

-- The position of the event of that id, if there is one.
create function events.position_of_id(id uuid) returns bigint language plpgsql stable parallel safe as $$
declare
  digits constant text := replace(id::text, '-', '');
  rest constant bigint := ('x' || substr(digits, 17))::bit(64)::bigint;
  chance constant bigint := ((rest & 262143) << 12) | ('x' || substr(digits, 14, 3))::bit(12)::bigint;
begin
  if substr(digits, 13, 1) <> '8' then
    return (select e.position from events.earlier_ids e where e.event_id = id);
  end if;
  return (select ((rest >> 18) & 17592186044415) # (hashint8extended(chance, h.veil) & 17592186044415)
            from events.head h);
end $$;

-- The position of a client's event by its number, or of the last one before it; 0 where there is none. Numbers and
-- positions rise together, so it is searched for: from how far apart two are it follows how far apart the others
-- are at least, and what is between is halved, or divided as the numbers are.
create function events.position_of(whose integer, number bigint) returns bigint language plpgsql stable parallel safe as $$
declare
  low record;
  high record;
  found record;
  guess bigint;
  turn integer := 0;
begin
  select l.position, l.seq into low from events.log l where l.client_id = whose order by l.position limit 1;
  select l.position, l.seq into high from events.log l where l.client_id = whose order by l.position desc limit 1;
  if low.seq is null or low.seq > number then
    return 0;
  elsif high.seq <= number then
    return high.position;
  end if;
  while low.seq < number and low.position < high.position - 1 loop
    guess := case when turn % 2 = 0
      then low.position
        + ((high.position - low.position)::float8 * (number - low.seq) / (high.seq - low.seq))::bigint
      else (low.position + high.position) / 2 end;
    guess := least(greatest(guess, low.position + number - low.seq), high.position - 1);
    select l.position, l.seq into found from events.log l
     where l.client_id = whose and l.position >= guess order by l.position limit 1;
    if found.seq <= number then
      low := found;
    else
      high.position := guess;
      high.seq := found.seq;
    end if;
    turn := turn + 1;
  end loop;
  return low.position;
end $$;

-- Moves up to so many of what has committed, of those above a floor below which there is nothing.
-- `moved` is null while another session is at it, which may not have seen everything that we know of.
--
-- The order of the outbox is that of causes: a transaction gets its numbers last, so that one which saw
-- what another had done has larger ones, and cannot be seen here without that other.
--
-- A session keeps its plans, and may make them while the outbox is a few pages. It grows to thousands before it is
-- vacuumed, of rows that others took, so that rows are to be found by their numbers always.
create or replace function events.move(above bigint, most integer, out moved integer, out head bigint)
language plpgsql set enable_seqscan = off as $$
declare
  ids bigint[];
  clients integer[];
  since timestamptz;
  base bigint;
  veil bigint;
  chance bigint;
  gone integer;
  now_minute timestamptz;
begin
  if not pg_try_advisory_xact_lock(7242008) then
    return;
  end if;
  select count(*), array_agg(o.outbox_id), array_agg(o.client_id), min(o.at) into moved, ids, clients, since
    from (select outbox_id, client_id, at from events.outbox where outbox_id > above
           order by outbox_id limit most) o;
  if moved = 0 then
    return;
  end if;
  update events.head h
     set position = h.position + moved,
       rest_until = clock_timestamp() + case when moved < most then interval '40 ms' else '0' end
  returning h.position, h.position - moved, h.veil into head, base, veil;
  if to_regclass('events.log_' || (head + 100000) / 1000000) is null then
    perform events.provide(base + 1, head + 100000);
  end if;
  chance := ('x' || substr(md5(gen_random_uuid()::text), 1, 16))::bit(64)::bigint;
  with numbers as (
    insert into events.client_head as c (client_id, seq)
    select client_id, count(*) from unnest(clients) as client_id group by client_id order by client_id
    on conflict (client_id) do update set seq = c.seq + excluded.seq
    returning c.client_id, c.seq
  ), placed as (
    select p.outbox_id, base + p.nth as position, p.client_id,
      row_number() over (partition by p.client_id order by p.nth desc) as from_last
      from unnest(ids, clients) with ordinality as p (outbox_id, client_id, nth)
  )
  insert into events.log (position, event_id, client_id, seq, user_id, type, schema_version,
    object_type, object_id, data, at, request_id, idempotency_key, actor, operation)
  select p.position, events.id_at(o.at, p.position, hashint8extended(p.position, chance), veil),
    p.client_id, numbers.seq + 1 - p.from_last, o.user_id, o.type, o.schema_version, o.object_type,
    o.object_id, o.data, o.at, o.request_id, o.idempotency_key, o.actor, o.operation
  from placed p join numbers using (client_id)
    cross join lateral (select * from events.outbox where outbox_id = p.outbox_id limit 1) o;
  delete from events.outbox where outbox_id = any(ids);
  get diagnostics gone = row_count;
  if gone <> moved then
    raise exception 'Others than events.move take events from the outbox';
  end if;
  now_minute := date_trunc('minute', service_now());
  if not exists (select from events.minutes m where m.minute = now_minute and m.oldest <= since) then
    insert into events.minutes as m (minute, position, oldest) values (now_minute, base + 1, since)
    on conflict (minute) do update set oldest = least(m.oldest, excluded.oldest);
  end if;
  perform events.note_moved(base, head);
  perform pg_notify('events', head::text);
end $$;

-- For how many milliseconds nobody is to move again: each pass waits for the disk, and may as well take along what comes
-- meanwhile, unless it has left something. More than it can be is a clock that was set back.
create function events.rest_left() returns integer language sql volatile
return coalesce((
  select ms from (
    select ceil(date_part('epoch', h.rest_until - clock_timestamp()) * 1000)::integer as ms
      from events.head h where h.rest_until > clock_timestamp() and h.rest_until < clock_timestamp() + interval '1 minute'
  ) r where ms <= 40), 0);

-- Moves as events.move does, unless another process has only just done so. `moved` is null then, and while one is at it;
-- `rest` says how many milliseconds to wait.
create function events.move_in_turn(above bigint, most integer, out moved integer, out rest integer)
language plpgsql as $$
begin
  rest := events.rest_left();
  if rest > 0 then
    return;
  end if;
  moved := (select m.moved from events.move(above, most) m);
  rest := case when moved is null then 10 else events.rest_left() end;
end $$;

-- What a trigger has done so far, which kept a copy of every row for it (see migration 0056).
drop trigger log_noted on events.log;
drop function events.note_moved();
create function events.note_moved(after bigint, upto bigint) returns void language plpgsql as $$
begin
  if exists (select from read_fence where place = 0) then
    perform note_changed(array(
      select 'all:' || client_id from events.log where position > after and position <= upto
      union select case when user_id is null then 'client:' || client_id else 'user:' || user_id end
        from events.log where position > after and position <= upto));
  end if;
end $$;

-- Harmless beside the version before: only events.move has used it, which is the one above for all.
drop function events.new_id(timestamptz);

-- Drops the partitions whose youngest event is older than that; answers how many. The one in use stays.
create or replace function events.forget(before timestamptz) returns integer language plpgsql as $$
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
  delete from events.earlier_ids where dropped > 0 and position < (select oldest from events.head);
  return dropped;
end $$;

-- What an entry of the ledger means to the wallet that it is of: as before, its amounts by a multiplication instead of
-- a power, a division and a rounding each.
create or replace view events.wallet_entries as
select e.transfer_id, u.client_id, w.user_id, w.wallet_id,
  case when e.amount > 0 then 'wallet.credited' when e.amount < 0 then 'wallet.debited'
    when e.held_delta > 0 then 'wallet.hold_placed' else 'wallet.hold_released' end as type,
  json_build_object(
    'wallet_id', w.wallet_id, 'user_id', w.user_id, 'currency', w.currency,
    'amount', (e.amount * s.unit)::text, 'held', (e.held_delta * s.unit)::text,
    'balance_after', (e.posted_after * s.unit)::text, 'held_after', (e.held_after * s.unit)::text,
    'seq', e.seq, 'reference', t.operation_key, 'type', t.kind) as data
from ledger.entries e
join fiat_wallets w using (account_id)
join users u using (user_id)
-- 0.01 where there are two decimals. Once for each row: what is not folded into the rest of the query.
join (select asset, ('1e-' || scale)::numeric as unit from ledger.assets offset 0) s on s.asset = w.currency
join ledger.transfers t using (transfer_id);
