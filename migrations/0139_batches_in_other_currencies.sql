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

create or replace function check_batch() returns trigger language plpgsql as $$
begin
  if (old.our_reference, old.client_id, old.user_id, old.account_id, old.currency)
    is distinct from (new.our_reference, new.client_id, new.user_id, new.account_id, new.currency)
    or old.status <> 'DRAFT' and new.status <> 'DRAFT'
      and (old.content_hash, old.total, old.fees, old.item_count, old.funding, old.execute_at, old.submitted_by,
          old.quote_id, old.received_currency, old.received_total)
        is distinct from (new.content_hash, new.total, new.fees, new.item_count, new.funding, new.execute_at, new.submitted_by,
          new.quote_id, new.received_currency, new.received_total)
  then
    raise exception 'batch % stays as it was submitted', old.our_reference
      using errcode = 'check_violation', constraint = 'batches_stay';
  end if;
  if old.status <> new.status and (old.status || '>' || new.status) not in ('DRAFT>PENDING_APPROVAL', 'DRAFT>SCHEDULED',
    'DRAFT>CANCELLED', 'PENDING_APPROVAL>DRAFT', 'PENDING_APPROVAL>SCHEDULED', 'PENDING_APPROVAL>REJECTED',
    'PENDING_APPROVAL>EXPIRED', 'PENDING_APPROVAL>CANCELLED', 'SCHEDULED>PROCESSING', 'SCHEDULED>CANCELLED',
    'SCHEDULED>FAILED', 'PROCESSING>COMPLETED', 'PROCESSING>PARTIALLY_COMPLETED', 'PROCESSING>FAILED',
    'PROCESSING>CANCELLED', 'PARTIALLY_COMPLETED>PROCESSING', 'FAILED>PROCESSING')
  then
    raise exception 'batch % does not go from % to %', old.our_reference, old.status, new.status
      using errcode = 'check_violation', constraint = 'batches_onward';
  end if;
  return new;
end $$;

create or replace function check_batch_item() returns trigger language plpgsql as $$
begin
  if (old.amount, old.fee, old.currency, old.account_id, old.sealed_payee, old.to_wallet_id, old.our_reference, old.reference,
      old.received_currency, old.received_amount)
    is distinct from (new.amount, new.fee, new.currency, new.account_id, new.sealed_payee, new.to_wallet_id,
      new.our_reference, new.reference, new.received_currency, new.received_amount)
  then
    raise exception 'item % stays as it was written', old.our_reference
      using errcode = 'check_violation', constraint = 'batch_items_stay';
  end if;
  if old.status <> new.status and (old.status || '>' || new.status) not in ('PENDING>HELD', 'PENDING>CANCELLED',
    'PENDING>FAILED', 'PENDING>PROCESSING', 'HELD>PROCESSING', 'HELD>CANCELLED', 'HELD>FAILED', 'PROCESSING>COMPLETED',
    'PROCESSING>FAILED', 'COMPLETED>RETURNED', 'FAILED>HELD', 'FAILED>PENDING')
  then
    raise exception 'item % does not go from % to %', old.our_reference, old.status, new.status
      using errcode = 'check_violation', constraint = 'batch_items_onward';
  end if;
  return new;
end $$;
