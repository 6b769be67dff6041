-- Whose rupiah may be converted is found without asking those who have none (docs/decisions/0057).

-- Of an account with rupiah that are a user's: 1 where some may be spent, 2 where that is as much as is converted by the
-- day, which is MIN_AMOUNT of src/features/conversions/terms.ts.
create function ledger.to_convert(asset text, floor numeric, available numeric) returns smallint
language sql immutable parallel safe
return case when asset <> 'IDR' or floor is null or available <= 0 then 0
  when available < 20000000 then 1 else 2 end::smallint;

-- An index on the balance itself would have every posting write to it. This changes seldom, and as long as it does not a
-- posting updates its row in place. Not generated, which would be compiled anew for each posting.
alter table ledger.accounts add column to_convert smallint not null default 0;
update ledger.accounts set to_convert = ledger.to_convert(asset, min_available, posted - held)
 where ledger.to_convert(asset, min_available, posted - held) <> 0;

-- Whose account it is; null where that is no user's.
create function ledger.user_of(owner text) returns integer language sql immutable parallel safe
return case when owner ~ '^user:[0-9]{1,9}$' then substr(owner, 6)::integer end;

create index accounts_to_convert on ledger.accounts (ledger.user_of(owner))
  where to_convert > 0 and purpose = 'wallet';
create index accounts_to_convert_today on ledger.accounts (ledger.user_of(owner))
  where to_convert = 2 and purpose = 'wallet';

drop trigger accounts_moved_by_post on ledger.accounts;
create trigger accounts_moved_by_post
  before update of posted, held, seq, moves, volume, to_convert on ledger.accounts
  for each statement when (current_setting('ledger.writer', true) is distinct from 'post')
  execute function ledger.refuse();
drop trigger accounts_start_empty on ledger.accounts;
create trigger accounts_start_empty before insert on ledger.accounts for each row
  when (new.posted <> 0 or new.held <> 0 or new.seq <> 0 or new.moves <> 0 or new.volume <> 0 or new.to_convert <> 0)
  execute function ledger.refuse();

-- The ledger's function as in 0068, which also says this. A leg that is all right is asked so once, which assets an
-- operation mixes only where the batch has several, and the time of a view.
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
  -- Whether the batch moves one asset only, so that no operation mixes them.
  alike boolean;
  id bigint;
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
         array_agg(moves), array_agg(volume), min(asset) = max(asset)
    into v_id, v_posted, v_held, v_seq, v_floor, v_asset, v_open, v_moves, v_volume, alike
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
      -- The type's (38, 0) does not hold for arguments, and NaN compares as the largest of all.
      if (v_id[a] = p_account[leg] and v_open[a]
          and abs(p_amount[leg]) <= most and abs(p_held[leg]) <= most
          and p_amount[leg] = trunc(p_amount[leg]) and p_held[leg] = trunc(p_held[leg])) is not true
      then
        refusal := case when (v_id[a] = p_account[leg]) is not true then 4 when not v_open[a] then 5 else 8 end;
        exit;
      end if;
      v_slot[leg] := a;
      total := total + p_amount[leg];
      if not alike then mixed := mixed or v_asset[a] <> v_asset[v_slot[first]]; end if;
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
    insert into ledger.transfers (transfer_id, operation_key, digest, kind, meta, created_at)
      select o.id, o.key, o.digest, o.kind, o.meta, (select at from public.service_time)
        from unnest(status, transfer_id, p_key, p_digest, p_kind, p_meta)
          o(status, id, key, digest, kind, meta)
       where o.status = 0;
    update ledger.accounts a
       set posted = n.posted, held = n.held, seq = n.seq, moves = n.moves, volume = n.volume,
         to_convert = ledger.to_convert(a.asset, a.min_available, n.posted - n.held)
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
