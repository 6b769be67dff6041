-- Who may log in through the external provider, and by which of its methods.

-- An account at the provider belongs to one of our users, whatever methods and wallets it has.
create table ext_identities (
  ext_user_id text primary key check (length(ext_user_id) between 1 and 255),
  user_id     integer not null references users on delete cascade,
  constraint ext_identities_owner unique (ext_user_id, user_id)
);
create index ext_identities_of_user on ext_identities (user_id);

create table ext_mappings (
  id             integer generated always as identity primary key,
  ext_user_id    text not null,
  user_id        integer not null,
  auth_provider  text not null check (length(auth_provider) between 1 and 64),
  -- As the provider spells it.
  wallet_address text check (length(wallet_address) between 1 and 128),
  is_primary     boolean not null,
  -- The request that linked it, so that its repetition after a crash finds it.
  operation      uuid not null,
  connected_at   timestamptz not null,
  last_used      timestamptz not null,
  foreign key (ext_user_id, user_id) references ext_identities (ext_user_id, user_id)
    on delete cascade
);
create index ext_mappings_of_user on ext_mappings (user_id, id);
create index ext_mappings_of_identity on ext_mappings (ext_user_id, id);
create unique index ext_mappings_one_primary on ext_mappings (user_id) where is_primary;
-- Hexadecimal addresses are the same however their letters are spelled, others are not.
create unique index ext_mappings_wallet_once on ext_mappings
  ((case when wallet_address like '0x%' then lower(wallet_address) else wallet_address end));
