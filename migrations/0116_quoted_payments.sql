-- Transfers and withdrawals that pay in another currency, by a quote (docs/design/fx.md).

-- A quote that is used for money that is only held has promised it, and the platform's position counts it until the
-- money moves or is free again.
alter table quotes add column is_promised boolean not null default true;
drop trigger quotes_tallied on quotes;
drop trigger quotes_checked on quotes;
update quotes set is_promised = false where status <> 'OPEN';
alter table quotes
  add check (status <> 'OPEN' or is_promised),
  add check (status in ('OPEN', 'USED') or not is_promised);

create or replace function check_quote() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' and (new.status, new.used_by) is distinct from (old.status, old.used_by)
    or new.is_promised and not old.is_promised
  then
    raise exception 'quote % does not go back', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_onward';
  end if;
  if (old.user_id, old.client_id, old.kind, old.fixed_side, old.from_currency, old.from_units, old.to_currency, old.to_units,
      old.expires_at, old.fees)
    is distinct from (new.user_id, new.client_id, new.kind, new.fixed_side, new.from_currency, new.from_units,
      new.to_currency, new.to_units, new.expires_at, new.fees)
  then
    raise exception 'quote % stays as it was promised', old.quote_id
      using errcode = 'check_violation', constraint = 'quotes_stay';
  end if;
  return new;
end $$;
create trigger quotes_checked before update on quotes for each row execute function check_quote();

create or replace function tally_quote() returns trigger language plpgsql as $$
declare
  sign integer := 0;
begin
  if tg_op = 'INSERT' and new.is_promised then sign := 1; end if;
  if tg_op = 'UPDATE' and old.is_promised and not new.is_promised then sign := -1; end if;
  if sign <> 0 then
    perform tally('open quotes', 'in ' || new.from_currency, sign * new.from_units::bigint);
    perform tally('open quotes', 'out ' || new.to_currency, sign * new.to_units::bigint);
  end if;
  return null;
end $$;
create trigger quotes_tallied after insert or update of is_promised on quotes for each row execute function tally_quote();

-- What arrives, where it is not what was paid.
alter table wallet_transfers
  add column quote_id          uuid unique references quotes (quote_id),
  add column received_currency text references ledger.assets,
  add column received_amount   numeric(38, 0) check (received_amount > 0),
  add check (num_nulls(quote_id, received_currency, received_amount) in (0, 3)),
  add check (quote_id is null or not is_split and received_currency <> currency);
alter table withdrawals
  add column quote_id          uuid unique references quotes (quote_id),
  add column received_currency text references ledger.assets,
  add column received_amount   numeric(38, 0) check (received_amount > 0),
  add check (num_nulls(quote_id, received_currency, received_amount) in (0, 3)),
  add check (quote_id is null or received_currency <> currency);

create or replace function check_wallet_transfer() returns trigger language plpgsql as $$
begin
  if old.status in ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED') and new.status <> old.status
    or old.status = 'PENDING' and new.status = 'PENDING_APPROVAL'
  then
    raise exception 'transfer % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'wallet_transfers_onward';
  end if;
  if (old.user_id, old.from_wallet_id, old.account_id, old.currency, old.amount, old.fee, old.quote_id,
      old.received_currency, old.received_amount)
    is distinct from (new.user_id, new.from_wallet_id, new.account_id, new.currency, new.amount, new.fee, new.quote_id,
      new.received_currency, new.received_amount)
  then
    raise exception 'transfer % stays what was sent', old.object_id
      using errcode = 'check_violation', constraint = 'wallet_transfers_stay';
  end if;
  return new;
end $$;

create or replace function check_withdrawal() returns trigger language plpgsql as $$
begin
  if (old.amount, old.fee, old.currency, old.account_id, old.sealed_payee, old.our_reference, old.quote_id,
      old.received_currency, old.received_amount)
    is distinct from (new.amount, new.fee, new.currency, new.account_id, new.sealed_payee, new.our_reference,
      new.quote_id, new.received_currency, new.received_amount)
  then
    raise exception 'withdrawal % stays as it was asked for', old.our_reference
      using errcode = 'check_violation', constraint = 'withdrawals_stay';
  end if;
  if old.status <> new.status and (old.status || '>' || new.status) not in ('PENDING_APPROVAL>PENDING',
    'PENDING_APPROVAL>CANCELLED', 'PENDING>PROCESSING', 'PENDING>CANCELLED', 'PENDING>FAILED', 'PROCESSING>COMPLETED',
    'PROCESSING>FAILED', 'COMPLETED>RETURNED')
  then
    raise exception 'withdrawal % does not go from % to %', old.our_reference, old.status, new.status
      using errcode = 'check_violation', constraint = 'withdrawals_onward';
  end if;
  return new;
end $$;

-- A receiver's side is in what they received.
create or replace view payment_of_wallet_transfer_parts as
select t.object_id as object_key, 'wallet_transfer_part' as object_type, p.object_id, t.client_id,
  p.to_user_id as user_id, p.to_wallet_id as wallet_id, 'wallet' as rail, 'transfer' as kind, 'internal' as direction,
  coalesce(t.received_currency, t.currency) as currency, s.scale::smallint as scale,
  coalesce(t.received_amount, p.amount) as amount, 0::numeric as fee, 0::numeric as refunded, 'SUCCEEDED' as status,
  name_masked(sender.username) as counterparty_name, null::text as counterparty_detail,
  t.object_id as our_reference, null::text as provider_reference, null::text as failure_code,
  null::text as failure_message, null::text as work_id, t.created_at, t.updated_at
from wallet_transfers t
join wallet_transfer_parts p using (transfer_id)
join ledger.assets s on s.asset = coalesce(t.received_currency, t.currency)
join users sender on sender.user_id = t.user_id
where t.status = 'COMPLETED';
