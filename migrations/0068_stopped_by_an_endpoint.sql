-- Stopping clients and people, and freezing wallets, by an endpoint (docs/decisions/0068).

-- What they were before, whoever has stopped them and however; null for who is let in.
alter table clients add column status_before_stop text;
alter table users add column status_before_stop text;

create function remember_client_status() returns trigger language plpgsql as $$
begin
  new.status_before_stop := case when client_is_open(old.client_status) then old.client_status end;
  return new;
end $$;
create trigger clients_stopped before update of client_status on clients
  for each row when (client_is_open(old.client_status) is distinct from client_is_open(new.client_status))
  execute function remember_client_status();

create function remember_user_status() returns trigger language plpgsql as $$
begin
  new.status_before_stop := case when old.user_status <> 'INACTIVE' then old.user_status end;
  return new;
end $$;
create trigger users_stopped before update of user_status on users
  for each row when ((old.user_status = 'INACTIVE') is distinct from (new.user_status = 'INACTIVE'))
  execute function remember_user_status();

-- Each time that a client or a person was stopped or let in, or a wallet frozen or released, by whom and why. The last one says how it stands.
create table stops (
  stop_id     bigint generated always as identity primary key,
  client_id   integer references clients on delete cascade,
  user_id     integer references users on delete cascade,
  wallet_id   integer references fiat_wallets on delete cascade,
  what        text not null check (what in ('stopped', 'let_in')),
  reason      text not null check (length(reason) <= 500),
  by_user_id  integer not null,
  -- What the operator has stopped, a client's admins do not let in.
  by_operator boolean not null,
  at          timestamptz not null,
  constraint stops_of_one check (num_nonnulls(client_id, user_id, wallet_id) = 1)
);
create index stops_of_client on stops (client_id, stop_id) where client_id is not null;
create index stops_of_user on stops (user_id, stop_id) where user_id is not null;
create index stops_of_wallet on stops (wallet_id, stop_id) where wallet_id is not null;

-- What is there already is one of the others, so that it need not be read.
alter domain ledger.account_status drop constraint account_status_check;
alter domain ledger.account_status add constraint account_status_check
  check (value in ('open', 'closed', 'frozen')) not valid;

-- As in 0028, with accounts that are frozen: 10 is what one refuses that would take from it.
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

  -- Leg -> what the arguments do not say of its entry; the ones without a transfer are not written.
  e_seq bigint[] := array_fill(null::bigint, array[legs]);
  e_transfer bigint[] := e_seq;
  e_posted_after numeric[] := array_fill(null::numeric, array[legs]);
  e_held_after numeric[] := e_posted_after;

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
         -- A frozen one is left with no less than could be spent of it before: money comes in, what was set aside already is
         -- paid or given back, and nothing else is taken.
         array_agg(case status when 'frozen' then greatest(min_available, posted - held) else min_available end),
         array_agg(asset), array_agg(status <> 'closed'),
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
      -- The last that is not above it, or none.
      a := width_bucket(p_account[leg], v_id);
      if (v_id[a] = p_account[leg]) is not true then refusal := 4; exit; end if;
      v_slot[leg] := a;
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
      e_seq[leg] := v_seq[a];
      e_posted_after[leg] := v_posted[a];
      e_held_after[leg] := v_held[a];
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
        continue when v_held[a] between 0 and most and abs(v_posted[a]) <= most
          and (v_floor[a] is null or v_posted[a] - v_held[a] >= v_floor[a]);
        if v_held[a] < 0 then refusal := 7; exit; end if;
        if v_posted[a] - v_held[a] < v_floor[a] then
          refusal := case when exists (
            select from ledger.accounts where account_id = v_id[a] and status = 'frozen') then 10 else 3 end;
          exit;
        end if;
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
      end loop;
      status[i] := refusal;
      continue;
    end if;

    id := nextval('ledger.transfer_ids');
    transfer_id[i] := id;
    v_digest[i] := p_digest[i];
    for l in first .. last loop
      e_transfer[l] := id;
    end loop;
  end loop;

  if last is distinct from legs then
    raise exception 'ledger.post: the legs do not fit their counts' using errcode = '22023';
  end if;
  if id is not null then
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
      select * from unnest(p_account, e_seq, e_transfer, p_amount, p_held, e_posted_after, e_held_after)
          e(account_id, seq, transfer_id, amount, held_delta, posted_after, held_after)
       where e.transfer_id is not null;
    mark := set_config('ledger.writer', '', true);
  end if;
end $$;
