-- A block may be taken back after what is in it was counted: until it is too deep for that it is looked after.
alter table cardano_transactions add column is_final boolean not null default false,
  add constraint cardano_transactions_final check (not is_final or state = 'CONFIRMED');
create index cardano_transactions_unfinal on cardano_transactions (network, seq)
  where state = 'CONFIRMED' and not is_final;
-- What the ledger has, and the chain has not any more: done again at once.
create index cardano_transactions_undone on cardano_transactions (network, seq)
  where state <> 'CONFIRMED' and booked_at is not null;
-- What has served its time, by age.
create index cardano_transactions_age on cardano_transactions (network, created_at);
create index xrpl_journal_age on xrpl_journal (ended_at) where ended_at is not null and blob <> '';
