-- One guard for things that go from status to status (docs/design/banking.md): a change that its trigger does not name is
-- refused, by whatever statement it comes.

-- The argument is JSON: `what` it is; `id`, its column; `moves`, the changes of status that there are; `stay`, columns that
-- never change; `settled`, columns that change in its first status only, or on the way back to it; `once`, columns that are
-- set once; `grow`, sums that only grow, and stay where its status has no way out.
create function guard_states() returns trigger language plpgsql as $$
declare
  rule   constant jsonb := tg_argv[0]::jsonb;
  before constant jsonb := to_jsonb(old);
  after  constant jsonb := to_jsonb(new);
  leaves constant boolean := (rule -> 'moves') @> to_jsonb(old.status || '>' || new.status);
  is_over constant boolean := not exists (
    select from jsonb_array_elements_text(rule -> 'moves') m where starts_with(m, old.status || '>'));
  draft  constant text := split_part(rule -> 'moves' ->> 0, '>', 1);
  changed text;
begin
  if old.status <> new.status and not leaves then
    raise exception '% % does not go from % to %', rule ->> 'what', before ->> (rule ->> 'id'), old.status, new.status
      using errcode = 'check_violation', constraint = tg_table_name || '_onward';
  end if;
  select c into changed from jsonb_array_elements_text(rule -> 'grow') c
    where (after ->> c)::numeric < (before ->> c)::numeric
      or is_over and (after ->> c)::numeric <> (before ->> c)::numeric limit 1;
  if changed is not null then
    raise exception '% of % % does not go back', changed, rule ->> 'what', before ->> (rule ->> 'id')
      using errcode = 'check_violation', constraint = tg_table_name || '_onward';
  end if;
  select c into changed from (
    select c from jsonb_array_elements_text(rule -> 'stay') c
    union all
    select c from jsonb_array_elements_text(rule -> 'settled') c where draft not in (old.status, new.status)
    union all
    select c from jsonb_array_elements_text(rule -> 'once') c where before -> c <> 'null'
  ) fixed (c) where before -> c is distinct from after -> c limit 1;
  if changed is not null then
    raise exception '% of % % stays as it is', changed, rule ->> 'what', before ->> (rule ->> 'id')
      using errcode = 'check_violation', constraint = tg_table_name || '_stay';
  end if;
  return new;
end $$;

drop trigger fiat_holds_checked on fiat_holds;
drop function check_fiat_hold();
create trigger fiat_holds_checked before update on fiat_holds for each row execute function guard_states('{
  "what": "hold", "id": "object_id",
  "moves": ["OPEN>PARTIALLY_CAPTURED", "OPEN>CAPTURED", "OPEN>VOIDED", "OPEN>EXPIRED", "PARTIALLY_CAPTURED>CAPTURED",
    "PARTIALLY_CAPTURED>VOIDED", "PARTIALLY_CAPTURED>EXPIRED"],
  "grow": ["captured"],
  "stay": ["user_id", "account_id", "to_account_id", "amount", "fee", "expires_at"]}');

drop trigger wallet_transfers_checked on wallet_transfers;
drop function check_wallet_transfer();
create trigger wallet_transfers_checked before update on wallet_transfers for each row execute function guard_states('{
  "what": "transfer", "id": "object_id",
  "moves": ["PENDING_APPROVAL>PENDING", "PENDING_APPROVAL>COMPLETED", "PENDING_APPROVAL>CANCELLED",
    "PENDING_APPROVAL>EXPIRED", "PENDING_APPROVAL>FAILED", "PENDING>COMPLETED", "PENDING>CANCELLED", "PENDING>EXPIRED",
    "PENDING>FAILED"],
  "stay": ["user_id", "from_wallet_id", "account_id", "currency", "amount", "fee", "quote_id", "received_currency",
    "received_amount"]}');

drop trigger payment_requests_checked on payment_requests;
drop function check_payment_request();
create trigger payment_requests_checked before update on payment_requests for each row execute function guard_states('{
  "what": "request", "id": "object_id",
  "moves": ["OPEN>ACCEPTED", "OPEN>DECLINED", "OPEN>CANCELLED", "OPEN>EXPIRED"],
  "once": ["to_user_id"],
  "stay": ["user_id", "wallet_id", "currency", "amount", "expires_at"]}');

drop trigger withdrawals_checked on withdrawals;
drop function check_withdrawal();
create trigger withdrawals_checked before update on withdrawals for each row execute function guard_states('{
  "what": "withdrawal", "id": "our_reference",
  "moves": ["PENDING_APPROVAL>PENDING", "PENDING_APPROVAL>CANCELLED", "PENDING>PROCESSING", "PENDING>CANCELLED",
    "PENDING>FAILED", "PROCESSING>COMPLETED", "PROCESSING>FAILED", "COMPLETED>RETURNED"],
  "stay": ["amount", "fee", "currency", "account_id", "sealed_payee", "our_reference", "quote_id", "received_currency",
    "received_amount"]}');

drop trigger batches_checked on batches;
drop function check_batch();
create trigger batches_checked before update on batches for each row execute function guard_states('{
  "what": "batch", "id": "our_reference",
  "moves": ["DRAFT>PENDING_APPROVAL", "DRAFT>SCHEDULED", "DRAFT>CANCELLED", "PENDING_APPROVAL>DRAFT",
    "PENDING_APPROVAL>SCHEDULED", "PENDING_APPROVAL>REJECTED", "PENDING_APPROVAL>EXPIRED", "PENDING_APPROVAL>CANCELLED",
    "SCHEDULED>PROCESSING", "SCHEDULED>CANCELLED", "SCHEDULED>FAILED", "PROCESSING>COMPLETED",
    "PROCESSING>PARTIALLY_COMPLETED", "PROCESSING>FAILED", "PROCESSING>CANCELLED", "PARTIALLY_COMPLETED>PROCESSING",
    "FAILED>PROCESSING"],
  "stay": ["our_reference", "client_id", "user_id", "account_id", "currency"],
  "settled": ["content_hash", "total", "fees", "item_count", "funding", "execute_at", "submitted_by"]}');

drop trigger batch_items_checked on batch_items;
drop function check_batch_item();
create trigger batch_items_checked before update on batch_items for each row execute function guard_states('{
  "what": "item", "id": "our_reference",
  "moves": ["PENDING>HELD", "PENDING>CANCELLED", "PENDING>FAILED", "PENDING>PROCESSING", "HELD>PROCESSING",
    "HELD>CANCELLED", "HELD>FAILED", "PROCESSING>COMPLETED", "PROCESSING>FAILED", "COMPLETED>RETURNED", "FAILED>HELD",
    "FAILED>PENDING"],
  "stay": ["amount", "fee", "currency", "account_id", "sealed_payee", "to_wallet_id", "our_reference", "reference"]}');
