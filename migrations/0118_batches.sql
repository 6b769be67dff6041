-- Many payments out of one wallet, approved and held together (docs/design/banking.md, 94).
create table batches (
  serial        bigint generated always as identity primary key,
  batch_id      uuid not null unique,
  our_reference text not null unique check (our_reference ~ '^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- Of the request, which may be repeated.
  operation     uuid not null unique,
  client_id     integer not null references clients,
  -- Whose money it is; an admin of the client may prepare and submit it.
  user_id       integer not null references users,
  made_by       integer not null references users,
  submitted_by  integer references users,
  wallet_id     integer not null references fiat_wallets,
  account_id    bigint not null,
  currency      text not null references ledger.assets,
  name          text not null check (length(name) between 1 and 140),
  funding       text not null check (funding in ('at_approval', 'per_item')),
  execute_at    timestamptz,
  -- By a policy, or since the account of a recipient was changed.
  held_until    timestamptz,
  due_at        timestamptz,
  item_count    integer not null check (item_count between 0 and 10000),
  total         numeric(38, 0) not null check (total >= 0),
  fees          numeric(38, 0) not null check (fees >= 0),
  -- Rows that cannot be paid: with any of them it is not submitted.
  errors        jsonb not null default '[]',
  -- What people approve: over its lines and terms.
  content_hash  text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  -- The operation that policies have decided about: another one for each submission.
  decided_as    text,
  -- The wallet has too little for the next payment.
  lacks_since   timestamptz,
  status        text not null check (status in ('DRAFT', 'PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING', 'COMPLETED',
    'PARTIALLY_COMPLETED', 'FAILED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
  status_times  jsonb not null,
  failure       jsonb,
  version       integer not null default 1 check (version > 0),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now(),
  check (status = 'DRAFT' or errors = '[]' or status = 'CANCELLED'),
  check (status in ('DRAFT', 'CANCELLED') or submitted_by is not null and due_at is not null and item_count > 0),
  check (lacks_since is null or funding = 'per_item' and status = 'PROCESSING')
) with (fillfactor = 80);
create index batches_of_user on batches (user_id, serial desc);
create index batches_of_client on batches (client_id, serial desc);
create index batches_under_way on batches (our_reference, due_at) where status in ('SCHEDULED', 'PROCESSING');

create function check_batch() returns trigger language plpgsql as $$
begin
  if (old.our_reference, old.client_id, old.user_id, old.account_id, old.currency)
    is distinct from (new.our_reference, new.client_id, new.user_id, new.account_id, new.currency)
    or old.status <> 'DRAFT' and new.status <> 'DRAFT'
      and (old.content_hash, old.total, old.fees, old.item_count, old.funding, old.execute_at, old.submitted_by)
        is distinct from (new.content_hash, new.total, new.fees, new.item_count, new.funding, new.execute_at, new.submitted_by)
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
create trigger batches_checked before update on batches for each row execute function check_batch();

create table batch_items (
  serial             bigint generated always as identity primary key,
  item_id            uuid not null unique,
  -- Its id in answers, by which the providers know it too.
  our_reference      text not null unique check (our_reference ~ '^itm_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  batch_id           uuid not null references batches (batch_id) on delete cascade,
  -- Of what was sent, from 1 on.
  line               integer not null check (line > 0),
  client_id          integer not null references clients,
  user_id            integer not null references users,
  wallet_id          integer not null references fiat_wallets,
  account_id         bigint not null,
  recipient_id       uuid references recipients (recipient_id),
  -- The account of the moment in which the line was written: what a bank is asked for never changes.
  fingerprint        bytea not null,
  rail               text not null check (rail in ('gateway', 'bank-host', 'wallet')),
  sealed_payee       text,
  to_wallet_id       integer references fiat_wallets,
  payee_name         text not null,
  payee_detail       text not null,
  currency           text not null references ledger.assets,
  amount             numeric(38, 0) not null check (amount > 0),
  fee                numeric(38, 0) not null check (fee >= 0),
  fee_terms          jsonb,
  -- The caller's; unique for the client over all batches from the submission on (caller_names).
  reference          text collate "C" not null check (length(reference) between 1 and 100),
  note               text check (length(note) between 1 and 140),
  -- Its money is set aside.
  is_held            boolean not null default false,
  -- The provider has not taken it yet: so many of a batch at a time.
  in_lane            boolean not null default false,
  begun_at           timestamptz,
  status             text not null default 'PENDING' check (status in ('PENDING', 'HELD', 'PROCESSING', 'COMPLETED',
    'FAILED', 'CANCELLED', 'RETURNED')),
  status_times       jsonb not null,
  failure            jsonb,
  returned           jsonb,
  provider_reference text,
  version            integer not null default 1 check (version > 0),
  created_at         timestamptz not null default service_now(),
  updated_at         timestamptz not null default service_now(),
  constraint batch_items_once unique (batch_id, line),
  constraint batch_items_reference unique (batch_id, reference),
  check ((rail = 'wallet') = (to_wallet_id is not null)),
  check ((rail = 'wallet') = (sealed_payee is null)),
  check ((status = 'RETURNED') = (returned is not null)),
  check (status <> 'FAILED' or failure is not null),
  check (not in_lane or status = 'PROCESSING'),
  check (not is_held or status in ('HELD', 'PROCESSING', 'FAILED'))
) with (fillfactor = 80);
create index batch_items_by_status on batch_items (batch_id, status, line);
create index batch_items_to_recipient on batch_items (recipient_id)
  where status in ('PENDING', 'HELD', 'PROCESSING');
create index batch_items_by_provider_reference on batch_items (provider_reference)
  where provider_reference is not null and begun_at is not null;
create index batch_items_begun on batch_items (our_reference) where begun_at is not null;

create function check_batch_item() returns trigger language plpgsql as $$
begin
  if (old.amount, old.fee, old.currency, old.account_id, old.sealed_payee, old.to_wallet_id, old.our_reference, old.reference)
    is distinct from (new.amount, new.fee, new.currency, new.account_id, new.sealed_payee, new.to_wallet_id,
      new.our_reference, new.reference)
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
create trigger batch_items_checked before update on batch_items for each row execute function check_batch_item();

-- An item is a payment from when it was begun.
create view payment_of_batch_items as
select i.our_reference as object_key, i.provider_reference as bank_reference, 'payout' as object_type,
  i.our_reference as object_id, i.client_id, i.user_id, i.wallet_id, 'batch' as rail, 'batch' as kind,
  'out' as direction, i.currency, a.scale::smallint as scale, i.amount, i.fee,
  case i.status when 'RETURNED' then i.amount else 0 end as refunded,
  case i.status when 'COMPLETED' then 'SUCCEEDED' when 'HELD' then 'PENDING' when 'PROCESSING' then 'PENDING'
    else i.status end as status,
  i.payee_name as counterparty_name, i.payee_detail as counterparty_detail, i.our_reference,
  i.provider_reference, coalesce(i.failure ->> 'code', i.returned ->> 'reason_code') as failure_code,
  i.failure ->> 'message' as failure_message, i.our_reference as work_id, i.created_at, i.updated_at
from batch_items i join ledger.assets a on a.asset = i.currency
where i.begun_at is not null;

-- What a bank costs is charged as for withdrawals; between wallets it is free.
insert into fee_rows (rail, method, currency, flat, bps) values
  ('batch', 'bank', 'IDR', 250000, 0), ('batch', 'bank', 'VND', 5000, 0), ('batch', 'bank', 'INR', 1000, 0),
  ('batch', 'bank', 'USD', 50, 0), ('batch', 'bank', 'SGD', 50, 0), ('batch', 'bank', 'AUD', 50, 0);
