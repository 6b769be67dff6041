-- Money goes back to its payer once over all ways back, and what a wallet owes cannot be spent (docs/decisions/0076).

-- One row for each payment of which something went back or is on its way back: what was paid, and what of it each way has
-- claimed. The first claim makes the row; every later one of any way changes it, so that they wait for each other.
create table ledger.returns (
  -- The key of the posting that brought the money.
  payment      text primary key check (length(payment) between 1 and 200),
  asset        text not null references ledger.assets,
  paid         numeric(38, 0) not null check (paid > 0),
  -- Given back by us, on the payer's wish.
  refunded     numeric(38, 0) not null default 0 check (refunded >= 0),
  -- Taken by the payer's bank, in dispute.
  charged_back numeric(38, 0) not null default 0 check (charged_back >= 0),
  -- Undone by the network that carried it.
  reversed     numeric(38, 0) not null default 0 check (reversed >= 0),
  -- Sent back by the bank that it came from.
  returned     numeric(38, 0) not null default 0 check (returned >= 0),
  -- What the other side has taken although it had gone back before: a person has to look. Of that, what was given up.
  excess       numeric(38, 0) not null default 0 check (excess >= 0),
  written_off  numeric(38, 0) not null default 0 check (written_off >= 0),
  excess_since timestamptz,
  created_at   timestamptz not null default service_now(),
  updated_at   timestamptz not null default service_now(),
  constraint returns_within_paid check (refunded + charged_back + reversed + returned <= paid),
  constraint returns_excess_has_time check ((excess > 0) = (excess_since is not null))
);
create index returns_in_excess on ledger.returns (excess_since) where excess > written_off;

create function ledger.keep_payment() returns trigger language plpgsql as $$
begin
  raise exception 'What was paid does not change' using errcode = 'check_violation', constraint = 'returns_keep_payment';
end $$;
create trigger returns_keep_payment before update of payment, asset, paid on ledger.returns
  for each row when ((old.payment, old.asset, old.paid) is distinct from (new.payment, new.asset, new.paid))
  execute function ledger.keep_payment();

insert into ledger.returns (payment, asset, paid, refunded)
select 'card:' || o.reference_id, o.currency, o.amount, r.amount
  from card_transactions r join card_transactions o on o.id = r.original_id
 where r.original_id is not null and r.state <> 'FAILED';
insert into ledger.returns (payment, asset, paid, returned)
select 'bank-top-up:' || top_up_id, 'USD', amount, amount from bank_top_ups where status = 'RETURNED';

-- What somebody owes after money was taken back that the wallet did not have any more.
create table ledger.debts (
  debt        text primary key check (length(debt) between 1 and 200),
  -- The wallet that owes it, and the house's account that stands for it: accounts stay, so no foreign key is asked.
  account_id  bigint not null,
  owed_to     bigint not null,
  user_id     integer not null,
  owed        numeric(38, 0) not null check (owed >= 0),
  created_at  timestamptz not null default service_now(),
  updated_at  timestamptz not null default service_now()
);
create index debts_of_person on ledger.debts (user_id) where owed > 0;
create index debts_owing on ledger.debts (debt) where owed > 0;
create index debts_of_account on ledger.debts (account_id);

-- The sum of an account's debts, beside its balance: what comes in up to it is not to be spent.
alter table ledger.accounts add column owed numeric(38, 0) not null default 0
  constraint accounts_owed_not_negative check (owed >= 0);
create trigger accounts_owed_by_debts before update of owed on ledger.accounts
  for each statement when (current_setting('ledger.writer', true) is distinct from 'debt')
  execute function ledger.refuse();

create function ledger.sum_debts() returns trigger language plpgsql as $$
declare
  mark text;
begin
  mark := set_config('ledger.writer', 'debt', true);
  update ledger.accounts set owed = owed + new.owed - case tg_op when 'UPDATE' then old.owed else 0 end
   where account_id = new.account_id;
  mark := set_config('ledger.writer', '', true);
  return null;
end $$;
create trigger debts_summed after insert or update of owed on ledger.debts
  for each row execute function ledger.sum_debts();
create trigger debts_keep_account before update of debt, account_id, owed_to, user_id or delete on ledger.debts
  for each statement execute function ledger.refuse();

insert into ledger.debts (debt, account_id, owed_to, user_id, owed)
select 'bank-top-up:' || top_up_id, account_id,
       (select account_id from ledger.accounts
         where owner = 'house' and purpose = 'bank-link-owed' and asset = 'USD' and part = 0), user_id, owed
  from bank_top_ups where owed > 0;
update bank_top_ups set owed = 0 where owed > 0;
-- A process of the version before writes a debt here: it is moved to where debts are.
create function move_bank_debt() returns trigger language plpgsql as $$
begin
  insert into ledger.debts (debt, account_id, owed_to, user_id, owed)
  select 'bank-top-up:' || new.top_up_id, new.account_id, a.account_id, new.user_id, new.owed
    from ledger.accounts a
   where a.owner = 'house' and a.purpose = 'bank-link-owed' and a.asset = 'USD' and a.part = 0
  on conflict (debt) do nothing;
  new.owed := 0;
  return new;
end $$;
create trigger bank_top_ups_debts_move before insert or update of owed on bank_top_ups
  for each row when (new.owed > 0) execute function move_bank_debt();

-- The ledger's function as in 0072, with another floor: of an account that owes no more is taken than would leave it with
-- what it owes, or with what it has where that is less. What comes in stays, and what was set aside is paid. A posting
-- that takes the debt itself says so by the setting.
do $$
declare
  source text := pg_get_functiondef('ledger.post(text[], text[], uuid[], jsonb[], int[], bigint[], numeric[], numeric[])'::regprocedure);
  former constant text := 'array_agg(case status when ''frozen'' then greatest(min_available, posted - held) else min_available end)';
  columns constant text := 'select account_id, posted, held, seq, min_available, asset, status, moves, volume';
begin
  if position(former in source) = 0 or position(columns in source) = 0 then
    raise exception 'ledger.post is not as it was in 0072';
  end if;
  source := replace(source, former, 'array_agg(case
           when status = ''frozen'' then greatest(min_available, posted - held)
           when owed = 0 or current_setting(''ledger.collects'', true) = ''on'' then min_available
           else greatest(min_available, least(min_available + owed, posted - held)) end)');
  execute replace(source, columns, columns || ', owed');
end $$;

-- What the card network has taken back of a transaction, or given again (below zero), each time that it changed.
create table card_returns (
  id             integer generated always as identity primary key,
  transaction_id integer not null references card_transactions,
  way            text not null check (way in ('chargeback', 'reversal')),
  units          numeric(38, 0) not null check (units <> 0),
  happened_at    timestamptz not null default service_now()
);
create index card_returns_of on card_returns (transaction_id, way, units);
create index card_returns_charged_back on card_returns (happened_at, id) where way = 'chargeback';
