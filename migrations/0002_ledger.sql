-- The ledger. Money is whole units of an asset; a transfer is a list of entries that sum to zero in
-- each asset; an account's row carries the running result of its entries, so that a balance is read
-- and never summed. Everything is written by ledger.post, below.

create schema ledger;

create table ledger.assets (
  asset text primary key,
  scale smallint not null check (scale between 0 and 18)
);
-- The decimals of a unit. Never change one: all history is counted in it.
insert into ledger.assets (asset, scale) values
  ('USD', 2), ('SGD', 2), ('AUD', 2), ('INR', 2), ('IDR', 2), ('VND', 0),
  ('USDC', 6), ('IDRT', 2), ('ADA', 6), ('XRP', 6), ('ETH', 18), ('POL', 18), ('NEON', 18),
  ('POINTS', 0);

-- Domains, because a check of the table would be evaluated anew at every change of a balance.
create domain ledger.label as text check (length(value) between 1 and 200);
create domain ledger.account_status as text check (value in ('open', 'closed'));

create table ledger.accounts (
  account_id bigint generated always as identity primary key,
  owner ledger.label not null,
  purpose ledger.label not null,
  asset text not null references ledger.assets,
  posted numeric(38, 0) not null default 0,
  -- Part of `posted` that is promised elsewhere. What may be spent is posted - held.
  held numeric(38, 0) not null default 0,
  -- Number of the account's last entry.
  seq bigint not null default 0,
  -- Null: may go negative, as the account of the world outside must.
  min_available numeric(38, 0) default 0,
  status ledger.account_status not null default 'open',
  created_at timestamptz not null default now(),
  constraint accounts_once unique (owner, purpose, asset),
  constraint accounts_no_overdraft check (min_available is null or posted - held >= min_available),
  constraint accounts_held_not_negative check (held >= 0)
)
-- Half-empty pages keep the updates of balances on their page, without touching an index.
with (fillfactor = 50);

create sequence ledger.transfer_ids;

create table ledger.transfers (
  transfer_id bigint primary key,
  operation_key text not null constraint transfers_once unique,
  -- Of kind and legs: a key that comes back with other ones is told apart from a repetition.
  digest uuid not null,
  kind text not null,
  meta jsonb,
  created_at timestamptz not null default now()
);

-- No foreign keys here: they cost a fifth of the server's work, only the function below writes, and
-- ledger:verify looks for what they would have refused.
create table ledger.entries (
  account_id bigint not null,
  seq bigint not null,
  transfer_id bigint not null,
  amount numeric(38, 0) not null,
  held_delta numeric(38, 0) not null,
  posted_after numeric(38, 0) not null,
  held_after numeric(38, 0) not null,
  -- The cheapest guard against a lost update: nobody can write an account's n-th entry twice.
  constraint entries_once primary key (account_id, seq)
);
create index entries_by_transfer on ledger.entries (transfer_id);

-- Who may write.
--
-- Grants alone would not do: a service that connects as the owner of these tables, or as superuser,
-- passes every grant. So triggers refuse whatever is not marked as ledger.post's by a setting,
-- which it sets before its first write and clears after its last; an error in between undoes the
-- setting too. A login that is not the owner is stopped by the missing grants already.

create function ledger.refuse() returns trigger language plpgsql as $$
begin
  raise exception '% of ledger.% is for ledger.post only, or for nobody', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end $$;

create trigger transfers_written_by_post before insert on ledger.transfers
  for each statement when (current_setting('ledger.writer', true) is distinct from 'post')
  execute function ledger.refuse();
create trigger entries_written_by_post before insert on ledger.entries
  for each statement when (current_setting('ledger.writer', true) is distinct from 'post')
  execute function ledger.refuse();
create trigger accounts_moved_by_post before update of posted, held, seq on ledger.accounts
  for each statement when (current_setting('ledger.writer', true) is distinct from 'post')
  execute function ledger.refuse();

-- An account starts empty, keeps what it is, and stays. History is never rewritten, by nobody.
create trigger accounts_start_empty before insert on ledger.accounts for each row
  when (new.posted <> 0 or new.held <> 0 or new.seq <> 0)
  execute function ledger.refuse();
create trigger accounts_keep_identity
  before update of account_id, owner, purpose, asset, min_available on ledger.accounts
  for each statement execute function ledger.refuse();
create trigger accounts_stay before delete or truncate on ledger.accounts
  for each statement execute function ledger.refuse();
create trigger transfers_stay before update or delete or truncate on ledger.transfers
  for each statement execute function ledger.refuse();
create trigger entries_stay before update or delete or truncate on ledger.entries
  for each statement execute function ledger.refuse();

create function ledger.refuse_to_close() returns trigger language plpgsql as $$
begin
  raise exception 'account % is not empty', new.account_id
    using errcode = 'check_violation', constraint = 'accounts_closed_are_empty';
end $$;

create trigger accounts_closed_are_empty before update of status on ledger.accounts for each row
  when (new.status = 'closed' and (new.posted <> 0 or new.held <> 0))
  execute function ledger.refuse_to_close();

-- The function below checks each operation's sum before it writes. This checks what was written.
create function ledger.check_zero_sum() returns trigger language plpgsql as $$
declare
  broken bigint;
begin
  select e.transfer_id into broken
    from fresh e join ledger.accounts a on a.account_id = e.account_id
   group by e.transfer_id, a.asset having sum(e.amount) <> 0 limit 1;
  if found then
    raise exception 'transfer % does not sum to zero in each asset', broken
      using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger entries_sum_to_zero after insert on ledger.entries
  referencing new table as fresh for each statement execute function ledger.check_zero_sum();

-- Posts a batch of operations, each all or nothing and on its own; later ones see the earlier ones.
--
-- Operation i owns the next p_leg_count[i] elements of p_account, p_amount and p_held: by how much
-- the account's posted and held change. Answers, per operation, a status and the transfer that
-- holds the key (null where none does):
--
--   0 posted               3 insufficient funds    6 unbalanced
--   1 duplicate            4 unknown account       7 held would be negative
--   2 key of other legs    5 closed account        8 no whole number, or too large a one
--                                                  9 no key, kind, digest or legs
--
-- Nothing is stored of what is not posted, so a key that was refused may be tried again.
--
-- The settings keep every plan on the indexes: left alone, the planner may read the whole table of
-- accounts for the update of a few (fifteen times the cost), and there are no statistics of arrays.
create function ledger.post(
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
         array_agg(min_available), array_agg(asset), array_agg(status = 'open')
    into v_id, v_posted, v_held, v_seq, v_floor, v_asset, v_open
    from (select account_id, posted, held, seq, min_available, asset, status
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
    insert into ledger.transfers (transfer_id, operation_key, digest, kind, meta)
      select o.id, o.key, o.digest, o.kind, o.meta
        from unnest(status, transfer_id, p_key, p_digest, p_kind, p_meta)
          o(status, id, key, digest, kind, meta)
       where o.status = 0;
    update ledger.accounts a set posted = n.posted, held = n.held, seq = n.seq
      from unnest(v_id, v_posted, v_held, v_seq) n(id, posted, held, seq)
     where a.account_id = n.id and a.seq <> n.seq;
    insert into ledger.entries
        (account_id, seq, transfer_id, amount, held_delta, posted_after, held_after)
      select * from unnest(e_account[1:written], e_seq[1:written], e_transfer[1:written],
        e_amount[1:written], e_held[1:written], e_posted_after[1:written], e_held_after[1:written]);
    mark := set_config('ledger.writer', '', true);
  end if;
end $$;

revoke all on all tables in schema ledger from public;
revoke all on function ledger.post(
  text[], text[], uuid[], jsonb[], int[], bigint[], numeric[], numeric[]) from public;
