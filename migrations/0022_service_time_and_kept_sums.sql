-- One clock, kept sums, and rows that say what the contract says.

-- The service's time: this server's, and what the sandbox has moved the clock forward, which is
-- nothing where there is no sandbox. What the database times by itself and callers see, or what is
-- compared with times of the service, is timed by it. The times of leases, queues and chains stay
-- the server's: nothing else is compared with them.
create function service_now() returns timestamptz language sql stable parallel safe
return now() + coalesce(
  (select value::float8 from service_state where name = 'clock_offset_ms'), 0
) * interval '1 millisecond';

do $$
declare
  timed record;
begin
  for timed in
    select c.table_schema, c.table_name, c.column_name from information_schema.columns c
     where c.table_schema in ('public', 'ledger', 'sandbox') and c.column_default = 'now()'
       and c.table_name not in ('migrations', 'sagas', 'saga_events', 'chain_lanes',
         'chain_transactions', 'chain_replacements', 'wallet_holds')
  loop
    execute format('alter table %I.%I alter column %I set default service_now()',
      timed.table_schema, timed.table_name, timed.column_name);
  end loop;
end $$;

create or replace function show_two_factor() returns trigger language plpgsql as $$
begin
  update users set twofa_enabled = new.is_enabled, updated = service_now()
   where user_id = new.user_id and twofa_enabled is distinct from new.is_enabled;
  return null;
end $$;

create or replace function stamp_verification_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'PENDING' and new.decided_at is null then
      new.decided_at := service_now();
    end if;
  elsif new.decided_at is not distinct from old.decided_at and new.status <> old.status then
    new.decided_at := service_now();
  end if;
  return new;
end $$;

-- A client's verification follows that of its company, and an admin's approval of its admins.
-- A company that has asked for nothing yet is PENDING, like everything else.
update clients set ekyb_status = 'PENDING' where ekyb_status is null;
alter table clients
  alter column ekyb_status set default 'PENDING',
  alter column ekyb_status set not null;
update clients set ekyc_status = ekyb_status, updated = service_now()
 where ekyb_status <> 'PENDING' and ekyc_status <> ekyb_status;
update clients c set ekyc_status = 'APPROVED', updated = service_now()
 where c.ekyc_status = 'PENDING' and c.ekyb_status = 'PENDING'
   and exists (
     select from users u
       join verifications v on v.user_id = u.user_id and v.kind = 'KYC'
      where u.client_id = c.client_id and u.role = 'admin'
        and v.status = 'APPROVED' and v.provider = 'ADMIN'
        and exists (select from verification_history f
          where f.user_id = u.user_id and f.source = 'ADMIN_APPROVE_KYC'));

-- The two clients that a first start makes had a fixed month in their code.
update clients c
   set client_code = made.prefix || lpad((made.highest + made.place)::text, 4, '0')
  from (select s.client_id, m.prefix,
          row_number() over (partition by m.prefix order by s.client_id) as place,
          (select coalesce(max(substr(o.client_code, 11)::int), 0) from clients o
            where o.client_code like m.prefix || '%') as highest
          from clients s,
            lateral (select to_char(s.created at time zone 'UTC', '"CL-"YYYYMM-') as prefix) m
         where s.client_id in (1, 2) and s.client_code = 'CL-202601-000' || s.client_id
           and m.prefix <> 'CL-202601-') made
 where c.client_id = made.client_id;

-- Keys are listed by their number, which says where the next page begins.
create index api_keys_newest on api_keys (user_id, key_id desc);
drop index api_keys_of_user;

-- How many entries have moved an account's money, and all that came and went: what a list of many
-- users shows must not read the history of each.
alter table ledger.accounts
  add column moves bigint not null default 0,
  -- Of any length: it only grows, and must never be what stops a posting.
  add column volume numeric not null default 0;
update ledger.accounts a set moves = e.moves, volume = e.volume
  from (select account_id, count(*) as moves, sum(abs(amount)) as volume
          from ledger.entries where amount <> 0 group by account_id) e
 where e.account_id = a.account_id;

drop trigger accounts_moved_by_post on ledger.accounts;
create trigger accounts_moved_by_post
  before update of posted, held, seq, moves, volume on ledger.accounts
  for each statement when (current_setting('ledger.writer', true) is distinct from 'post')
  execute function ledger.refuse();
drop trigger accounts_start_empty on ledger.accounts;
create trigger accounts_start_empty before insert on ledger.accounts for each row
  when (new.posted <> 0 or new.held <> 0 or new.seq <> 0 or new.moves <> 0 or new.volume <> 0)
  execute function ledger.refuse();

-- As in 0002, with the service's time, and with what moved being counted.
create or replace function ledger.post(
  p_key text[],
  p_kind text[],
  p_digest uuid[],
  p_meta jsonb[],
  p_leg_count int[],
  p_account bigint[],
  p_amount numeric[],
  p_held numeric[],
  out status smallint[],
  out transfer_id bigint[]
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
declare
  most constant numeric := 99999999999999999999999999999999999999;
  operations constant int := cardinality(p_key);
  legs constant int := cardinality(p_account);

  -- The accounts of the batch as they stand, in the order of their ids.
  v_id bigint[];
  v_posted numeric[];
  v_held numeric[];
  v_seq bigint[];
  v_floor numeric[];
  v_asset text[];
  v_open boolean[];
  v_moves bigint[];
  v_volume numeric[];
  -- Leg -> index of its account in those arrays.
  v_slot int[] := array_fill(null::int, array[legs]);

  -- Operation -> digest of the transfer that holds its key.
  v_digest uuid[];
  -- Operation -> the one before it in the batch with the same key.
  v_previous int[];

  -- The entries to write; one is made per leg, and taken back with its operation.
  e_account bigint[] := array_fill(null::bigint, array[legs]);
  e_seq bigint[] := e_account;
  e_transfer bigint[] := e_account;
  e_amount numeric[] := array_fill(null::numeric, array[legs]);
  e_held numeric[] := e_amount;
  e_posted_after numeric[] := e_amount;
  e_held_after numeric[] := e_amount;
  written int := 0;

  first int;                         -- of the operation's legs
  last int := 0;
  leg int;
  a int;                             -- the leg's account
  refusal smallint;
  total numeric;
  mixed boolean;
  id bigint;
  posted_at timestamptz;
  mark text;
begin
  if operations is distinct from cardinality(p_kind)
    or operations is distinct from cardinality(p_digest)
    or operations is distinct from cardinality(p_meta)
    or operations is distinct from cardinality(p_leg_count)
    or legs is distinct from cardinality(p_amount)
    or legs is distinct from cardinality(p_held)
  then
    raise exception 'ledger.post: the arrays do not fit together' using errcode = '22023';
  end if;

  -- Locked all at once and in the order of their ids, so that postings queue and never deadlock;
  -- not FOR UPDATE, which would clash with whoever refers to an account by foreign key.
  select array_agg(account_id), array_agg(posted), array_agg(held), array_agg(seq),
         array_agg(min_available), array_agg(asset), array_agg(status = 'open'),
         array_agg(moves), array_agg(volume)
    into v_id, v_posted, v_held, v_seq, v_floor, v_asset, v_open, v_moves, v_volume
    from (select account_id, posted, held, seq, min_available, asset, status, moves, volume
            from ledger.accounts where account_id = any(p_account)
           order by account_id for no key update) locked;

  -- After the locks: whoever posted the same operation a moment ago is seen by this statement.
  select array_agg(t.transfer_id order by o.n), array_agg(t.digest order by o.n)
    into transfer_id, v_digest
    from unnest(p_key) with ordinality o(key, n)
    left join ledger.transfers t on t.operation_key = o.key;
  if operations > 1 then
    select array_agg(o.previous order by o.n) into v_previous
      from (select n, lag(n::int) over (partition by key collate "C" order by n) as previous
              from unnest(p_key) with ordinality k(key, n)) o;
  end if;
  status := array_fill(0::smallint, array[operations]);

  for i in 1 .. operations loop
    first := last + 1;
    last := last + p_leg_count[i];
    -- Counts that do not add up to the legs; refused below, before anything is written.
    exit when last < first - 1 or last > legs or last is null;

    if transfer_id[i] is null and v_previous[i] is not null then
      transfer_id[i] := transfer_id[v_previous[i]];
      v_digest[i] := v_digest[v_previous[i]];
    end if;
    if transfer_id[i] is not null then
      status[i] := case when v_digest[i] = p_digest[i] then 1 else 2 end;
      continue;
    end if;
    if p_key[i] is null or p_kind[i] is null or p_digest[i] is null or last < first then
      status[i] := 9;
      continue;
    end if;

    -- Apply leg by leg, writing down the balances in between.
    refusal := 0;
    total := 0;
    mixed := false;
    leg := first;
    while leg <= last loop
      a := array_position(v_id, p_account[leg]);
      v_slot[leg] := a;
      if a is null then refusal := 4; exit; end if;
      if not v_open[a] then refusal := 5; exit; end if;
      -- The type's (38, 0) does not hold for arguments, and NaN compares as the largest of all.
      if (abs(p_amount[leg]) <= most and abs(p_held[leg]) <= most
          and p_amount[leg] = trunc(p_amount[leg]) and p_held[leg] = trunc(p_held[leg])) is not true
      then refusal := 8; exit; end if;
      total := total + p_amount[leg];
      mixed := mixed or v_asset[a] <> v_asset[v_slot[first]];
      v_posted[a] := v_posted[a] + p_amount[leg];
      v_held[a] := v_held[a] + p_held[leg];
      v_seq[a] := v_seq[a] + 1;
      if p_amount[leg] <> 0 then
        v_moves[a] := v_moves[a] + 1;
        v_volume[a] := v_volume[a] + abs(p_amount[leg]);
      end if;
      written := written + 1;
      e_account[written] := p_account[leg];
      e_seq[written] := v_seq[a];
      e_amount[written] := p_amount[leg];
      e_held[written] := p_held[leg];
      e_posted_after[written] := v_posted[a];
      e_held_after[written] := v_held[a];
      leg := leg + 1;
    end loop;

    -- What must hold of the sums, and of each account once all legs are in.
    if refusal = 0 then
      if not mixed then
        if total <> 0 then refusal := 6; end if;
      elsif exists (select from generate_series(first, last) l
                     group by v_asset[v_slot[l]] having sum(p_amount[l]) <> 0)
      then refusal := 6; end if;
    end if;
    if refusal = 0 then
      for l in first .. last loop
        a := v_slot[l];
        if v_held[a] < 0 then refusal := 7; exit; end if;
        if v_posted[a] - v_held[a] < v_floor[a] then refusal := 3; exit; end if;
        if abs(v_posted[a]) > most or v_held[a] > most then refusal := 8; exit; end if;
      end loop;
    end if;

    if refusal <> 0 then
      for l in first .. leg - 1 loop
        a := v_slot[l];
        v_posted[a] := v_posted[a] - p_amount[l];
        v_held[a] := v_held[a] - p_held[l];
        v_seq[a] := v_seq[a] - 1;
        if p_amount[l] <> 0 then
          v_moves[a] := v_moves[a] - 1;
          v_volume[a] := v_volume[a] - abs(p_amount[l]);
        end if;
        written := written - 1;
      end loop;
      status[i] := refusal;
      continue;
    end if;

    id := nextval('ledger.transfer_ids');
    transfer_id[i] := id;
    v_digest[i] := p_digest[i];
    for e in written - (last - first) .. written loop
      e_transfer[e] := id;
    end loop;
  end loop;

  if last is distinct from legs then
    raise exception 'ledger.post: the legs do not fit their counts' using errcode = '22023';
  end if;
  if written > 0 then
    mark := set_config('ledger.writer', 'post', true);
    -- Once for all: as a column's default it would be asked for each row.
    posted_at := public.service_now();
    insert into ledger.transfers (transfer_id, operation_key, digest, kind, meta, created_at)
      select o.id, o.key, o.digest, o.kind, o.meta, posted_at
        from unnest(status, transfer_id, p_key, p_digest, p_kind, p_meta)
          o(status, id, key, digest, kind, meta)
       where o.status = 0;
    update ledger.accounts a
       set posted = n.posted, held = n.held, seq = n.seq, moves = n.moves, volume = n.volume
      from unnest(v_id, v_posted, v_held, v_seq, v_moves, v_volume)
        n(id, posted, held, seq, moves, volume)
     where a.account_id = n.id and a.seq <> n.seq;
    insert into ledger.entries
        (account_id, seq, transfer_id, amount, held_delta, posted_after, held_after)
      select * from unnest(e_account[1:written], e_seq[1:written], e_transfer[1:written],
        e_amount[1:written], e_held[1:written], e_posted_after[1:written], e_held_after[1:written]);
    mark := set_config('ledger.writer', '', true);
  end if;
end $$;
