-- Corrections of the ledger that one admin of the operator proposes and another one approves (docs/decisions/0067). What
-- must not be got round by a mistake in the code is refused here.
create table adjustments (
  -- By which pages go on.
  serial        bigint generated always as identity primary key,
  -- The request that proposed it.
  adjustment_id uuid not null constraint adjustments_id unique,
  kind          text not null check (kind in ('reversal', 'adjustment')),
  status        text not null default 'PROPOSED'
    check (status in ('PROPOSED', 'BOOKED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  reason        text not null check (length(reason) between 1 and 500),
  -- Of a reversal: the transfer that it undoes.
  of_transfer   bigint,
  of_reference  text,
  -- Of an adjustment: whose money becomes more or less.
  wallet_id     integer references fiat_wallets,
  direction     text check (direction in ('credit', 'debit')),
  -- How much is moved, and what each account will have got, as both people are shown it.
  units         numeric(38, 0) not null check (units > 0),
  asset         text not null references ledger.assets,
  entries       jsonb not null,
  -- Whose wallet it is about; nobody's where it is a member's of the rewards app.
  user_id       integer references users,
  proposed_by   integer not null references users,
  created_at    timestamptz not null default service_now(),
  expires_at    timestamptz not null default service_now() + interval '7 days',
  decided_by    integer references users,
  decided_at    timestamptz,
  decision_note text check (length(decision_note) between 1 and 500),
  constraint adjustments_whole check (
    (kind = 'reversal') = (of_transfer is not null) and (kind = 'reversal') = (of_reference is not null)
    and (kind = 'adjustment') = (wallet_id is not null) and (kind = 'adjustment') = (direction is not null)),
  -- Nobody decides about their own proposal but to take it back.
  constraint adjustments_two_people check (
    case status
      when 'PROPOSED' then decided_by is null and decided_at is null
      when 'EXPIRED' then decided_by is null and decided_at is not null
      when 'WITHDRAWN' then (decided_by = proposed_by) is true and decided_at is not null
      else (decided_by <> proposed_by) is true and decided_at is not null
    end),
  constraint adjustments_not_own check (
    user_id is distinct from proposed_by and (status <> 'BOOKED' or user_id is distinct from decided_by))
);
-- A transfer is undone once.
create unique index adjustments_reversed_once on adjustments (of_transfer) where status = 'BOOKED';
create index adjustments_by_status on adjustments (status, serial);
create index adjustments_waiting on adjustments (expires_at) where status = 'PROPOSED';

-- What was proposed stays as both have read it, what is decided stays decided, and what is booked was wanted by two who
-- are both the operator's admins at that moment, the second of whom had an account before it was proposed: nobody makes
-- one to approve with. Their rows are locked, so that a change of either comes before or after.
create function check_adjustment() returns trigger language plpgsql as $$
declare
  people integer;
begin
  if tg_op = 'INSERT' then
    if new.status <> 'PROPOSED' then
      raise exception 'an adjustment begins as a proposal'
        using errcode = 'check_violation', constraint = 'adjustments_begin';
    end if;
    return new;
  end if;
  if old.status <> 'PROPOSED'
    or (to_jsonb(old) - '{status,decided_by,decided_at,decision_note}'::text[])
      <> (to_jsonb(new) - '{status,decided_by,decided_at,decision_note}'::text[])
  then
    raise exception 'adjustment % stays as it is', old.adjustment_id
      using errcode = 'check_violation', constraint = 'adjustments_stay';
  end if;
  if new.status <> 'EXPIRED' and new.expires_at <= service_now() then
    raise exception 'adjustment % is not decided in time', new.adjustment_id
      using errcode = 'check_violation', constraint = 'adjustments_in_time';
  end if;
  if new.status = 'BOOKED' then
    perform from users u join clients c using (client_id)
      where u.user_id in (new.proposed_by, new.decided_by) and u.client_id = 1 and u.role = 'admin'
        and u.user_status = 'ACTIVE' and client_is_open(c.client_status) and u.created <= new.created_at
      for share of u;
    get diagnostics people = row_count;
    if people <> 2 then
      raise exception 'adjustment % is not wanted by two admins of the operator', new.adjustment_id
        using errcode = 'check_violation', constraint = 'adjustments_two_admins';
    end if;
  end if;
  return new;
end $$;
create trigger adjustments_checked before insert or update on adjustments
  for each row execute function check_adjustment();
