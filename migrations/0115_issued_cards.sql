-- Cards that a processor issues on wallets (docs/design/issued-cards.md). Their numbers are at the processor alone.
create table issued_cards (
  card_id         uuid primary key,
  serial          bigint generated always as identity unique,
  -- The request that has made it: a repetition finds it.
  operation       text not null unique,
  client_id       integer not null references clients,
  user_id         integer not null references users,
  wallet_id       integer not null references fiat_wallets,
  currency        text not null references ledger.assets,
  name_on_card    text not null check (name_on_card ~ '^[A-Za-z .''-]{2,26}$'),
  usage           text not null check (usage in ('many', 'single')),
  -- Earlier than the card's own end, where its owner wants that.
  valid_until     timestamptz,
  -- Of the processor, once it has made the card.
  last4           text check (last4 ~ '^\d{4}$'),
  expiry          text check (expiry ~ '^(0[1-9]|1[0-2])/\d\d$'),
  -- The first moment at which it is not valid any more: its own end, or that of its owner.
  ends_at         timestamptz,
  status          text not null default 'PENDING'
    check (status in ('PENDING', 'INACTIVE', 'ACTIVE', 'FROZEN', 'CLOSED', 'EXPIRED', 'FAILED')),
  -- What an admin has frozen its owner does not unfreeze.
  frozen_by       text check (frozen_by in ('OWNER', 'ADMIN')),
  closed_reason   text check (closed_reason in ('USER', 'LOST', 'STOLEN', 'FRAUD')),
  failure_code    text,
  -- The card in whose place it was made.
  replaces        uuid unique references issued_cards,
  -- Both count.
  owner_controls  jsonb not null default '{}',
  client_controls jsonb not null default '{}',
  version         integer not null default 1 check (version > 0),
  created_at      timestamptz not null default service_now(),
  updated_at      timestamptz not null default service_now(),
  check ((status in ('PENDING', 'FAILED')) = (last4 is null)),
  check ((last4 is null) = (expiry is null) and (last4 is null) = (ends_at is null)),
  check ((status = 'FROZEN') = (frozen_by is not null)),
  check ((status = 'CLOSED') = (closed_reason is not null)),
  check ((status = 'FAILED') = (failure_code is not null)),
  check (replaces <> card_id)
);
create index issued_cards_of_user on issued_cards (user_id, serial desc);
create index issued_cards_of_client on issued_cards (client_id, serial desc);
create index issued_cards_of_user_by_status on issued_cards (user_id, status, serial desc);
create index issued_cards_of_client_by_status on issued_cards (client_id, status, serial desc);
create index issued_cards_by_status on issued_cards (status, serial desc);
create index issued_cards_of_wallet on issued_cards (wallet_id);
create index issued_cards_open on issued_cards (user_id) where status in ('PENDING', 'INACTIVE', 'ACTIVE', 'FROZEN');
create index issued_cards_to_end on issued_cards (ends_at) where status in ('INACTIVE', 'ACTIVE', 'FROZEN');

-- A card moves onward only; whose it is and what it pays from stays.
create function check_issued_card() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (case old.status
      when 'PENDING' then new.status in ('INACTIVE', 'FAILED')
      when 'INACTIVE' then new.status in ('ACTIVE', 'CLOSED', 'EXPIRED')
      when 'ACTIVE' then new.status in ('FROZEN', 'CLOSED', 'EXPIRED')
      when 'FROZEN' then new.status in ('ACTIVE', 'CLOSED', 'EXPIRED')
      else false
    end)
  then
    raise exception 'card % does not go from % to %', old.card_id, old.status, new.status
      using errcode = 'check_violation', constraint = 'issued_cards_onward';
  end if;
  if (old.client_id, old.user_id, old.wallet_id, old.currency, old.usage, old.replaces, old.operation)
    is distinct from (new.client_id, new.user_id, new.wallet_id, new.currency, new.usage, new.replaces, new.operation)
  then
    raise exception 'card % stays what it was issued as', old.card_id
      using errcode = 'check_violation', constraint = 'issued_cards_stay';
  end if;
  return new;
end $$;
create trigger issued_cards_checked before update on issued_cards for each row execute function check_issued_card();

-- A replacement is for the same person and wallet, in the place of a card that is closed.
create function check_card_replacement() returns trigger language plpgsql as $$
begin
  if new.replaces is not null and not exists (
    select from issued_cards c where c.card_id = new.replaces and c.user_id = new.user_id
      and c.wallet_id = new.wallet_id and c.status = 'CLOSED')
  then
    raise exception 'card % replaces no closed card of its owner', new.card_id
      using errcode = 'check_violation', constraint = 'issued_cards_replace';
  end if;
  return new;
end $$;
create trigger issued_cards_replacing before insert on issued_cards for each row execute function check_card_replacement();
