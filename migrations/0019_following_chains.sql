-- The record of a send follows its transaction until no reorganisation can change that any more.
alter table onchain_transactions drop constraint onchain_transactions_status_check;
alter table onchain_transactions
  add constraint onchain_transactions_status_check check (
    status = 'CONFIRMED' or (operation is not null and status in ('PENDING', 'FAILED'))
  ),
  add column updated_at timestamptz;
update onchain_transactions set updated_at = created_at;
alter table onchain_transactions alter column updated_at set not null;

-- PENDING: on its way, or without its confirmations (again).
alter table onchain_sends
  -- Nothing of the transfer changes any more. Only then is its fee taken.
  add column is_settled boolean not null default false,
  drop constraint onchain_sends_key;
update onchain_sends set is_settled = true where status <> 'PENDING';
alter table onchain_sends
  add constraint onchain_sends_key check (
    (address_id is not null) = (not is_settled or fee_status = 'DUE')
  ),
  add constraint onchain_sends_settled check (not is_settled or status <> 'PENDING');

drop index onchain_sends_open;
create index onchain_sends_key on onchain_sends (address_id) where address_id is not null;
create index onchain_sends_open on onchain_sends (created_at) where not is_settled;

-- What a managed wallet's next transactions will take, set aside before they are signed, so that
-- no other one spends it. `reference` is the journal's name of that transaction.
create table wallet_holds (
  reference      text primary key,
  chain_id       text not null check (chain_id in ('sepolia', 'amoy', 'neon')),
  wallet_address text not null,
  -- Keeps the wallet from being deleted until the hold is let go.
  address_id     integer references wallet_addresses,
  -- The contract's address, or `native`.
  token_contract text not null,
  units          numeric(38, 0) not null check (units >= 0),
  -- Wei that its gas costs at most.
  gas            numeric(38, 0) not null check (gas >= 0),
  held_at        timestamptz not null default now(),
  released_at    timestamptz,
  constraint wallet_holds_key check ((address_id is null) = (released_at is not null))
);
create index wallet_holds_of on wallet_holds (wallet_address, chain_id);
create index wallet_holds_key on wallet_holds (address_id) where address_id is not null;
create index wallet_holds_released on wallet_holds (released_at) where released_at is not null;

-- DUE: the managed wallet that burnt has it set aside. UNPAID: it could not be collected.
alter table crosschain_transfers
  add column fee_status text not null default 'NONE'
    check (fee_status in ('NONE', 'DUE', 'PAID', 'UNPAID'));
update crosschain_transfers set fee_status = 'PAID' where fee_tx_hash is not null;
alter table crosschain_transfers
  add constraint crosschain_fee check ((fee_tx_hash is not null) = (fee_status = 'PAID'));
