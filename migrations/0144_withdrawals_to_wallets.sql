-- Withdrawals to wallets of the same client, and those that an admin has prepared (docs/design/banking.md, 90).
alter table withdrawals
  add column made_by      integer references users,
  add column to_wallet_id integer references fiat_wallets,
  alter column sealed_payee drop not null,
  drop constraint withdrawals_rail_check,
  add check (rail in ('gateway', 'bank-host', 'wallet')),
  add check ((rail = 'wallet') = (to_wallet_id is not null)),
  add check ((rail = 'wallet') = (sealed_payee is null));
update withdrawals set made_by = user_id;
alter table withdrawals alter column made_by set not null;

drop trigger withdrawals_checked on withdrawals;
create trigger withdrawals_checked before update on withdrawals for each row execute function guard_states('{
  "what": "withdrawal", "id": "our_reference",
  "moves": ["PENDING_APPROVAL>PENDING", "PENDING_APPROVAL>CANCELLED", "PENDING>PROCESSING", "PENDING>CANCELLED",
    "PENDING>FAILED", "PROCESSING>COMPLETED", "PROCESSING>FAILED", "COMPLETED>RETURNED"],
  "stay": ["amount", "fee", "currency", "account_id", "sealed_payee", "our_reference", "quote_id", "received_currency",
    "received_amount", "made_by", "to_wallet_id"]}');
