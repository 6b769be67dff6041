-- Batches that pay in another currency than their wallet's, by a quote (docs/design/banking.md, 94).
alter table batches
  add column quote_id          uuid references quotes (quote_id),
  add column received_currency text references ledger.assets,
  -- What arrives of all of it.
  add column received_total    numeric(38, 0) check (received_total >= 0),
  add check (num_nulls(quote_id, received_currency, received_total) in (0, 3)),
  add check (quote_id is null or received_currency <> currency and funding = 'at_approval');
alter table batch_items
  add column received_currency text references ledger.assets,
  add column received_amount   numeric(38, 0) check (received_amount > 0),
  add check (num_nulls(received_currency, received_amount) in (0, 2)),
  add check (received_currency is null or received_currency <> currency);

-- A quote of a batch is traded payment by payment; of anything else all at once.
drop index fx_conversions_by_quote;
create unique index fx_conversions_by_quote on fx_conversions (quote_id)
  where quote_id is not null and reference not like 'batch-item:%';
create index fx_conversions_of_batches on fx_conversions (quote_id)
  where quote_id is not null and reference like 'batch-item:%';

drop trigger batches_checked on batches;
create trigger batches_checked before update on batches for each row execute function guard_states('{
  "what": "batch", "id": "our_reference",
  "moves": ["DRAFT>PENDING_APPROVAL", "DRAFT>SCHEDULED", "DRAFT>CANCELLED", "PENDING_APPROVAL>DRAFT",
    "PENDING_APPROVAL>SCHEDULED", "PENDING_APPROVAL>REJECTED", "PENDING_APPROVAL>EXPIRED", "PENDING_APPROVAL>CANCELLED",
    "SCHEDULED>PROCESSING", "SCHEDULED>CANCELLED", "SCHEDULED>FAILED", "PROCESSING>COMPLETED",
    "PROCESSING>PARTIALLY_COMPLETED", "PROCESSING>FAILED", "PROCESSING>CANCELLED", "PARTIALLY_COMPLETED>PROCESSING",
    "FAILED>PROCESSING"],
  "stay": ["our_reference", "client_id", "user_id", "account_id", "currency"],
  "settled": ["content_hash", "total", "fees", "item_count", "funding", "execute_at", "submitted_by",
    "quote_id", "received_currency", "received_total"]}');

drop trigger batch_items_checked on batch_items;
create trigger batch_items_checked before update on batch_items for each row execute function guard_states('{
  "what": "item", "id": "our_reference",
  "moves": ["PENDING>HELD", "PENDING>CANCELLED", "PENDING>FAILED", "PENDING>PROCESSING", "HELD>PROCESSING",
    "HELD>CANCELLED", "HELD>FAILED", "PROCESSING>COMPLETED", "PROCESSING>FAILED", "COMPLETED>RETURNED", "FAILED>HELD",
    "FAILED>PENDING"],
  "stay": ["amount", "fee", "currency", "account_id", "sealed_payee", "to_wallet_id", "our_reference", "reference",
    "received_currency", "received_amount"]}');
