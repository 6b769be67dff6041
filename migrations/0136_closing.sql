-- People take what is known of them along, and close their accounts (docs/design/people.md).
create table person_exports (
  serial      bigint generated always as identity primary key,
  export_id   uuid not null unique,
  user_id     integer not null references users on delete cascade,
  status      text not null default 'PENDING' check (status in ('PENDING', 'READY', 'EXPIRED', 'FAILED')),
  -- Sealed like every file; it goes with the hour.
  file_id     uuid references files on delete set null,
  -- Of the link, which can be opened once.
  digest      bytea unique,
  created_at  timestamptz not null default service_now(),
  ready_at    timestamptz,
  used_at     timestamptz,
  expires_at  timestamptz,
  constraint person_exports_ready check ((ready_at is null) = (expires_at is null) and (status <> 'READY' or ready_at is not null))
);
create index person_exports_of_user on person_exports (user_id, serial desc);
create index person_exports_ending on person_exports (expires_at) where status = 'READY';
create index person_exports_by_file on person_exports (file_id) where file_id is not null;

-- The one closing of an account. One that was cancelled may be asked for again.
create table account_closings (
  user_id      integer primary key references users on delete cascade,
  -- ERASING cannot be cancelled any more.
  status       text not null check (status in ('CLOSING', 'CANCELLED', 'ERASING', 'ERASED')),
  asked_at     timestamptz not null default service_now(),
  erases_at    timestamptz not null,
  -- When it is looked at next: something may have been in the way.
  looks_at     timestamptz not null,
  cancelled_at timestamptz,
  erased_at    timestamptz,
  -- What was in the way when the time had come.
  items        jsonb not null default '[]' check (jsonb_typeof(items) = 'array'),
  constraint account_closings_ends check ((status = 'CANCELLED') = (cancelled_at is not null) and (status = 'ERASED') = (erased_at is not null))
);

create index account_closings_due on account_closings (looks_at) where status in ('CLOSING', 'ERASING');

create function check_account_closing() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and (old.status || '>' || new.status) not in
    ('CLOSING>CANCELLED', 'CANCELLED>CLOSING', 'CLOSING>ERASING', 'ERASING>ERASED')
  then
    raise exception 'the closing of % does not go from % to %', old.user_id, old.status, new.status
      using errcode = 'check_violation', constraint = 'account_closings_onward';
  end if;
  return new;
end $$;
create trigger account_closings_checked before update on account_closings
  for each row execute function check_account_closing();

-- Every process knows at once who may not move money.
create function tell_closing() returns trigger language plpgsql as $$
begin
  perform pg_notify('identity', 'user:' || new.user_id);
  return null;
end $$;
create trigger account_closings_changed after insert or update of status on account_closings
  for each row execute function tell_closing();

-- An erased person is an account without a person, for good.
alter table users drop constraint users_user_status_check;
alter table users add constraint users_user_status_check check (user_status in ('ACTIVE', 'INACTIVE', 'PENDING', 'ERASED'));
create function keep_erased() returns trigger language plpgsql as $$
begin
  raise exception 'user % was erased', old.user_id using errcode = 'check_violation', constraint = 'users_stay_erased';
end $$;
create trigger users_stay_erased before update of user_status, password_hash, phone on users
  for each row when (old.user_status = 'ERASED' and (new.user_status <> 'ERASED' or new.password_hash is not null
    or (new.phone is not null and new.phone is distinct from old.phone)))
  execute function keep_erased();

-- No mail goes to an erased person about what the erasure takes away.
create function skip_erased() returns trigger language plpgsql as $$
begin
  if exists (select from users u where u.user_id = new.user_id and u.user_status = 'ERASED') then
    return null;
  end if;
  return new;
end $$;
create trigger access_changes_of_erased before insert on access_changes for each row execute function skip_erased();

-- A note is erased after the end, too.
create or replace function check_fiat_hold() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'note' is not distinct from to_jsonb(old) - 'note' and new.note is null then
    return new;
  end if;
  if old.status in ('CAPTURED', 'VOIDED', 'EXPIRED') or new.captured < old.captured or new.status = 'OPEN' then
    raise exception 'hold % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'fiat_holds_onward';
  end if;
  if (old.user_id, old.account_id, old.to_account_id, old.amount, old.fee, old.expires_at)
    is distinct from (new.user_id, new.account_id, new.to_account_id, new.amount, new.fee, new.expires_at)
  then
    raise exception 'hold % stays what was agreed', old.object_id
      using errcode = 'check_violation', constraint = 'fiat_holds_stay';
  end if;
  return new;
end $$;

create or replace function check_payment_request() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'note' is not distinct from to_jsonb(old) - 'note' and new.note is null then
    return new;
  end if;
  if old.status <> 'OPEN' then
    raise exception 'request % has ended', old.object_id
      using errcode = 'check_violation', constraint = 'payment_requests_onward';
  end if;
  if (old.user_id, old.wallet_id, old.currency, old.amount, old.expires_at, coalesce(old.to_user_id, new.to_user_id))
    is distinct from (new.user_id, new.wallet_id, new.currency, new.amount, new.expires_at, new.to_user_id)
  then
    raise exception 'request % stays what was asked for', old.object_id
      using errcode = 'check_violation', constraint = 'payment_requests_stay';
  end if;
  return new;
end $$;

-- What a person has is found by the person, in the order of its key.
create index account_creations_by_person on account_creations (user_id);
create index sessions_by_person on sessions (user_id, session_id) where user_id is not null;
create index mobile_codes_by_person on mobile_codes (user_id) where user_id is not null;
create index step_ups_by_person on step_ups (user_id, challenge_id);
create index pending_changes_by_person on pending_changes (user_id, change_id);
create index policy_decisions_by_person on policy_decisions (user_id, decision_id);
create index debts_by_person on ledger.debts (user_id, debt);
create index card_transactions_by_person on card_transactions (user_id, id);
create index bank_connections_by_person on bank_connections (user_id, connection_id);
create index bank_top_ups_by_person on bank_top_ups (user_id, top_up_id);
create index cardano_orders_by_person on cardano_orders (user_id, order_id);
create index conversion_jobs_by_person on conversion_jobs (user_id, job_id);
create index exchange_wallets_by_person on exchange_wallets (user_id, bw_id);
create index idr_bank_accounts_by_person on idr_bank_accounts (user_id, token_bank_id);
create index idr_refunds_by_person on idr_refunds (user_id, refund_id);
create index idr_unmatched_payments_by_person on idr_unmatched_payments (user_id, payment_id);
create index xrpl_trustlines_by_person on xrpl_trustlines (user_id, trustline_id);
create index balance_monitors_by_person on balance_monitors (user_id, serial);
create index batch_items_by_person on batch_items (user_id, serial);
create index card_decisions_by_person on card_decisions (user_id, serial);
create index recipients_by_person on recipients (user_id, serial);
create index wallet_transfer_parts_by_person on wallet_transfer_parts (sender_id, serial);
create index withdrawals_by_person on withdrawals (user_id, serial);
create index agent_confirmations_by_person on agent_confirmations (user_id, confirmation_id);
create index invoice_payments_by_person on invoice_payments (user_id, serial);
create index invoice_refunds_by_person on invoice_refunds (user_id, serial);
create index invoice_unmatched_by_person on invoice_unmatched (user_id, serial);
create index purchase_orders_by_person on purchase_orders (user_id, order_id);
create index messages_by_person on messages (user_id, message_id) where user_id is not null;
create index caller_names_by_person on caller_names (user_id, object_type, object_id) where user_id is not null;
create index adjustments_by_person on adjustments (user_id, serial);
create index batches_open_by_person on batches (user_id, serial) where status in ('PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING');
create index invoices_open_by_person on invoices (user_id, serial) where status = 'OPEN';
create index team_invitations_by_person on team_invitations (accepted_by, serial) where accepted_by is not null;
