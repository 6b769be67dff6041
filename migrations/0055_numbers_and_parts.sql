-- Numbers for card transactions that none has to look for, and accounts that several processes move.

-- How many numbers of an hour were given out, over all terminals (features/cards/numbering.ts). Kept: in ten
-- years the same hour comes again, and goes on from there.
create table card_numbers (
  hour  text primary key check (hour ~ '^[0-9]{6}$'),
  given bigint not null check (given > 0)
);

-- A terminal gives a number once, and another one may give the same. What a process of an earlier version
-- writes meanwhile is of the first.
alter table card_transactions
  add column terminal smallint not null default 1 check (terminal between 1 and 999);
alter table card_transactions
  drop constraint card_transactions_rrn,
  add constraint card_transactions_rrn unique (rrn, terminal);

-- An account that may go negative may have parts: rows of the same name that different processes post to, so that
-- they do not wait for each other (kernel/ledger/parts.ts). The balance is their sum.
alter table ledger.accounts
  -- No foreign key: it would be looked at with every change of a balance, and accounts stay.
  add column part_of bigint,
  add column part smallint not null default 0,
  drop constraint accounts_once,
  add constraint accounts_once unique (owner, purpose, asset, part);
create unique index accounts_parts_once on ledger.accounts (part_of, part) where part_of is not null;

-- Not a check of the table, which would be evaluated anew at every change of a balance.
create function ledger.check_part() returns trigger language plpgsql as $$
begin
  if new.part = 0 or not exists (
    select from ledger.accounts a
     where a.account_id = new.part_of and a.part = 0 and a.min_available is null
       and new.min_available is null
       and (a.owner, a.purpose, a.asset) = (new.owner, new.purpose, new.asset))
  then
    raise exception 'account % cannot have such a part', new.part_of
      using errcode = 'check_violation', constraint = 'accounts_parts';
  end if;
  return new;
end $$;
create trigger accounts_parts before insert on ledger.accounts for each row
  when (new.part <> 0 or new.part_of is not null) execute function ledger.check_part();

drop trigger accounts_keep_identity on ledger.accounts;
create trigger accounts_keep_identity
  before update of account_id, owner, purpose, asset, min_available, part_of, part on ledger.accounts
  for each statement execute function ledger.refuse();

-- Room on the page for what each of these rows becomes: an answer, and the time of the last use.
alter table idempotency_keys set (fillfactor = 60);
alter table api_keys set (fillfactor = 90);

-- Whose a card transaction is follows from its wallet, which it refers to: looking both up again was a quarter of what
-- a row costs.
alter table card_transactions
  drop constraint card_transactions_user_id_fkey,
  drop constraint card_transactions_client_id_fkey;
