-- Money between the wallets of one client's people (docs/design/wallets.md).

-- The id of an object as callers see it: its prefix, and the UUID in 26 of Crockford's digits.
create function object_id_of(prefix text, id uuid) returns text language sql immutable strict parallel safe
return prefix || '_' || (
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      substring(B'00' || ('x' || replace(id::text, '-', ''))::bit(128) from n * 5 + 1 for 5)::bit(5)::integer + 1, 1),
    '' order by n)
  from generate_series(0, 25) n);

create table wallet_transfers (
  serial           bigint generated always as identity primary key,
  transfer_id      uuid not null unique,
  -- As callers and events name it.
  object_id        text not null unique,
  -- The request that has made it: a repetition finds it.
  operation        text not null unique,
  client_id        integer not null references clients,
  -- The sender, and the wallet that pays.
  user_id          integer not null references users,
  from_wallet_id   integer not null references fiat_wallets,
  account_id       bigint not null,
  currency         text not null references ledger.assets,
  -- The sum of the parts, and what is charged on top, by the terms of the moment of holding.
  amount           numeric(38, 0) not null check (amount > 0),
  fee              numeric(38, 0) not null check (fee >= 0),
  fee_terms        jsonb not null default '[]',
  is_split         boolean not null,
  note             text check (length(note) between 1 and 140),
  -- Of money for an address that has no account yet.
  claim_channel    text check (claim_channel in ('email', 'phone')),
  claim_address    text,
  claim_s          integer not null check (claim_s between 3600 and 2592000),
  claim_digest     bytea,
  claim_expires_at timestamptz,
  -- Until when policies hold it.
  held_until       timestamptz,
  status           text not null
    check (status in ('PENDING_APPROVAL', 'PENDING', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')),
  status_times     jsonb not null,
  failure          jsonb,
  version          integer not null default 1 check (version > 0),
  created_at       timestamptz not null default service_now(),
  updated_at       timestamptz not null default service_now(),
  check (object_id = object_id_of('trf', transfer_id)),
  check ((claim_channel is null) = (claim_address is null)),
  check (claim_channel is not null or claim_digest is null),
  check ((claim_digest is null) = (claim_expires_at is null)),
  check (not (is_split and claim_channel is not null))
);
create index wallet_transfers_of_sender on wallet_transfers (user_id, serial desc);
create index wallet_transfers_to_address on wallet_transfers (user_id, claim_address) where claim_address is not null;
create unique index wallet_transfers_by_claim on wallet_transfers (claim_digest) where claim_digest is not null;
create index wallet_transfers_to_expire on wallet_transfers (claim_expires_at)
  where status = 'PENDING' and claim_expires_at is not null;
create index wallet_transfers_to_go_on on wallet_transfers (held_until) where status = 'PENDING' and held_until is not null;

-- To whom it goes: one part, or of a split up to twenty.
create table wallet_transfer_parts (
  transfer_id   uuid not null references wallet_transfers (transfer_id),
  position      smallint not null check (position between 0 and 19),
  serial        bigint not null,
  -- The receiver's side in the list of payments.
  object_id     text not null unique,
  named_as      text not null check (named_as in ('wallet', 'user', 'email', 'phone')),
  sender_id     integer not null references users,
  to_user_id    integer references users,
  to_wallet_id  integer references fiat_wallets,
  amount        numeric(38, 0) not null check (amount > 0),
  fee           numeric(38, 0) not null check (fee >= 0),
  arrived       boolean not null,
  note          text check (length(note) between 1 and 140),
  primary key (transfer_id, position),
  check (not arrived or to_user_id is not null and to_wallet_id is not null)
);
create index wallet_transfer_parts_of_receiver on wallet_transfer_parts (to_user_id, serial desc)
  where arrived and to_user_id <> sender_id;
create index wallet_transfer_parts_between on wallet_transfer_parts (sender_id, to_user_id) where arrived;

-- What has ended stays as it ended, and what is paid is not changed.
create function check_wallet_transfer() returns trigger language plpgsql as $$
begin
  if old.status in ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED') and new.status <> old.status
    or old.status = 'PENDING' and new.status = 'PENDING_APPROVAL'
  then
    raise exception 'transfer % does not go back', old.object_id
      using errcode = 'check_violation', constraint = 'wallet_transfers_onward';
  end if;
  if (old.user_id, old.from_wallet_id, old.account_id, old.currency, old.amount, old.fee)
    is distinct from (new.user_id, new.from_wallet_id, new.account_id, new.currency, new.amount, new.fee)
  then
    raise exception 'transfer % stays what was sent', old.object_id
      using errcode = 'check_violation', constraint = 'wallet_transfers_stay';
  end if;
  return new;
end $$;
create trigger wallet_transfers_checked before update on wallet_transfers
  for each row execute function check_wallet_transfer();

-- A name with its first letter: enough for its owner's friends.
create function name_masked(name text) returns text language sql immutable parallel safe
return left(name, 1) || '•••';

create view payment_of_wallet_transfers as
select t.object_id as object_key, 'wallet_transfer' as object_type, t.object_id, t.client_id, t.user_id,
  t.from_wallet_id as wallet_id, 'wallet' as rail, case when t.is_split then 'split' else 'transfer' end as kind,
  'internal' as direction, t.currency, s.scale::smallint as scale, t.amount, t.fee, 0::numeric as refunded,
  case t.status when 'COMPLETED' then 'SUCCEEDED' when 'FAILED' then 'FAILED' when 'CANCELLED' then 'CANCELLED'
    when 'EXPIRED' then 'CANCELLED' else 'PENDING' end as status,
  name_masked(to_user.username) as counterparty_name, payment_masked(t.claim_address) as counterparty_detail,
  t.object_id as our_reference, null::text as provider_reference, t.failure ->> 'code' as failure_code,
  t.failure ->> 'message' as failure_message, null::text as work_id, t.created_at, t.updated_at
from wallet_transfers t
join ledger.assets s on s.asset = t.currency
left join wallet_transfer_parts p on p.transfer_id = t.transfer_id and not t.is_split
left join users to_user on to_user.user_id = p.to_user_id;

-- What a receiver sees of it, once it is theirs.
create view payment_of_wallet_transfer_parts as
select t.object_id as object_key, 'wallet_transfer_part' as object_type, p.object_id, t.client_id,
  p.to_user_id as user_id, p.to_wallet_id as wallet_id, 'wallet' as rail, 'transfer' as kind, 'internal' as direction,
  t.currency, s.scale::smallint as scale, p.amount, 0::numeric as fee, 0::numeric as refunded, 'SUCCEEDED' as status,
  name_masked(sender.username) as counterparty_name, null::text as counterparty_detail,
  t.object_id as our_reference, null::text as provider_reference, null::text as failure_code,
  null::text as failure_message, null::text as work_id, t.created_at, t.updated_at
from wallet_transfers t
join wallet_transfer_parts p using (transfer_id)
join ledger.assets s on s.asset = t.currency
join users sender on sender.user_id = t.user_id
where t.status = 'COMPLETED';
