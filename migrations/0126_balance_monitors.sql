-- Monitors of wallets' balances: an event each time that a balance goes below or above an amount (docs/design/banking.md).

create table balance_monitors (
  serial          bigint generated always as identity primary key,
  monitor_id      uuid not null unique,
  client_id       integer not null references clients,
  user_id         integer not null references users,
  wallet_id       integer not null references fiat_wallets,
  account_id      bigint not null,
  currency        text not null references ledger.assets,
  field           text not null check (field in ('posted', 'available')),
  op              text not null check (op in ('below', 'above')),
  amount          numeric(38, 0) not null check (amount > 0),
  -- Armed where the condition did not hold after the account's entry `seen_seq`; the next one after which it holds is a crossing.
  state           text not null check (state in ('armed', 'crossed')),
  seen_seq        bigint not null check (seen_seq >= 0),
  crossings       bigint not null default 0 check (crossings >= 0),
  last_crossed_at timestamptz,
  created_at      timestamptz not null default service_now(),
  check ((crossings = 0) = (last_crossed_at is null))
);
create index balance_monitors_of_wallet on balance_monitors (wallet_id, serial desc);

-- An entry is looked at once, and a monitor stays what was asked for.
create function check_balance_monitor() returns trigger language plpgsql as $$
begin
  if new.seen_seq <= old.seen_seq or new.crossings < old.crossings then
    raise exception 'monitor % does not go back', old.monitor_id
      using errcode = 'check_violation', constraint = 'balance_monitors_onward';
  end if;
  if (old.wallet_id, old.account_id, old.field, old.op, old.amount)
    is distinct from (new.wallet_id, new.account_id, new.field, new.op, new.amount)
  then
    raise exception 'monitor % stays what was asked for', old.monitor_id
      using errcode = 'check_violation', constraint = 'balance_monitors_stay';
  end if;
  return new;
end $$;
create trigger balance_monitors_checked before update on balance_monitors
  for each row execute function check_balance_monitor();
