-- What is set aside in an account is kept by name, so that it is known which object holds it, at any moment of its past.

-- A hold's name is that of the flow or object which sets the money aside: a posting says it in its meta. Else it is the
-- operation's key without its last step. The other cases are postings of the version before.
create function ledger.hold_name(p_key text, p_kind text, p_meta jsonb) returns text language sql stable
return case
  when p_meta ->> 'hold' is not null then p_meta ->> 'hold'
  when p_key ~ '^cardano:[^:]+:' then 'cardano-' || split_part(p_key, ':', 2)
  when p_kind = 'card-top-up' then coalesce((
    select flow from public.card_transactions where reference_id = substr(p_key, 6)), p_key)
  else regexp_replace(p_key, ':(hold|release|payout)$', '')
end;

create table ledger.holds (
  account_id bigint not null,
  hold text not null,
  -- Of the posting that has opened it.
  kind text not null,
  opened_seq bigint not null,
  opened_at timestamptz not null,
  -- What is held by it now, and the entry by which nothing was left.
  units numeric(38, 0) not null,
  freed_seq bigint,
  -- The entries that have changed it, in their order, and what each of them left.
  seqs bigint[] not null,
  left_after numeric(38, 0)[] not null,
  primary key (account_id, hold),
  constraint holds_freed check ((units = 0) = (freed_seq is not null))
);
create index holds_open on ledger.holds (account_id, hold) where freed_seq is null;
create index holds_freed_in_order on ledger.holds (account_id, freed_seq) where freed_seq is not null;

insert into ledger.holds (account_id, hold, kind, opened_seq, opened_at, units, freed_seq, seqs, left_after)
select account_id, hold, (array_agg(kind order by seq))[1], min(seq), min(created_at), sum(held_delta),
  case when sum(held_delta) = 0 then max(seq) end, array_agg(seq order by seq), array_agg(left_after order by seq)
from (select account_id, hold, kind, seq, created_at, held_delta,
        sum(held_delta) over (partition by account_id, hold order by seq) as left_after
      from (select e.account_id, ledger.hold_name(t.operation_key, t.kind, t.meta) as hold, t.kind, e.seq,
              t.created_at, e.held_delta
            from ledger.entries e join ledger.transfers t using (transfer_id) where e.held_delta <> 0) named) summed
group by account_id, hold;

create trigger holds_written_by_post before insert or update or delete or truncate on ledger.holds
  for each statement when (current_setting('ledger.writer', true) is distinct from 'post')
  execute function ledger.refuse();

create function ledger.keep_hold() returns trigger language plpgsql as $$
declare
  t record;
begin
  select operation_key, kind, meta, created_at into t from ledger.transfers where transfer_id = new.transfer_id;
  insert into ledger.holds as h
      (account_id, hold, kind, opened_seq, opened_at, units, freed_seq, seqs, left_after)
    values (new.account_id, ledger.hold_name(t.operation_key, t.kind, t.meta), t.kind, new.seq, t.created_at,
      new.held_delta, null, array[new.seq], array[new.held_delta])
    on conflict (account_id, hold) do update
      set units = h.units + new.held_delta,
        freed_seq = case when h.units + new.held_delta = 0 then new.seq end,
        seqs = h.seqs || new.seq, left_after = h.left_after || (h.units + new.held_delta);
  return null;
end $$;
create trigger entries_keep_holds after insert on ledger.entries for each row
  when (new.held_delta <> 0) execute function ledger.keep_hold();

-- What was held in an account after its entry `p_seq`, when `p_held` was held in all: those that are held still, then those
-- that were freed since, of which no more are read than that sum needs.
create function ledger.holds_at(p_account bigint, p_seq bigint, p_held numeric)
returns table (hold text, kind text, opened_at timestamptz, units numeric, is_open boolean)
language plpgsql stable as $$
#variable_conflict use_column
declare
  h ledger.holds;
  remaining numeric := p_held;
begin
  for h in select * from ledger.holds where account_id = p_account and freed_seq is null loop
    continue when h.opened_seq > p_seq;
    hold := h.hold; kind := h.kind; opened_at := h.opened_at; is_open := true;
    units := h.left_after[width_bucket(p_seq, h.seqs)];
    remaining := remaining - units;
    if units <> 0 then return next; end if;
  end loop;
  if remaining = 0 then return; end if;
  for h in select * from ledger.holds where account_id = p_account and freed_seq > p_seq order by freed_seq loop
    continue when h.opened_seq > p_seq;
    hold := h.hold; kind := h.kind; opened_at := h.opened_at; is_open := false;
    units := h.left_after[width_bucket(p_seq, h.seqs)];
    remaining := remaining - units;
    if units <> 0 then return next; end if;
    exit when remaining = 0;
  end loop;
end $$;

-- From when on an account was frozen or open, and owed how much: what may be spent depends on both, and at any moment of
-- the past on what they were then.
create table ledger.account_marks (
  mark_id bigint generated always as identity,
  account_id bigint not null,
  at timestamptz not null default public.service_moment(),
  status ledger.account_status not null,
  owed numeric(38, 0) not null,
  primary key (account_id, at, mark_id)
);
insert into ledger.account_marks (account_id, at, status, owed)
select account_id, created_at, status, owed from ledger.accounts where status <> 'open' or owed <> 0
order by account_id;

create function ledger.mark_account() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.account_marks (account_id, status, owed) values (new.account_id, new.status, new.owed);
  return null;
end $$;
revoke all on function ledger.mark_account() from public;
create trigger accounts_marked after update of status, owed on ledger.accounts for each row
  when (new.status is distinct from old.status or new.owed <> old.owed) execute function ledger.mark_account();
create trigger account_marks_stay before update or delete or truncate on ledger.account_marks
  for each statement execute function ledger.refuse();

-- Sums by kind of each thousand entries of an account that may not go below zero, written behind the postings: an
-- explanation of a month reads these and the rest of two thousands.
create table ledger.kind_sums (
  account_id bigint not null,
  -- 1 for the entries 1 to 1000.
  block bigint not null,
  kind text not null,
  entries bigint not null,
  amount numeric(38, 0) not null,
  primary key (account_id, block, kind)
);
alter table ledger.verified_accounts add column summed bigint not null default 0;
create index verified_accounts_to_sum on ledger.verified_accounts (account_id) where seq - summed * 1000 >= 1000;
